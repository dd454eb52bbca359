import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { seal } from '#platform/seal.ts'
import { membersByEmail } from '#domains/identity/members.ts'
import { findLeads, findShared, trashLead } from '#domains/leads/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { isOnThePhone } from '#domains/softphone/service.ts'
import { erasureStarted, personalDataRead, type Erasure, type PersonalData } from './contract.ts'
import * as store from './store.ts'
import { knownBy, patternOf } from './words.ts'

export const ERASE_JOB = 'erasures.erase'
/** Purpose of the seal on the identifiers while the erasure runs. */
export const WORDS_PURPOSE = 'erasure'

export async function readPersonalData(ctx: Context, lead_id: string): Promise<PersonalData> {
  const lead = await getAny(ctx, lead_id)
  const pattern = await patternFor(ctx, lead)
  const data: PersonalData['data'] = {}
  for (const table of await store.listTables(ctx)) {
    const rows = await store.readIn(ctx, table, lead_id, pattern)
    if (rows.length > 0) data[table] = rows
  }
  await ctx.transaction(async ctx => void record(ctx, personalDataRead, aboutLead(lead_id), {}))
  return { lead_id, made_at: ctx.now(), data }
}

/** The lead goes into the trash at once, which ends its sequences and workflows; a job takes the person out of every table. */
export async function eraseLead(
  ctx: Context,
  lead_id: string,
  confirm: string,
): Promise<{ erasure_id: string }> {
  return ctx.transaction(async ctx => {
    const known = await store.findOfLead(ctx, lead_id)
    if (known) return goOn(ctx, known)
    const lead = await getAny(ctx, lead_id)
    refuseUnconfirmed(lead, confirm)
    if (await isOnThePhone(ctx, lead_id))
      throw new Problem(
        'conflict',
        'There is an active call with this person. Try again when it has ended.',
        {
          code: 'call_under_way',
        },
      )
    const words = seal(ctx.runtime.settings, WORDS_PURPOSE, await patternFor(ctx, lead))
    const erasure = newErasure(ctx, lead_id)
    if (!(await store.insert(ctx, erasure, words)))
      return { erasure_id: (await store.findOfLead(ctx, lead_id))!.id }
    if (!lead.deleted_at) await trashLead(ctx, lead_id)
    record(ctx, erasureStarted, aboutLead(lead_id), {})
    begin(ctx, erasure.id)
    return { erasure_id: erasure.id }
  })
}

/** An erasure that failed starts over; the lead may be gone by then. */
function goOn(ctx: Context, { id, status }: Erasure): { erasure_id: string } {
  if (status === 'FAILED') {
    store.update(ctx, id, { status: 'RUNNING' })
    begin(ctx, id)
  }
  return { erasure_id: id }
}

function begin(ctx: Context, id: string): void {
  enqueue(ctx, { kind: ERASE_JOB, data: { id, pass: 1, at: 0 } })
}

export async function listErasures(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const before = cursor ? decodeInstantCursor(cursor)[1] : undefined
  return pageOf(await store.list(ctx, limit + 1, before), limit)
}

export async function readErasure(ctx: Context, id: string): Promise<Erasure> {
  const erasure = await store.find(ctx, id)
  if (!erasure) throw new Problem('not_found', 'No such erasure.')
  return erasure
}

/** Also one in the trash: it is kept for thirty days. */
async function getAny(ctx: Context, id: string): Promise<Lead> {
  const [lead] = await findLeads(ctx, [id])
  if (!lead) throw new Problem('not_found', 'No such lead.')
  return lead
}

/** What another lead or a member of the team is known by as well tells nobody apart, and is left as it is. */
async function patternFor(ctx: Context, lead: Lead): Promise<string> {
  const known = knownBy(lead)
  const shared = await findShared(ctx, lead.id, known)
  const isMember = known.email !== null && (await membersByEmail(ctx, [known.email.toLowerCase()])).size > 0
  return patternOf({
    email: shared.email || isMember ? null : known.email,
    phone: shared.phone ? null : known.phone,
    name: shared.name ? null : known.name,
  })
}

function refuseUnconfirmed({ id, email, first_name, last_name }: Lead, confirm: string): void {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  const accepted = [email, name].filter(Boolean) as string[]
  const said = confirm.trim().toLowerCase()
  if ((accepted.length > 0 ? accepted : [id]).some(text => text.toLowerCase() === said)) return
  const wanted = email ? "the lead's email address" : name ? "the lead's name" : "the lead's ID"
  throw invalid([{ path: 'confirm', message: `must be ${wanted}` }])
}

function newErasure(ctx: Context, lead_id: string): Erasure {
  return {
    id: ctx.newId(),
    lead_id,
    status: 'RUNNING',
    counts: {},
    requested_by: ctx.principal?.user_id ?? null,
    created_at: ctx.now(),
    erased_at: null,
  }
}

export function aboutLead(lead_id: string) {
  return { kind: 'lead', id: lead_id, lead_id }
}
