import type { Context } from '#platform/context.ts'
import { checkCustomFields } from '#platform/custom-fields.ts'
import { atOnce } from '#platform/database/at-once.ts'
import { findEvent } from '#platform/event-log.ts'
import { record, type Event, type Telling } from '#platform/events.ts'
import { isRefusal, Problem, type Fault } from '#platform/problem.ts'
import { difference, filledFields } from '#platform/records.ts'
import { teamMemory } from '#platform/team-memory.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { livingAccounts } from '#domains/accounts/service.ts'
import { membersAmong } from '#domains/identity/members.ts'
import {
  dealStageChanged,
  leadChanged,
  leadCreated,
  leadNoted,
  leadSettingsChanged,
  type Lead,
  type LeadChange,
  type LeadSettings,
  type NewLead,
} from './contract.ts'
import { countByStage } from './counts.ts'
import { initialSettings, repairedStage, newLead, wantedFields } from './model.ts'
import { track, trackActivity } from './states.ts'
import * as store from './store.ts'
import { records } from './store.ts'

const SETTINGS_REMEMBERED_MS = 2_000
const settingsMemory = teamMemory<LeadSettings>(SETTINGS_REMEMBERED_MS)

export async function createLead(ctx: Context, input: NewLead): Promise<Lead> {
  return ctx.transaction(async ctx => {
    const made = { id: ctx.newId(), at: ctx.now() }
    const lead = newLead(input, await recentSettings(ctx), made, await referenceFaults(ctx, input))
    records.insert(ctx, lead)
    record(ctx, leadCreated, records.about(lead), { lead: filledFields(lead) })
    return lead
  })
}

export { findLeadIdsByAddress, findShared, findTimezones } from './store.ts'

export const getLead = records.get
export const findLeads = records.findAll
export const trashLead = records.trash
export const purgeTrash = records.purge

/** One that is alive, if there is one. */
export const findLead = atOnce<string, Lead | undefined>(async (ctx, ids) => {
  const found = new Map((await findLeads(ctx, [...new Set(ids)])).map(lead => [lead.id, lead]))
  return ids.map(id => (found.get(id)?.deleted_at ? undefined : found.get(id)))
})

/** Of these leads, those that another record may name. */
export async function livingLeads(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  return new Set(await store.findLiving(ctx, [...new Set(ids)]))
}

export async function changeLead(
  ctx: Context,
  id: string,
  change: LeadChange,
  ifMatch?: string,
): Promise<Lead> {
  return ctx.transaction(async ctx => {
    const lead = await records.getForChange(ctx, id, ifMatch)
    const found = await referenceFaults(ctx, change)
    const changed = records.change(ctx, lead, wantedFields(lead, change, await getSettings(ctx), found))
    recordStageChange(ctx, lead, changed)
    return changed
  })
}

/**
 * Many at once, each by its own doer and in the order given, also where several are of the same lead. What is wrong with
 * one is answered in its place without a hindrance to the others.
 */
export async function changeLeads(
  ctx: Context,
  wanted: readonly { ctx: Context; id: string; change: LeadChange }[],
): Promise<(Lead | Problem)[]> {
  ctx.transactionOrThrow()
  if (wanted.length === 0) return []
  const before = await records.lockAll(ctx, [...new Set(wanted.map(({ id }) => id))])
  const versions = new Map(before.map(lead => [lead.id, nextVersion(lead.updated_at, ctx.now())]))
  const leads = new Map(before.map(lead => [lead.id, lead]))
  const settings = await getSettings(ctx)
  const faults = await referenceFaultsIn(
    ctx,
    wanted.map(({ change }) => change),
  )
  const changed = new Map<string, Partial<Lead>>()
  const answers = wanted.map(({ ctx: by, id, change }, at) => {
    const lead = leads.get(id)
    const fields = judged(lead, change, settings, faults[at]!)
    if (fields instanceof Problem) return fields
    const changes = difference(lead!, fields)
    if (!changes) return lead!
    const after = { ...lead!, ...changes.after, updated_at: versions.get(id)! }
    record(by, leadChanged, records.about(after), changes)
    recordStageChange(by, lead!, after)
    track(ctx, lead, after)
    leads.set(id, after)
    changed.set(id, { ...changed.get(id), ...changes.after, updated_at: after.updated_at })
    return after
  })
  records.updateEach(
    ctx,
    [...changed].map(([id, fields]) => ({ id, fields })),
  )
  return answers
}

/** A stage that was removed meanwhile gives way to the first one: nothing comes back to where no board shows it. */
export async function restoreLead(ctx: Context, id: string): Promise<Lead> {
  return records.restore(ctx, id, async (ctx, lead) => {
    const mended = repairedStage(lead, await getSettings(ctx))
    recordStageChange(ctx, lead, { ...lead, ...mended })
    return mended
  })
}

export async function noteLead(ctx: Context, id: string, text: string): Promise<Event> {
  return ctx.transaction(async ctx => {
    const lead = await getLead(ctx, id)
    return record(ctx, leadNoted, records.about(lead), { text })
  })
}

export async function getNote(ctx: Context, id: string): Promise<Event> {
  const event = await findEvent(ctx, id)
  if (event?.type !== leadNoted.type) throw new Problem('not_found', 'No such note.')
  await getLead(ctx, event.subject_id)
  return event
}

/** Those of them that are alive, held until the transaction ends: nobody else changes them meanwhile. */
export async function holdLeads(ctx: Context, ids: readonly string[]): Promise<Lead[]> {
  return (await records.lockAll(ctx, ids)).filter(({ deleted_at }) => deleted_at === null)
}

export type LeadActivity = {
  ctx: Context
  lead: Lead
  at: string
  fields: Partial<Pick<Lead, 'status' | 'call_status'>>
}

/**
 * Applies other domains' activity to locked leads, each by its own actor: status changes and the time of the
 * last activity.
 */
export function moveLeads(ctx: Context, happenings: readonly LeadActivity[]): void {
  store.noteActivity(
    ctx,
    happenings.map(({ ctx: by, lead, at, fields }) => {
      const { last_activity_at: before } = lead
      const touched = { last_activity_at: before !== null && before > at ? before : at }
      const changes = difference(lead, fields)
      if (!changes) {
        trackActivity(ctx, lead.id)
        return { id: lead.id, fields: touched }
      }
      record(by, leadChanged, records.about(lead), changes)
      const updated_at = nextVersion(lead.updated_at, ctx.now())
      track(ctx, lead, { ...lead, ...changes.after, ...touched, updated_at })
      return { id: lead.id, fields: { ...changes.after, ...touched, updated_at } }
    }),
  )
}

/** Any domain's activity with a lead moves it up in the list. */
export async function touchLead(ctx: Context, id: string, at: string): Promise<void> {
  store.touchLead(ctx, id, at)
}

export async function getSettings(ctx: Context): Promise<LeadSettings> {
  return (await store.findSettings(ctx)) ?? { ...initialSettings, updated_at: new Date(0).toISOString() }
}

/** For checking a single lead: another process may have changed the settings a moment ago, as it may a moment later. */
export async function recentSettings(ctx: Context): Promise<LeadSettings> {
  return settingsMemory.get(ctx, () => getSettings(ctx))
}

type SettingsChange = Partial<Pick<LeadSettings, 'pipeline_stages' | 'custom_fields'>>

/** A stage can be removed only if it has no leads: nothing may vanish from the board. */
export async function changeSettings(
  ctx: Context,
  change: SettingsChange,
  ifMatch?: string,
): Promise<LeadSettings> {
  return ctx.transaction(async ctx => {
    await store.lockSettings(ctx)
    const before = unchangedSince(await getSettings(ctx), ifMatch)
    const after = { ...before, ...change, updated_at: nextVersion(before.updated_at, ctx.now()) }
    checkCustomFields(after.custom_fields)
    await checkStagesUnused(
      ctx,
      before.pipeline_stages.filter(stage => !after.pipeline_stages.includes(stage)),
    )
    store.saveSettings(ctx, after)
    ctx.afterCommit(() => settingsMemory.forget(ctx))
    record(ctx, leadSettingsChanged, { kind: 'lead_settings', id: ctx.team_id }, { before, after })
    return after
  })
}

/**
 * Workflows hear of a stage in the same words, whether a lead's or an opportunity's. The timeline and those who look on
 * have it from `lead.changed` already.
 */
export function recordStageChange(ctx: Context, before: Lead, after: Lead, telling: Telling = {}): void {
  if (before.pipeline_stage === after.pipeline_stage) return
  const data = {
    of: 'lead' as const,
    before: { stage: before.pipeline_stage },
    after: { stage: after.pipeline_stage },
  }
  record(ctx, dealStageChanged, { kind: 'lead', id: after.id }, data, { ...telling, silent: true })
}

/** A lead points only at what its own team has. */
export async function referenceFaults(ctx: Context, change: LeadChange): Promise<Fault[]> {
  return (await referenceFaultsIn(ctx, [change]))[0]!
}

async function referenceFaultsIn(ctx: Context, changes: readonly LeadChange[]): Promise<Fault[][]> {
  const people = await membersAmong(
    ctx,
    changes.flatMap(({ owner_id }) => owner_id ?? []),
  )
  const accounts = await livingAccounts(
    ctx,
    changes.flatMap(({ account_id }) => account_id ?? []),
  )
  return changes.map(({ owner_id, account_id }) => [
    ...(owner_id && !people.has(owner_id)
      ? [{ path: 'owner_id', message: 'is not a member of this team' }]
      : []),
    ...(account_id && !accounts.has(account_id)
      ? [{ path: 'account_id', message: 'is not an account in this team' }]
      : []),
  ])
}

/** What the change comes to, or why it cannot be. */
function judged(
  lead: Lead | undefined,
  change: LeadChange,
  settings: LeadSettings,
  faults: Fault[],
): Partial<Lead> | Problem {
  try {
    return wantedFields(records.alive(lead), change, settings, faults)
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

async function checkStagesUnused(ctx: Context, stages: string[]): Promise<void> {
  if (stages.length === 0) return
  const used = await countByStage(ctx, { pipeline_stage: stages })
  if (used.length === 0) return
  const list = used.map(({ stage, count }) => `${stage} (${count})`).join(', ')
  throw new Problem('conflict', `These stages still have leads: ${list}. Move them first.`, {
    code: 'stage_in_use',
  })
}
