import { isoAt, type FakeClock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { addWorkingDays } from '#platform/zone.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { createCall } from '#domains/calls/by-hand.ts'
import { addLines, connectCall, endCall, startCall } from '#domains/calls/service.ts'
import { asSpeaker } from '#domains/calls/speaker.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { listLeads } from '#domains/leads/listing.ts'
import { bookMeeting, changeMeeting } from '#domains/meetings/service.ts'
import { DAY_MS, MINUTE_MS } from './calendar.ts'
import type { Member } from './members.ts'

type Line = [speaker: 'agent' | 'caller', text: string]
type Talk = { daysAgo: number; direction: 'inbound' | 'outbound'; outcome: string; lines: Line[] }

const SECONDS_PER_LINE = 11
const MEETING_MIN = 30

const talks: Talk[] = [
  {
    daysAgo: 6,
    direction: 'outbound',
    outcome: 'Wants to see the planner',
    lines: [
      ['agent', 'Hello, this is the front desk of Brightwater. Is this a good moment?'],
      ['caller', 'Two minutes, yes.'],
      ['agent', 'You asked how the planner copes with emergency calls. Shall I tell you, or show you?'],
      ['caller', 'Show me. And bring somebody who knows the import, our technicians are in three lists.'],
      ['agent', 'Gladly. Maya will send you a time this week.'],
      ['caller', 'Good. Mornings are best.'],
    ],
  },
  {
    daysAgo: 1,
    direction: 'inbound',
    outcome: 'Asks for an offer',
    lines: [
      ['agent', 'Brightwater, front desk. How can I help?'],
      ['caller', 'We talked to you in spring. We are forty people now; what would that cost?'],
      ['agent', 'I will have an offer written for forty seats. Is there anything it should mention?'],
      ['caller', 'The on-call plan. That is what we need first.'],
      ['agent', 'Noted: the on-call plan comes first. You will hear from us tomorrow.'],
    ],
  },
]

/** So many working days from now, and at which hour of that day: when both sides of an ocean are awake. */
const ahead = [
  { days: 1, hour: 15, title: 'The planner, for the dispatchers' },
  { days: 2, hour: 16, title: 'Offer for forty seats' },
]

type Around = { agent: Agent; by: Member; now: number }

/**
 * Phone conversations and meetings. No one is called, invited or reminded: the demo contacts no one, whatever
 * is configured.
 */
export async function converse(ctx: Context, clock: FakeClock, { agent, by, now }: Around): Promise<void> {
  const { data } = await listLeads(ctx.as(by), { pipeline_stage: ['Engage_AI'], limit: 8 })
  const leads = data.filter(({ phone }) => phone)
  for (const [at, talk] of talks.entries()) {
    const lead = leads[at]
    if (lead) await hold(ctx, clock, { agent, lead, talk, at: inTheMorning(now, talk.daysAgo) })
  }
  const [, , missed, spoken, ...guests] = leads
  if (missed) await ringInVain(ctx, clock, agent, missed, inTheMorning(now, 3))
  if (spoken) {
    clock.set(isoAt(inTheMorning(now, 2)))
    await createCall(ctx.as(by), {
      lead_id: spoken.id,
      duration_sec: 420,
      outcome: 'Decides with the board',
      notes: 'The board meets on the first of the month. Send the case study before.',
    })
  }
  await meet(ctx, clock, { by, now, guests: [leads[0], ...guests].filter(lead => lead !== undefined) })
}

function inTheMorning(now: number, daysAgo: number): number {
  return now - (now % DAY_MS) - daysAgo * DAY_MS + (9 * 60 + 20) * MINUTE_MS
}

async function hold(
  ctx: Context,
  clock: FakeClock,
  { agent, lead, talk, at }: { agent: Agent; lead: Lead; talk: Talk; at: number },
): Promise<void> {
  clock.set(isoAt(at))
  const call = await ring(ctx, agent, lead, talk.direction)
  const own = await asSpeaker(ctx, call)
  await connectCall(own, call.id, isoAt(at))
  const lineAt = (index: number) => isoAt(at + index * SECONDS_PER_LINE * 1_000)
  const lines = talk.lines.map(([speaker, text], index) => ({
    call_id: call.id,
    ref: `line ${index + 1}`,
    speaker,
    text,
    at: lineAt(index),
  }))
  await addLines(own, lines)
  clock.set(lineAt(lines.length))
  await endCall(own, call.id, { status: 'ENDED', at: lineAt(lines.length), outcome: talk.outcome })
}

/** The last attempt, so that no one is called again. */
async function ringInVain(ctx: Context, clock: FakeClock, agent: Agent, lead: Lead, at: number) {
  clock.set(isoAt(at))
  const call = await ring(ctx, agent, lead, 'outbound', agent.outbound.attempts_max)
  clock.set(isoAt(at + MINUTE_MS))
  await endCall(await asSpeaker(ctx, call), call.id, { status: 'NO_ANSWER', at: isoAt(at + MINUTE_MS) })
}

function ring(ctx: Context, agent: Agent, { id, phone }: Lead, direction: Talk['direction'], attempt = 1) {
  return startCall(ctx, {
    kind: 'agent',
    direction,
    status: 'DIALING',
    lead_id: id,
    agent_id: agent.id,
    agent_version: agent.version,
    user_id: null,
    from: direction === 'inbound' ? phone : agent.phone_number,
    to: direction === 'inbound' ? agent.phone_number : phone,
    provider: 'simulator',
    attempt,
  })
}

async function meet(
  ctx: Context,
  clock: FakeClock,
  { by, now, guests }: { by: Member; now: number; guests: Lead[] },
): Promise<void> {
  const own = ctx.as(by)
  const midnight = now - (now % DAY_MS)
  const wanted = { host_id: by.id, duration_min: MEETING_MIN, origin: 'person', quiet: true } as const
  const [first, ...others] = guests
  if (!first) return
  clock.set(isoAt(now - 5 * DAY_MS))
  const held = await bookMeeting(own, {
    ...wanted,
    lead_id: first.id,
    starts_at: isoAt(midnight - 2 * DAY_MS + 10 * 60 * MINUTE_MS),
    title: 'First look at the planner',
  })
  clock.set(isoAt(now - DAY_MS))
  await changeMeeting(own, held.id, { status: 'HELD' })
  for (const [index, { days, hour, title }] of ahead.entries()) {
    const lead = others[index]
    const starts_at = isoAt(addWorkingDays(midnight, days, 'UTC') + hour * 60 * MINUTE_MS)
    if (lead) await bookMeeting(own, { ...wanted, lead_id: lead.id, starts_at, title })
  }
}
