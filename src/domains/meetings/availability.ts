import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, type Fault } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import type { Member } from '#domains/identity/contract.ts'
import { findMember } from '#domains/identity/members.ts'
import { freeAddress, freeSlugLike, slugFrom, takeSlug, takeSlugLike } from './addresses.ts'
import * as store from './availability-store.ts'
import type { AvailabilityRow } from './availability-store.ts'
import { availabilityChanged, type Availability, type AvailabilityChange } from './contract.ts'
import { bookingUrl, feedUrl } from './links.ts'
import { forgetPages } from './page-memory.ts'
import { forgetCalendar } from './store.ts'

const DEFAULT_NOTICE_MIN = 4 * 60
const DEFAULT_HORIZON_DAYS = 60
const FALLBACK_ZONE = 'UTC'
const NEVER = store.NEVER

/** When somebody can be met: as they set it up, or as it is until they do. Looking at it opens the booking page. */
export async function readAvailability(ctx: Context, user_id: string): Promise<Availability> {
  const member = await findMember(ctx, ctx.team_id, user_id)
  if (member && mayHost(member)) await openPages(ctx, [member])
  const row = await availabilityOf(ctx, user_id)
  return shown(ctx, member && mayHost(member) ? row : { ...row, active: false })
}

export async function availabilityOf(ctx: Context, user_id: string): Promise<AvailabilityRow> {
  return (await store.find(ctx, user_id)) ?? (await initial(ctx, user_id, await wantedSlug(ctx, user_id)))
}

/** Viewers meet nobody: they could not change when. */
export function mayHost({ role }: Pick<Member, 'role'>): boolean {
  return role !== 'VIEWER'
}

/** Opens the booking pages of those who have none yet. They have an address from now on, and keep it. */
export async function openPages(ctx: Context, members: readonly Pick<Member, 'id'>[]): Promise<void> {
  const known = new Set((await store.listAll(ctx)).map(({ user_id }) => user_id))
  const missing = members.filter(({ id }) => !known.has(id))
  if (missing.length === 0) return
  await ctx.transaction(async ctx => {
    const wanted = await Promise.all(missing.map(async ({ id }) => ({ id, slug: await wantedSlug(ctx, id) })))
    // Locked in one order everywhere, so there are no deadlocks.
    for (const { id, slug } of wanted.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))) {
      await store.lock(ctx, id)
      if (await store.find(ctx, id)) continue
      store.save(ctx, await initial(ctx, id, await takeSlugLike(ctx, id, slug)))
    }
    ctx.afterCommit(() => forgetPages(ctx))
  })
}

/** With the first change the member gets an address of its own. */
export async function changeAvailability(
  ctx: Context,
  change: AvailabilityChange,
  ifMatch?: string,
): Promise<Availability> {
  const { user_id } = ctx.requirePerson()
  const faults = faultsIn(change)
  if (faults.length > 0) throw invalid(faults)
  return write(ctx, user_id, () => change, ifMatch)
}

/** Every address of the feed that was given out before is void from now on. */
export async function renewFeed(ctx: Context): Promise<Availability> {
  const { user_id } = ctx.requirePerson()
  return write(ctx, user_id, ({ feed_version }) => ({ feed_version: feed_version + 1 }))
}

/** A former member cannot be booked through this team, and their external calendar is not read. */
export async function forgetMember(ctx: Context, user_id: string): Promise<void> {
  freeAddress(ctx, user_id)
  store.remove(ctx, user_id)
  forgetCalendar(ctx, user_id)
  forgetPages(ctx)
}

async function write(
  ctx: Context,
  user_id: string,
  wanted: (before: AvailabilityRow) => Partial<AvailabilityRow>,
  ifMatch?: string,
): Promise<Availability> {
  return ctx.transaction(async ctx => {
    await store.lock(ctx, user_id)
    const found = await store.find(ctx, user_id)
    const before = unchangedSince(
      found ?? (await initial(ctx, user_id, await wantedSlug(ctx, user_id))),
      ifMatch,
    )
    const { slug, ...change } = wanted(before)
    const changes = difference(before, { ...change, ...(await slugFor(ctx, found, before, slug)) })
    const isSetUp = found !== undefined && found.updated_at > NEVER
    if (isSetUp && !changes) return shown(ctx, before)
    const now = ctx.now()
    const after = {
      ...before,
      ...changes?.after,
      updated_at: nextVersion(before.updated_at, now),
      created_at: isSetUp ? found.created_at : now,
    }
    store.save(ctx, after)
    ctx.afterCommit(() => forgetPages(ctx))
    record(
      ctx,
      availabilityChanged,
      { kind: 'availability', id: user_id },
      changes ?? { before: {}, after: {} },
    )
    return shown(ctx, after)
  })
}

async function slugFor(
  ctx: Context,
  found: AvailabilityRow | undefined,
  before: AvailabilityRow,
  wanted: string | undefined,
): Promise<{ slug?: string }> {
  if (found && (wanted === undefined || wanted === found.slug)) return {}
  if (wanted !== undefined) return { slug: await takeSlug(ctx, before.user_id, wanted) }
  return { slug: await takeSlugLike(ctx, before.user_id, before.slug) }
}

async function wantedSlug(ctx: Context, user_id: string): Promise<string> {
  const member = await findMember(ctx, ctx.team_id, user_id)
  return freeSlugLike(ctx, user_id, slugFrom(member?.name || member?.email.split('@')[0] || ''))
}

/** Office hours of the team's zone: that of the first who set theirs up. The booking page is open until it is closed. */
async function initial(ctx: Context, user_id: string, slug: string): Promise<AvailabilityRow> {
  const [first] = await store.listByAge(ctx, 1)
  return {
    user_id,
    slug,
    active: true,
    timezone: first?.timezone ?? FALLBACK_ZONE,
    hours: [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', until: '17:00' })),
    exceptions: [],
    duration_min: 30,
    buffer_before_min: 0,
    buffer_after_min: 0,
    notice_min: DEFAULT_NOTICE_MIN,
    horizon_days: DEFAULT_HORIZON_DAYS,
    per_day_max: null,
    title: 'Meeting',
    location: null,
    welcome: null,
    feed_version: 1,
    created_at: NEVER,
    updated_at: NEVER,
  }
}

type Hours = { from: string; until: string }

function faultsIn({ hours = [], exceptions = [] }: AvailabilityChange): Fault[] {
  const days = exceptions.map(({ day }) => day)
  const byDay = Map.groupBy(
    hours.map((span, at) => ({ ...span, path: `hours.${at}` })),
    ({ day }) => day,
  )
  return [
    ...[...byDay.values()].flatMap(faultsInDay),
    ...exceptions.flatMap(({ hours }, at) =>
      faultsInDay(hours.map((span, of) => ({ ...span, path: `exceptions.${at}.hours.${of}` }))),
    ),
    ...days.flatMap((day, at) =>
      days.indexOf(day) < at ? [{ path: `exceptions.${at}.day`, message: 'is a duplicate' }] : [],
    ),
  ]
}

function faultsInDay(spans: readonly (Hours & { path: string })[]): Fault[] {
  const sorted = spans.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return sorted.flatMap(({ from, until, path }, at) => [
    ...(from >= until ? [{ path, message: 'must end after it starts' }] : []),
    ...(at > 0 && from < sorted[at - 1]!.until
      ? [{ path, message: 'overlaps other hours of this day' }]
      : []),
  ])
}

function shown(ctx: Context, row: AvailabilityRow): Availability {
  const { user_id, feed_version, created_at: _, ...rest } = row
  return {
    ...rest,
    booking_url: bookingUrl(ctx, row.slug),
    feed_url: feedUrl(ctx, user_id, feed_version),
  }
}
