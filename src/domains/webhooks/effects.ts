import type { Actor, Context } from '#platform/context.ts'
import { eventOfJob } from '#platform/event-log.ts'
import { releaseAutomations, type EventOf } from '#platform/events.ts'
import type { Reaction } from '#platform/registry.ts'
import type { SignedEndpoint } from '#platform/signature.ts'
import { inboundEvents } from './contract.ts'
import * as store from './store.ts'
import type { InboundType } from './values.ts'

export type Inbound = EventOf<(typeof inboundEvents)[InboundType]>

/**
 * How a part of the product handled an event: the record it was about, or none that it knows; and the lead it
 * concerns.
 */
export type Outcome = { matched: boolean; note?: string; lead_id?: string | null }

/** The timeline shows which provider it was. */
export function providerActor(endpoint: SignedEndpoint): Actor {
  return { kind: 'provider', id: null, name: `${endpoint} provider` }
}

/**
 * How a domain handles a provider's event. The effect, its entry in the inbox and the end of the job are one
 * transaction. An effect is never repeated, even on replay. The team's own automations run afterwards: by
 * then the lead is known, and the same for all of them.
 */
export function onInbound(
  type: InboundType,
  name: string,
  run: (ctx: Context, event: Inbound) => Promise<Outcome>,
  { alone, sideBySide }: { alone?: boolean; sideBySide?: (event: Inbound) => readonly string[] } = {},
): Reaction {
  const on = inboundEvents[type].type
  return {
    on,
    kind: `${name}@${on}`,
    ...(alone && { alone }),
    // One that is replayed while it waits is there twice.
    ...(sideBySide && { sideBySide: event => [event.subject_id, ...sideBySide(event as Inbound)] }),
    async run(ctx, job) {
      const event = (await eventOfJob(ctx, job)) as Inbound
      const id = event.subject_id
      releaseAutomations(ctx, event)
      if (!(await store.claimEffect(ctx, id, name))) return store.settle(ctx, id, 'done')
      const {
        matched,
        note = null,
        lead_id = null,
      } = await run(ctx.as(providerActor(event.data.endpoint)), event)
      const outcome = matched ? 'done' : 'unmatched'
      if (!matched || note !== null) store.noteEffect(ctx, id, { reaction: name, outcome, note })
      store.settle(ctx, id, outcome, lead_id)
    },
    async buried(ctx, job) {
      const event = await eventOfJob(ctx, job)
      const { subject_id: id } = event
      releaseAutomations(ctx, event)
      if (!(await store.claimEffect(ctx, id, name))) return
      store.noteEffect(ctx, id, {
        reaction: name,
        outcome: 'failed',
        note: 'Processing failed too many times.',
      })
      store.settle(ctx, id, 'failed')
    },
  }
}

/** The lead of each event, as far as the part of the product that handled it has determined it. */
export async function leadsOfInbound(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  return ids.length === 0 ? new Map() : store.findLeads(ctx, ids)
}

/**
 * How the team's own automations handled events of one type: many at once, each again on a replay. An event
 * that triggered none of them keeps waiting, unless some part of the product handles it.
 */
export function noteAutomations(
  ctx: Context,
  type: string,
  notes: readonly { inbound_id: string; note: string | null }[],
): void {
  const done = notes.filter(({ note }) => note !== null)
  if (done.length > 0) store.noteAutomated(ctx, done as { inbound_id: string; note: string }[])
  const idle = notes.filter(({ note }) => note === null).map(({ inbound_id }) => inbound_id)
  if (idle.length > 0 && ctx.runtime.registry.reactionsTo(type).length === 0) store.leaveWaiting(ctx, idle)
}
