import type { Context } from '#platform/context.ts'
import { isoAt } from '#platform/clock.ts'
import { Problem } from '#platform/problem.ts'
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
export type Verdict = { ok: true } | Refused

const FALLBACK_ZONE = 'UTC'

/** Whether an agent may call at that time. Asked in the transaction of the call, so that what it says still holds then. */
export async function mayCall(ctx: Context, wanted: Wanted): Promise<Verdict> {
  const refused =
    refusalOfLine(ctx) ??
    (await refusalOfPerson(ctx, wanted)) ??
    refusalOfTime(wanted) ??
    (await refusalOfLoad(ctx, wanted))
  return refused ?? { ok: true }
}

/** What does not pass by itself: there is no number, or they do not want to be called. */
export async function refusalOfPerson(ctx: Context, wanted: Wanted): Promise<Refused | undefined> {
  const { lead, number, agent } = wanted
  const who = whoOf(wanted)
  if (!number) return { refusal: 'no_phone', message: `${who} has no phone number.` }
  const suppression = await suppressionOf(ctx, number, lead?.email ?? null)
  if (suppression) {
    const { address, reason } = suppression
    return {
      refusal: 'suppressed',
      message: `${address} is on the list of those not to be contacted (${reason}).`,
    }
  }
  const given = lead ? (await consentOf(ctx, lead.id)).given : null
  if (given === false)
    return { refusal: 'no_consent', message: `${who} does not want to be called by an agent.` }
  if (given === null && agent.outbound.consent === 'required') {
    const message = lead
      ? `${who} has not agreed to be called by an agent.`
      : `No lead has the number ${number}, so that nobody has agreed to be called there.`
    return { refusal: 'no_consent', message }
  }
  return undefined
}

/** Quiet hours are those of the place where the lead is, as far as it is known. */
export function refusalOfTime(wanted: Wanted): Refused | undefined {
  const { agent, at, lead } = wanted
  const { quiet_hours } = agent.outbound
  if (!quiet_hours) return undefined
  const { from, until } = quiet_hours
  const zone = zoneOf(lead)
  const ms = Date.parse(at)
  const next = nextOutside(ms, from, until, zone)
  if (next === ms) return undefined
  const time = wallTime(ms, zone).toISOString().slice(11, 16)
  return {
    refusal: 'quiet_hours',
    message: `It is ${time} there (${zone}), and from ${from} until ${until} nobody is called.`,
    next_at: isoAt(next),
  }
}

/** Refusals as the caller of the API reads them. */
export function refusalProblem({ refusal, message, next_at }: Refused): Problem {
  const errors = next_at && [{ path: 'scheduled_at', message: `is possible from ${next_at} on` }]
  return new Problem('conflict', message, { code: refusal, ...(errors && { errors }) })
}

/** A zone that this machine does not know is as good as none. */
export function zoneOf(lead: Pick<Lead, 'timezone'> | undefined): string {
  const zone = lead?.timezone
  if (!zone) return FALLBACK_ZONE
  try {
    wallTime(0, zone)
    return zone
  } catch {
    return FALLBACK_ZONE
  }
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
  if (busy) return { refusal: 'on_a_call', message: `${whoOf(wanted)} is on a call with us already.` }
  if ((await store.countLive(ctx)) < LIVE_CALLS_MAX) return undefined
  return {
    refusal: 'too_many_calls',
    message: `${LIVE_CALLS_MAX} calls of this team go on at once: no more begin.`,
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
