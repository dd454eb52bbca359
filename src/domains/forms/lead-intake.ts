import type { Context } from '#platform/context.ts'
import { Problem, type Fault } from '#platform/problem.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { addLeads, changeLeads, findByKey, keyValueOf } from '#domains/leads/intake.ts'
import { newLead } from '#domains/leads/model.ts'
import { holdLeads, recentSettings, touchLead } from '#domains/leads/service.ts'
import type { Answers, Form } from './contract.ts'
import { mapAnswers, mergedLead, type Mapped } from './mapping.ts'
import type { Mapping } from './model.ts'
import { lockWords } from './store.ts'

export type Intake = { lead_id: string | null; notes: Fault[] }

/** Answers of somebody, from a form or from a web chat. */
export type Sent = {
  content: Mapping
  values: Answers
  on_existing: Form['on_existing']
  /** Of a lead that is made of them. */
  source: string
  utm: Lead['utm']
  /** Who they are, where that is known already. */
  lead_id?: string | null
}

/**
 * Creates or updates the lead from the answers, in the transaction of what they came with. Existing leads are
 * matched by email, then by phone. A concurrent submission with the same new address waits and finds the
 * lead.
 */
export async function takeInLead(ctx: Context, sent: Sent): Promise<Intake> {
  const { content, values, on_existing } = sent
  if (Object.keys(content.field_mapping).length === 0) return { lead_id: null, notes: [] }
  const settings = await recentSettings(ctx)
  const mapped = mapAnswers(content, values, settings)
  const known = (await givenLead(ctx, sent)) ?? (await findKnown(ctx, mapped))
  if (known) {
    const lead = mergedLead(known, mapped, on_existing)
    changeLeads(ctx, [{ before: known, after: lead }], {})
    await touchLead(ctx, lead.id, ctx.now())
    return { lead_id: lead.id, notes: mapped.notes }
  }
  const lead = madeLead(ctx, sent, mapped, settings)
  if (!lead) return { lead_id: null, notes: [...mapped.notes, NOBODY] }
  addLeads(ctx, [lead], {})
  return { lead_id: lead.id, notes: mapped.notes }
}

const NOBODY: Fault = {
  path: '',
  message: 'No lead was created: the answers identify no one.',
}

async function givenLead(ctx: Context, { lead_id }: Sent): Promise<Lead | undefined> {
  if (!lead_id) return undefined
  const [lead] = await holdLeads(ctx, [lead_id])
  return lead
}

async function findKnown(ctx: Context, { input }: Mapped): Promise<Lead | undefined> {
  const keys = (['email', 'phone'] as const).flatMap(key => {
    const value = keyValueOf(input as Partial<Lead>, key)
    return value === undefined ? [] : [{ key, value }]
  })
  // In one trip and in this order: after waiting for the lock, the previous transaction's writes are visible.
  const [, ...found] = await Promise.all([
    lockWords(
      ctx,
      keys.map(({ key, value }) => `lead ${key} ${value}`),
    ),
    ...keys.map(({ key, value }) => findByKey(ctx, key, [value], { lock: true })),
  ])
  return keys.map(({ value }, at) => found[at]!.get(value)).find(lead => lead !== undefined)
}

function madeLead(
  ctx: Context,
  { source, utm }: Sent,
  { input }: Mapped,
  settings: Parameters<typeof newLead>[1],
): Lead | undefined {
  try {
    const made = { id: ctx.newId(), at: ctx.now() }
    const lead = newLead({ source: source.slice(0, SOURCE_LENGTH_MAX), utm, ...input }, settings, made)
    return { ...lead, last_activity_at: made.at }
  } catch (error) {
    // Every value was judged before: what is left is that nobody would know the lead.
    if (error instanceof Problem && error.errors) return undefined
    throw error
  }
}

const SOURCE_LENGTH_MAX = 500
