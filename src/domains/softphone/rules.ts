import type { Context } from '#platform/context.ts'
import { isoAt } from '#platform/clock.ts'
import { Problem } from '#platform/problem.ts'
import { whereaboutsOf, whereInWords } from '#platform/phone-zones.ts'
import { nextOutside, wallTime } from '#platform/zone.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { consentOf } from '#domains/calls/consents.ts'
import { findLiveOfLead } from '#domains/calls/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { findSuppression } from '#domains/suppressions/service.ts'
import * as store from './store.ts'
import { LIVE_CALLS_MAX, type Refusal } from './values.ts'

export type Wanted = {
  lead?: Lead | undefined
  number: string | null
  agent: Pick<Agent, 'outbound'>
  at: string
}
export type Refused = { refusal: Refusal; message: string; next_at?: string }

/** Rounds in which a moment is looked for that is quiet nowhere; each leaves at least one zone's quiet hours behind. */
const ROUNDS_MAX = 100

/**
 * Everything that speaks against an agent's calling at that time, what weighs most first; nothing where it may. Asked in
 * the transaction of the call, so that what it says still holds then.
 */
export async function refusalsOf(ctx: Context, wanted: Wanted): Promise<Refused[]> {
  const person = await refusalOfPerson(ctx, wanted)
  const load = wanted.number === null ? undefined : await refusalOfLoad(ctx, wanted)
  return [refusalOfLine(ctx), person, refusalOfTime(wanted), load].filter(refused => refused !== undefined)
}

/** Permanent reasons: there is no number, or they have opted out. */
export async function refusalOfPerson(ctx: Context, wanted: Wanted): Promise<Refused | undefined> {
  const { lead, number, agent } = wanted
  const who = whoOf(wanted)
  if (!number) return { refusal: 'no_phone', message: `${who} has no phone number.` }
  const suppression = await suppressionOf(ctx, number, lead?.email ?? null)
  if (suppression) {
    const { address, reason } = suppression
    return {
      refusal: 'suppressed',
      message: `${address} is on the suppression list (${reason}).`,
    }
  }
  const given = lead ? (await consentOf(ctx, lead.id)).given : null
  if (given === false) return { refusal: 'no_consent', message: `${who} has opted out of calls by an agent.` }
  if (given === null && agent.outbound.consent === 'required') {
    const message = lead
      ? `${who} has not agreed to be called by an agent.`
      : `No lead has the number ${number}, so there is no consent to call it.`
    return { refusal: 'no_consent', message }
  }
  return undefined
}

/**
 * Quiet hours are those of the place where the lead is; where only the number tells, those of every zone that it may
 * be in.
 */
export function refusalOfTime(wanted: Wanted): Refused | undefined {
  const { agent, at, lead, number } = wanted
  const { quiet_hours } = agent.outbound
  if (!quiet_hours) return undefined
  const { from, until } = quiet_hours
  const where = whereaboutsOf(lead?.timezone, number)
  const ms = Date.parse(at)
  const quiet = where.zones.find(zone => nextOutside(ms, from, until, zone) > ms)
  if (quiet === undefined) return undefined
  const next = nextOutsideAll(ms, from, until, where.zones)
  const time = wallTime(ms, quiet).toISOString().slice(11, 16)
  const it = where.zones.length === 1 ? `It is ${time} there` : `It may be ${time} there`
  const never =
    next === undefined ? " Set the lead's time zone: these quiet hours leave no time to call." : ''
  return {
    refusal: 'quiet_hours',
    message: `${it} (${whereInWords(where)}), and quiet hours are from ${from} to ${until}.${never}`,
    ...(next !== undefined && { next_at: isoAt(next) }),
  }
}

/** Refusals as the caller of the API reads them: the first names the problem, all of them are told. */
export function refusalProblem(refused: readonly Refused[]): Problem {
  const [first] = refused as [Refused]
  const next_at = refused.find(({ next_at }) => next_at)?.next_at
  const errors = [
    ...(refused.length > 1 ? refused.map(({ refusal, message }) => ({ path: refusal, message })) : []),
    ...(next_at ? [{ path: 'scheduled_at', message: `is possible from ${next_at}` }] : []),
  ]
  const message = refused.map(({ message }) => message).join(' ')
  return new Problem('conflict', message, { code: first.refusal, ...(errors.length > 0 && { errors }) })
}

/** The time zone in which an agent speaks: the lead's, or its phone number's if that is unambiguous. */
export function zoneOf(lead: Pick<Lead, 'timezone' | 'phone'> | undefined, number?: string | null): string {
  const { zones } = whereaboutsOf(lead?.timezone, number ?? lead?.phone)
  return zones.length === 1 ? zones[0]! : 'UTC'
}

/** The first moment from this one on that is quiet in none of these zones; undefined where there is none. */
function nextOutsideAll(
  ms: number,
  from: string,
  until: string,
  zones: readonly string[],
): number | undefined {
  let at = ms
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const later = zones.reduce((time, zone) => nextOutside(time, from, until, zone), at)
    if (later === at) return at
    at = later
  }
  return undefined
}

function refusalOfLine({ runtime }: Context): Refused | undefined {
  const { dialFault } = runtime.ports.voice
  return dialFault === null ? undefined : { refusal: 'no_line', message: dialFault }
}

async function refusalOfLoad(ctx: Context, wanted: Wanted): Promise<Refused | undefined> {
  const { lead, number } = wanted
  const busy =
    (await store.isAttendedTo(ctx, lead?.id ?? null, number!)) ||
    (lead && (await findLiveOfLead(ctx, lead.id)) !== undefined)
  if (busy) return { refusal: 'on_a_call', message: `${whoOf(wanted)} is already on a call with us.` }
  if ((await store.countLive(ctx)) < LIVE_CALLS_MAX) return undefined
  return {
    refusal: 'too_many_calls',
    message: `This team already has ${LIVE_CALLS_MAX} active calls, the maximum.`,
  }
}

/** An address whose mails do not arrive says nothing about the telephone; any other reason does. */
async function suppressionOf(ctx: Context, number: string, email: string | null) {
  const byPhone = await findSuppression(ctx, 'phone', number)
  if (byPhone || email === null) return byPhone
  const byMail = await findSuppression(ctx, 'email', email)
  return byMail?.reason === 'bounced' ? undefined : byMail
}

function whoOf({ lead, number }: Wanted): string {
  return lead ? nameOf(lead) : (number ?? 'Nobody')
}
