import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { listPeopleOf } from '#domains/identity/members.ts'
import { notificationAdded } from './contract.ts'
import * as store from './store.ts'
import { fitText, fitTitle } from './texts.ts'

export type Notice = {
  user_ids: readonly string[]
  title: string
  text?: string | null
  /** A path inside the app, like /leads/<id>. */
  link?: string | null
  source: { kind: string; id: string | null; name: string | null }
}

/**
 * Tells people of something, in the transaction of what causes it. Answers an id for each who was told; who is not of the
 * team any more is passed over.
 */
export async function notify(ctx: Context, notice: Notice): Promise<string[]> {
  return ctx.transaction(async ctx => {
    const rows = rowsFor(ctx, notice, await peopleOf(ctx))
    const ids = rows.map(({ id }) => id)
    if (rows.length === 0) return ids
    store.insertNotifications(ctx, rows)
    const told = { ids, user_ids: rows.map(({ user_id }) => user_id), source_kind: notice.source.kind }
    record(ctx, notificationAdded, { kind: 'notification', id: ids[0]! }, told)
    return ids
  })
}

type Listing = { unread?: boolean; limit?: number; cursor?: string }

export async function listNotifications(
  ctx: Context,
  { unread = false, limit = LIST_LIMIT_DEFAULT, cursor }: Listing,
) {
  const { user_id } = ctx.requirePerson()
  const after = cursor ? decodeInstantCursor(cursor) : undefined
  return pageOf(await store.listOf(ctx, user_id, { unread, limit: limit + 1, after }), limit)
}

export async function countUnread(ctx: Context): Promise<{ unread: number }> {
  return { unread: await store.countUnread(ctx, ctx.requirePerson().user_id) }
}

/** Nothing is marked when one of them is nobody's, or somebody else's. */
export async function markRead(ctx: Context, { ids, all }: { ids?: string[]; all?: boolean }) {
  const { user_id } = ctx.requirePerson()
  if (ids ? all : !all) throw invalid([{ path: 'ids', message: 'must be given, or all: true, but not both' }])
  return ctx.transaction(async ctx => {
    if (ids && (await store.findOwn(ctx, user_id, ids)).length < new Set(ids).size)
      throw new Problem('not_found', 'No such notification.')
    store.markRead(ctx, user_id, ids)
    return { unread: await store.countUnread(ctx, user_id) }
  })
}

export async function pruneNotifications(ctx: Context): Promise<number> {
  return store.deleteBeyondNewest(ctx)
}

/** Requested once per transaction, however many people and notifications there are. */
async function peopleOf(ctx: Context): Promise<ReadonlySet<string>> {
  const transaction = ctx.transactionOrThrow()
  const people = peopleIn.get(transaction) ?? new Set(await listPeopleOf(ctx, ctx.team_id))
  peopleIn.set(transaction, people)
  return people
}
const peopleIn = new WeakMap<object, ReadonlySet<string>>()

type Row = Omit<store.NotificationRow, 'team_id'>

function rowsFor(ctx: Context, notice: Notice, people: ReadonlySet<string>): Row[] {
  const { title, text, link = null, source } = notice
  if (link !== null && !isOwnPath(link)) throw new Error(`${link} is not a path in the app`)
  const told = {
    title: fitTitle(title),
    text: fitText(text),
    link,
    source_kind: source.kind,
    source_id: source.id,
    source_name: source.name === null ? null : fitTitle(source.name),
    created_at: ctx.now(),
    read_at: null,
  }
  return [...new Set(notice.user_ids)]
    .filter(id => people.has(id))
    .map(user_id => ({ id: ctx.newId(), user_id, ...told }))
}

/** One slash, and nothing a browser would drop or take for a slash: //host and /\host are other sites. */
function isOwnPath(text: string): boolean {
  return text.length <= LINK_LENGTH_MAX && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)
}
const LINK_LENGTH_MAX = 500
