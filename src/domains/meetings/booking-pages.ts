import type { Context } from '#platform/context.ts'
import type { BookingPages } from '#platform/offers.ts'
import { Problem } from '#platform/problem.ts'
import { listPeopleOf, membersAmong } from '#domains/identity/members.ts'
import { listAll } from './availability-store.ts'
import { mayHost, openPages } from './availability.ts'
import { hostFor } from './hosts.ts'
import { bookingUrl } from './links.ts'
import { rememberedPages, type Pages } from './page-memory.ts'

/** A large team gets its pages little by little: whoever asks waits for no more than these. */
const OPENED_AT_ONCE_MAX = 50

/** Where a lead can be given a time when the team has named no address of its own. */
export async function bookingPages(ctx: Context, sender_email: string | null): Promise<BookingPages> {
  const { urls, members, first } = await rememberedPages(ctx, () => findPages(ctx))
  const sender = sender_email === null ? undefined : members.get(sender_email.toLowerCase())
  return { sender: (sender && urls.get(sender)) ?? null, byMember: urls, first }
}

async function findPages(ctx: Context): Promise<Pages> {
  const people = await membersAmong(ctx, await listPeopleOf(ctx, ctx.team_id))
  const hosts = [...people.values()]
    .filter(mayHost)
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const known = new Set((await listAll(ctx)).map(({ user_id }) => user_id))
  const missing = hosts.filter(({ id }) => !known.has(id))
  if (missing.length > 0) await openPages(ctx, missing.slice(0, OPENED_AT_ONCE_MAX))
  const open = new Map(
    (await listAll(ctx)).filter(({ active }) => active).map(({ user_id, slug }) => [user_id, slug]),
  )
  const urls = new Map(
    hosts.flatMap(({ id }) => (open.has(id) ? [[id, bookingUrl(ctx, open.get(id)!)]] : [])),
  )
  return {
    urls,
    members: new Map(hosts.map(({ id, email }) => [email.toLowerCase(), id])),
    first: urls.get(await firstHost(ctx)) ?? [...urls.values()][0] ?? null,
  }
}

/** Nobody: a team of viewers. */
async function firstHost(ctx: Context): Promise<string> {
  return hostFor(ctx, { owner_id: null }).catch((error: unknown) => {
    if (error instanceof Problem) return ''
    throw error
  })
}
