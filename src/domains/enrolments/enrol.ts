import type { Context } from '#platform/context.ts'
import { isoAt } from '#platform/clock.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLeads } from '#domains/leads/service.ts'
import { senderOf } from '#domains/messages/settings.ts'
import type { Sequence } from '#domains/sequences/contract.ts'
import { enrolmentObstacles, findSequences, getSequence, warningsOf } from '#domains/sequences/service.ts'
import { findSuppressed } from '#domains/suppressions/service.ts'
import { missingOf } from './content.ts'
import { enrolmentEvents, type Enrolment, type EnrolmentReview, type LeadIds } from './contract.ts'
import { aboutEnrolment, StepEffects } from './effects.ts'
import { findLetters } from './letters.ts'
import * as store from './store.ts'
import type { EnrolmentRow } from './store.ts'
import { dueAfter, zoneOf } from './timing.ts'

/** Who would be enrolled, and who not, and why. Nothing is done. */
export async function reviewEnrolment(ctx: Context, name: string, input: LeadIds): Promise<EnrolmentReview> {
  const sequence = await getSequence(ctx, name)
  const { good, ...refused } = await sortOut(ctx, sequence, input)
  const ids = good.map(({ id }) => id)
  const [others, missing, warnings] = await Promise.all([
    inOthers(ctx, sequence, ids),
    missingIn(ctx, sequence, good),
    warningsOf(ctx, sequence.steps),
  ])
  return { will_enrol: ids, ...refused, in_another: others, missing, warnings }
}

export type Enrolled = {
  data: Enrolment[]
  skipped: { lead_id: string; reason: string }[]
  unknown: number
}

/** Enrols the leads that can be enrolled, and says why the others cannot. */
export async function enrolLeads(ctx: Context, name: string, input: LeadIds): Promise<Enrolled> {
  return ctx.transaction(async ctx => {
    const sequence = await getSequence(ctx, name)
    await refuseUnready(ctx, sequence)
    const { good, unknown, ...refused } = await sortOut(ctx, sequence, input)
    const rows = good.map(lead => newRow(ctx, sequence, lead))
    const made = await store.insertEnrolments(ctx, rows)
    const doings = new StepEffects(ctx)
    const data: Enrolment[] = []
    for (const row of rows.filter(({ id }) => made.has(id))) {
      const lead = good.find(({ id }) => id === row.lead_id)!
      data.push(begin(ctx, doings, sequence, row, lead))
    }
    doings.write()
    return { data: data.map(asEnrolment), skipped: [...skippedOf(refused), ...lateOf(rows, made)], unknown }
  })
}

/** What a caller sees of a row. */
export function asEnrolment(row: Enrolment): Enrolment {
  return Object.fromEntries(store.enrolmentColumns.map(column => [column, row[column]])) as Enrolment
}

/** The first wait of an enrolment: it falls due after the delay of the first step. */
export function begin(
  ctx: Context,
  doings: StepEffects,
  sequence: Sequence,
  row: EnrolmentRow,
  lead: Lead,
): EnrolmentRow {
  doings.note(row, 'enrolled', `Enrolled in ${sequence.name}.`)
  const told = { sequence_id: sequence.id, sequence_name: sequence.name }
  record(ctx, enrolmentEvents.enrolled, aboutEnrolment(row), told)
  if (sequence.status !== 'ACTIVE')
    return doings.hold(row, 'sequence_paused', null, 'The sequence is not active yet.')
  const { settings, steps } = sequence
  const due = dueAfter(ctx.runtime.clock.now(), steps[0], settings, zoneOf(lead, settings))
  return doings.waitUntil(row, isoAt(due), { status: 'PENDING' })
}

type Sorted = Pick<EnrolmentReview, 'suppressed' | 'already' | 'no_address' | 'unknown'> & { good: Lead[] }

async function sortOut(ctx: Context, sequence: Sequence, { lead_ids, again }: LeadIds): Promise<Sorted> {
  const found = (await findLeads(ctx, lead_ids)).filter(({ deleted_at }) => !deleted_at)
  if (found.length === 0) throw new Problem('not_found', 'None of these IDs is a lead in this team.')
  const addresses = (field: 'email' | 'phone') => found.flatMap(lead => lead[field] ?? [])
  const [inIt, emails, phones] = await Promise.all([
    store.findInSequence(
      ctx,
      sequence.id,
      found.map(({ id }) => id),
    ),
    findSuppressed(ctx, 'email', addresses('email')),
    findSuppressed(ctx, 'phone', addresses('phone')),
  ])
  const already = new Set(inIt.filter(({ ended_at }) => !ended_at || !again).map(({ lead_id }) => lead_id))
  const sorted: Sorted = { good: [], suppressed: [], already: [], no_address: [], unknown: 0 }
  const known = new Map(found.map(lead => [lead.id, lead]))
  for (const id of lead_ids) {
    const lead = known.get(id)
    if (!lead) sorted.unknown++
    else if (already.has(id)) sorted.already.push(id)
    else if (isSuppressed(lead, emails, phones)) sorted.suppressed.push(id)
    else if (!canBeReached(sequence, lead)) sorted.no_address.push(id)
    else sorted.good.push(lead)
  }
  return sorted
}

/** A lead suppressed on one of the channels is not enrolled: the sequence would end there anyway. */
function isSuppressed({ email, phone }: Lead, emails: Set<string>, phones: Set<string>): boolean {
  return Boolean((email && emails.has(email.toLowerCase())) || (phone && phones.has(phone)))
}

function canBeReached({ steps }: Sequence, { email, phone }: Lead): boolean {
  const types = new Set(steps.map(({ type }) => type))
  if (types.has('task') || (!types.has('email') && !types.has('sms'))) return true
  return Boolean((types.has('email') && email) || (types.has('sms') && phone))
}

async function inOthers(ctx: Context, sequence: Sequence, leads: string[]) {
  const others = leads.length > 0 ? await store.findInOthers(ctx, sequence.id, leads) : []
  const sequences = await findSequences(ctx, [...new Set(others.map(({ sequence_id }) => sequence_id))])
  const names = new Map(sequences.map(({ id, name }) => [id, name]))
  return others.map(({ lead_id, sequence_id }) => ({
    lead_id,
    sequence_id,
    sequence_name: names.get(sequence_id) ?? '',
  }))
}

/** Placeholders without a default that have no value, and for which leads. */
async function missingIn(ctx: Context, { steps }: Sequence, leads: readonly Lead[]) {
  const [letters, sender] = await Promise.all([findLetters(ctx, steps), senderOf(ctx)])
  const byName = new Map<string, string[]>()
  for (const lead of leads) {
    for (const name of missingOf(ctx, steps, lead, letters, sender))
      byName.set(name, [...(byName.get(name) ?? []), lead.id])
  }
  return [...byName].map(([placeholder, lead_ids]) => ({ placeholder, lead_ids }))
}

async function refuseUnready(ctx: Context, { steps }: Sequence): Promise<void> {
  if (steps.length === 0) {
    throw new Problem('conflict', 'This sequence has no steps yet.', { code: 'nothing_to_do' })
  }
  const found = await enrolmentObstacles(ctx, steps)
  if (found.length === 0) return
  const missing = found.find(({ kind }) => kind === 'no_template')
  const message = missing
    ? `${missing.message} Leads can be enrolled once it exists.`
    : `${found[0]!.message} Leads can be enrolled once this is fixed.`
  throw new Problem('conflict', message, {
    code: missing ? 'template_missing' : 'sequence_not_ready',
    errors: found.map(({ path, message }) => ({ path, message })),
  })
}

function skippedOf(refused: Omit<Sorted, 'good' | 'unknown'>): Enrolled['skipped'] {
  return Object.entries(refused).flatMap(([reason, leads]) => leads.map(lead_id => ({ lead_id, reason })))
}

/** Somebody else enrolled them in the same moment. */
function lateOf(rows: readonly EnrolmentRow[], made: ReadonlySet<string>): Enrolled['skipped'] {
  return rows.filter(({ id }) => !made.has(id)).map(({ lead_id }) => ({ lead_id, reason: 'already' }))
}

function newRow(ctx: Context, { id: sequence_id, version }: Sequence, lead: Lead): EnrolmentRow {
  const at = ctx.now()
  return {
    team_id: ctx.team_id,
    id: ctx.newId(),
    lead_id: lead.id,
    sequence_id,
    version,
    status: 'IDLE',
    step_index: 0,
    round: 0,
    next_step_at: null,
    wait_id: null,
    message_id: null,
    held: null,
    stop_reason: null,
    paused_at: null,
    slot_on: null,
    enrolled_by: ctx.actor.kind === 'person' ? ctx.actor.id : null,
    started_at: null,
    sent_at: null,
    opened_at: null,
    clicked_at: null,
    replied_at: null,
    booked_at: null,
    converted_at: null,
    ended_at: null,
    created_at: at,
    updated_at: at,
  }
}
