import { createHash } from 'node:crypto'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record, type EventType } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import {
  suppressionAdded,
  suppressionLifted,
  type ListSuppressions,
  type NewSuppression,
  type Suppression,
} from './contract.ts'
import * as store from './store.ts'
import { suppressionReasons, type SuppressionChannel, type SuppressionReason } from './values.ts'

/** Which of these addresses nobody writes to, as the list spells them: mail addresses in lower case. */
export async function findSuppressed(
  ctx: Context,
  channel: SuppressionChannel,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set()
  const spelt = addresses.map(address => spelling(channel, address))
  const found = await findInForce(ctx, channel, spelt)
  return new Set(spelt.filter(address => found.has(address)))
}

export async function isSuppressed(
  ctx: Context,
  channel: SuppressionChannel,
  address: string,
): Promise<boolean> {
  return (await findSuppressed(ctx, channel, [address])).size > 0
}

/** Why nobody writes to it; undefined where anybody may. */
export async function findSuppression(
  ctx: Context,
  channel: SuppressionChannel,
  address: string,
): Promise<Suppression | undefined> {
  const spelt = spelling(channel, address)
  return (await findInForce(ctx, channel, [spelt])).get(spelt)
}

/** For an erased person the list keeps only a hash: a lookup by address still finds it. */
async function findInForce(
  ctx: Context,
  channel: SuppressionChannel,
  spelt: readonly string[],
): Promise<Map<string, Suppression>> {
  const asked = new Map(spelt.flatMap(address => [address, forgotten(address)].map(kept => [kept, address])))
  const rows = await store.findInForce(ctx, channel, [...asked.keys()])
  return new Map(rows.map(row => [asked.get(row.address)!, row]))
}

function forgotten(address: string): string {
  return `sha256:${createHash('sha256').update(address).digest('hex')}`
}

export type Entry = {
  channel: SuppressionChannel
  address: string
  reason: SuppressionReason
  source: string
  note?: string | null | undefined
}

/** Suppresses an address. An existing entry stays as it is and emits no second event. */
export async function suppress(ctx: Context, entry: Entry): Promise<Suppression> {
  return ctx.transaction(async ctx => {
    for (;;) {
      const [added] = await store.add(ctx, [newSuppression(ctx, entry)])
      if (added) tell(ctx, suppressionAdded, added)
      const [known] = added ? [added] : await store.findInForce(ctx, entry.channel, [spelt(entry)])
      // One that was lifted between the two looks is added after all.
      if (known) return known
    }
  })
}

type Lift = {
  channel: SuppressionChannel
  address: string
  source: string
  /** Only where it is on the list for one of these; absent: whatever the reason. */
  reasons?: readonly SuppressionReason[]
}

/** Removes a suppression: START takes back a STOP. Returns whether there was one. */
export async function lift(ctx: Context, { source, reasons = suppressionReasons, ...which }: Lift) {
  return ctx.transaction(async ctx => {
    const lifted = await store.liftAddress(ctx, which.channel, spelt(which), reasons)
    if (lifted) tell(ctx, suppressionLifted, { ...lifted, source })
    return lifted !== undefined
  })
}

export async function liftSuppression(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    await getSuppression(ctx, id)
    const lifted = await store.liftOne(ctx, id)
    if (lifted) tell(ctx, suppressionLifted, { ...lifted, source: whoAsks(ctx) })
  })
}

/** Both where both are given; the answer is the first of them. */
export async function createSuppression(
  ctx: Context,
  { email, phone, note }: NewSuppression,
): Promise<Suppression> {
  const given = [
    ...(email ? [{ channel: 'email' as const, address: email }] : []),
    ...(phone ? [{ channel: 'phone' as const, address: phone }] : []),
  ]
  if (given.length === 0)
    throw invalid([{ path: 'email', message: 'an email address or phone number is required' }])
  return ctx.transaction(async ctx => {
    const made: Suppression[] = []
    for (const which of given)
      made.push(await suppress(ctx, { ...which, reason: 'manual', source: whoAsks(ctx), note }))
    return made[0]!
  })
}

export async function getSuppression(ctx: Context, id: string): Promise<Suppression> {
  const found = await store.find(ctx, id)
  if (!found) throw new Problem('not_found', 'No such entry.')
  return found
}

export async function listSuppressions(ctx: Context, query: ListSuppressions) {
  const { limit = LIST_LIMIT_DEFAULT, cursor, ...filters } = query
  const before = cursor ? decodeInstantCursor(cursor)[1] : undefined
  return pageOf(await store.list(ctx, { ...filters, limit: limit + 1, before }), limit)
}

export function newSuppression(ctx: Context, entry: Entry): Suppression {
  const { channel, reason, source, note = null } = entry
  const address = spelt(entry)
  return {
    id: ctx.newId(),
    channel,
    address,
    reason,
    source,
    note,
    created_at: ctx.now(),
    lifted_at: null,
  }
}

function spelt({ channel, address }: Pick<Entry, 'channel' | 'address'>): string {
  return spelling(channel, address)
}

function spelling(channel: SuppressionChannel, address: string): string {
  return channel === 'email' ? address.toLowerCase() : address
}

function whoAsks(ctx: Context): string {
  return ctx.actor.name ?? ctx.actor.kind
}

function tell(ctx: Context, event: typeof suppressionAdded | typeof suppressionLifted, entry: Suppression) {
  const { id, channel, address, reason, source } = entry
  record(ctx, event as EventType, { kind: 'suppression', id }, { channel, address, reason, source })
}
