import type { Context } from '#platform/context.ts'
import type { BookingPages } from '#platform/offers.ts'
import type { Member } from '#domains/identity/contract.ts'
import { listMembers } from '#domains/identity/members.ts'
import { listAll, NEVER } from './availability-store.ts'
import { mayHost, openPages } from './availability.ts'
import { bookingUrl } from './links.ts'
import { rememberedPages, type Pages } from './page-memory.ts'

/** Of a larger team those count who came first. */
const MEMBERS_MAX = 1_000
/** A large team gets its pages gradually: one caller creates no more than these. */
const OPENED_AT_ONCE_MAX = 50

/** Where a lead can be given a time when the team has named no address of its own. */
export async function bookingPages(ctx: Context, sender_email: string | null): Promise<BookingPages> {
  const { urls, members, first } = await rememberedPages(ctx, () => findPages(ctx))
  const sender = sender_email === null ? undefined : members.get(sender_email.toLowerCase())
  return { sender: (sender && urls.get(sender)) ?? null, byMember: urls, first }
}

async function findPages(ctx: Context): Promise<Pages> {
  const hosts = (await listMembers(ctx, { limit: MEMBERS_MAX })).data.filter(mayHost)
  const rows = await allOpened(ctx, hosts)
  const slugs = new Map(rows.filter(({ active }) => active).map(({ user_id, slug }) => [user_id, slug]))
  const urls = new Map(
    hosts.flatMap(({ id }) => (slugs.has(id) ? [[id, bookingUrl(ctx, slugs.get(id)!)]] : [])),
  )
  const setUp = rows
    .filter(({ updated_at }) => updated_at > NEVER)
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
    .map(({ user_id }) => user_id)
  const first = [...setUp, ...hosts.toSorted(byRole).map(({ id }) => id)].find(id => urls.has(id))
  return {
    urls,
    members: new Map(hosts.map(({ id, email }) => [email.toLowerCase(), id])),
    first: (first && urls.get(first)) ?? null,
  }
}

async function allOpened(ctx: Context, hosts: readonly Member[]) {
  const rows = await listAll(ctx)
  const known = new Set(rows.map(({ user_id }) => user_id))
  const missing = hosts.filter(({ id }) => !known.has(id)).slice(0, OPENED_AT_ONCE_MAX)
  if (missing.length === 0) return rows
  await openPages(ctx, missing)
  return listAll(ctx)
}

/** The team's owner hosts meetings until someone sets up their availability. The sort keeps the first. */
function byRole(a: Member, b: Member): number {
  const rank = ({ role }: Member) => ['SUPER_ADMIN', 'ADMIN'].indexOf(role) + 1 || 3
  return rank(a) - rank(b)
}
