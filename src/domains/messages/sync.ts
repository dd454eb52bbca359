import { systemContext, type Actor, type Context } from '#platform/context.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import type { DeliveryEvent } from '#platform/ports/delivery-log.ts'
import {
  findAllHeard,
  findByProviderIds,
  findLatestTo,
  findTeamOfRecipient,
  nameByProvider,
  type Heard,
} from './engagement-store.ts'
import * as outcomes from './outcomes.ts'
import { readMessageId } from './compose.ts'

/** What a webhook should have told by now, and so long that a weekend's outage is healed. */
const LOOK_BACK_MS = 48 * 3_600_000
const EVENTS_MAX = 2_000
/** A log that knows no id of ours: a mail of this subject to this address, taken about when we sent it. */
const SAME_MAIL_MS = 10 * 60_000

const provider: Actor = { kind: 'provider', id: null, name: 'email provider' }

export type SyncCounts = {
  delivered: number
  opened: number
  bounces: number
  complained: number
  skipped: number
}

/** Fills gaps: asks the provider what happened to our emails. Known events change nothing. */
export async function syncDeliveries(ctx: Context): Promise<SyncCounts> {
  const counts = { delivered: 0, opened: 0, bounces: 0, complained: 0, skipped: 0 }
  const events = await ctx.runtime.ports.deliveryLog.read(ctx.in(-LOOK_BACK_MS), EVENTS_MAX)
  for (const [team_id, own] of await byTeam(ctx, events.toReversed())) {
    const team = systemContext(ctx.runtime, team_id).as(provider)
    for (const { event, message } of await matched(team, own)) await apply(team, event, message, counts)
  }
  return counts
}

async function byTeam(ctx: Context, events: readonly DeliveryEvent[]): Promise<Map<string, DeliveryEvent[]>> {
  const teams = new Map<string, DeliveryEvent[]>()
  const recipients = new Map<string, string | undefined>()
  for (const event of events) {
    const { message_id, to } = event
    let team_id = message_id ? readMessageId(message_id)?.team_id : undefined
    if (team_id === undefined) {
      if (!recipients.has(to)) recipients.set(to, await findTeamOfRecipient(ctx, to))
      team_id = recipients.get(to)
    }
    if (team_id !== undefined) teams.set(team_id, [...(teams.get(team_id) ?? []), event])
  }
  return teams
}

type Matched = { event: DeliveryEvent; message: Heard }

/** Found many at a time: hardly any of them is news. */
async function matched(ctx: Context, events: readonly DeliveryEvent[]): Promise<Matched[]> {
  const idOf = ({ message_id }: DeliveryEvent) => (message_id ? readMessageId(message_id)?.id : undefined)
  const ids = new Map(
    (
      await findAllHeard(
        ctx,
        events.flatMap(event => idOf(event) ?? []),
      )
    ).map(byId),
  )
  const unnamed = events.filter(event => !ids.has(idOf(event) ?? ''))
  const providerIds = unnamed.flatMap(({ provider_id }) => provider_id ?? [])
  const provided = new Map(
    (await findByProviderIds(ctx, providerIds)).map(message => [message.provider_id!, message]),
  )
  const found: Matched[] = []
  for (const event of events) {
    const message =
      ids.get(idOf(event) ?? '') ??
      provided.get(event.provider_id ?? '') ??
      // An id that is like ours and unknown is of a message that is gone.
      (idOf(event) === undefined ? await findAlike(ctx, event) : undefined)
    if (message) found.push({ event, message })
  }
  return found
}

async function findAlike(ctx: Context, { to, subject, sent_at }: DeliveryEvent): Promise<Heard | undefined> {
  const at = Date.parse(sent_at)
  if (Number.isNaN(at)) return undefined
  const between = [
    new Date(at - SAME_MAIL_MS).toISOString(),
    new Date(at + SAME_MAIL_MS).toISOString(),
  ] as const
  return findLatestTo(ctx, { channel: 'email', address: to, subjects: [subject], between })
}

/** One report that cannot be taken holds up no other. */
async function apply(ctx: Context, event: DeliveryEvent, message: Heard, counts: SyncCounts): Promise<void> {
  try {
    if (isNews(event, message)) await note(ctx, event, message, counts)
    const { provider_id } = event
    if (provider_id && !message.provider_id)
      await ctx.transaction(async ctx => nameByProvider(ctx, message, provider_id))
  } catch (error) {
    if (isConnectionLoss(error)) throw error
    ctx.log.warn({ err: error, message: message.id }, 'a delivery event could not be recorded')
    counts.skipped++
  }
}

/** Asked before anything is locked: every few minutes the same is told again. */
function isNews({ type }: DeliveryEvent, message: Heard): boolean {
  if (message.status === 'UNKNOWN') return true
  if (type === 'bounced') return message.bounced_at === null
  if (type === 'complained') return message.complained_at === null
  return message.delivered_at === null || (type === 'opened' && message.opened_at === null)
}

/** The log tells the last thing that happened: what was opened has arrived. */
async function note(
  ctx: Context,
  { type }: DeliveryEvent,
  message: Heard,
  counts: SyncCounts,
): Promise<void> {
  if (type === 'bounced') {
    // It does not say whether for good: the outreach ends, and the address is not judged.
    const reason = 'The provider reported a bounce.'
    if (await outcomes.noteBounce(ctx, message, { permanent: false, reason })) counts.bounces++
    return
  }
  if (await outcomes.noteDelivered(ctx, message)) counts.delivered++
  if (type === 'opened' && (await outcomes.noteOpened(ctx, message, { machine: false }))) counts.opened++
  if (type === 'complained' && (await outcomes.noteComplained(ctx, message))) counts.complained++
}

function byId(message: Heard): [string, Heard] {
  return [message.id, message]
}
