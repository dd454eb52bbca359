import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'
import { moveParts } from './mail-store.ts'
import type { ConversationRow } from './store.ts'
import type { ConversationChannel } from './values.ts'

export type EntryRow = {
  id: string
  conversation_id: string
  kind: 'message' | 'note'
  channel: ConversationChannel | null
  address: string | null
  name: string | null
  subject: string | null
  text: string
  automatic: boolean
  direction: 'in' | 'out'
  author_kind: 'person' | 'agent' | 'workflow' | 'system' | null
  author_id: string | null
  mentions: string[]
  source_key: string | null
  message_id: string | null
  mailbox_id: string | null
  /** It came to the private mailbox of this member. */
  private_to: string | null
  has_original: boolean
  is_history: boolean
  seen_at: string | null
  at: string
  created_at: string
}

export function blankEntry(ctx: Context, conversation_id: string): EntryRow {
  return {
    id: '',
    conversation_id,
    kind: 'message',
    channel: null,
    address: null,
    name: null,
    subject: null,
    text: '',
    automatic: false,
    direction: 'in',
    author_kind: null,
    author_id: null,
    mentions: [],
    source_key: null,
    message_id: null,
    mailbox_id: null,
    private_to: null,
    has_original: false,
    is_history: false,
    seen_at: null,
    at: ctx.now(),
    created_at: ctx.now(),
  }
}

const entryColumns = [
  'id',
  'conversation_id',
  'kind',
  'channel',
  'address',
  'name',
  'subject',
  'text',
  'automatic',
  'direction',
  'author_kind',
  'author_id',
  'mentions',
  'source_key',
  'message_id',
  'mailbox_id',
  'private_to',
  'has_original',
  'is_history',
  'seen_at',
  'at',
  'created_at',
] as const satisfies (keyof EntryRow)[]
const selectedEntry = sql.join(entryColumns.map(column => sql.ref(column)))
const insertEntries = inserter<EntryRow & { team_id: string }>('conversation_entries', [
  'team_id',
  ...entryColumns,
])

export function insertEntry(ctx: Context, row: EntryRow): void {
  for (const batch of batchesOf([{ team_id: ctx.team_id, ...row }])) ctx.later(insertEntries(batch))
}

export type KnownSource = { id: string; private_to: string | null; fingerprint: string | null }

/** The same message may be brought again: by another mailbox, or after a crash. */
export async function findBySource(ctx: Context, source_key: string): Promise<KnownSource | undefined> {
  return ctx.first(
    raw<KnownSource>(sql`select e.id, e.private_to, m.fingerprint from conversation_entries as e
      left join conversation_mails as m on m.team_id = e.team_id and m.entry_id = e.id
      where e.team_id = ${ctx.team_id} and e.source_key = ${source_key}`),
  )
}

/**
 * One after the other, until the transaction ends: what comes under this key, and what this address writes. Rows would not do,
 * where there are none yet.
 */
export async function holdIncoming(
  ctx: Context,
  { source_key, address }: { source_key: string | null; address: string },
): Promise<void> {
  const names = [...(source_key === null ? [] : [`source ${source_key}`]), `address ${address}`]
  for (const name of names)
    await ctx.run(
      raw(sql`select pg_advisory_xact_lock(hashtextextended(${`${ctx.team_id} conversations ${name}`}, 61))`),
    )
}

/** With its files. */
export function makePublic(ctx: Context, entry_id: string): void {
  ctx.later(
    raw(sql`update conversation_entries set private_to = null
      where team_id = ${ctx.team_id} and id = ${entry_id}`),
  )
}

export async function findEntry(
  ctx: Context,
  conversation_id: string,
  id: string,
): Promise<EntryRow | undefined> {
  return ctx.first(
    raw<EntryRow>(sql`select ${selectedEntry} from conversation_entries
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and id = ${id}`),
  )
}

/** A place in the order of a thread: what is older comes after it. */
export type Place = { at: string; id: string }

export async function findEntries(
  ctx: Context,
  conversation_id: string,
  before: Place | undefined,
  limit: number,
): Promise<EntryRow[]> {
  const older = before ? sql`and (at, id) < (${before.at}::timestamptz, ${before.id})` : sql``
  return ctx.all(
    raw<EntryRow>(sql`select ${selectedEntry} from conversation_entries
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} ${older}
      order by at desc, id desc limit ${limit}`),
  )
}

/** What was said in one session of a web chat, the oldest first. */
export async function findChatEntries(
  ctx: Context,
  address: string,
  after: Place | undefined,
  limit: number,
): Promise<EntryRow[]> {
  const newer = after ? sql`and (at, id) > (${after.at}::timestamptz, ${after.id})` : sql``
  return ctx.all(
    raw<EntryRow>(sql`select ${selectedEntry} from conversation_entries
      where team_id = ${ctx.team_id} and channel = 'chat' and address = ${address} and kind = 'message' ${newer}
      order by at, id limit ${limit}`),
  )
}

/** One of those that were said in this session of a web chat. */
export async function findChatEntry(
  ctx: Context,
  address: string,
  id: string,
): Promise<EntryRow | undefined> {
  return ctx.first(
    raw<EntryRow>(sql`select ${selectedEntry} from conversation_entries
      where team_id = ${ctx.team_id} and id = ${id} and channel = 'chat' and address = ${address} and kind = 'message'`),
  )
}

/** What the team said there after this moment and nobody has seen; what the program itself noted is no news. */
export async function findUnseen(
  ctx: Context,
  address: string,
  after: string | null,
  limit: number,
): Promise<EntryRow[]> {
  const later = after === null ? sql`` : sql`and at > ${after}::timestamptz`
  return ctx.all(
    raw<EntryRow>(sql`select ${selectedEntry} from conversation_entries
      where team_id = ${ctx.team_id} and channel = 'chat' and address = ${address} and kind = 'message' and direction = 'out'
        and seen_at is null and author_kind is distinct from 'system' ${later}
      order by at, id limit ${limit}`),
  )
}

/** The last that a person said there. */
export async function findLastPerson(ctx: Context, address: string): Promise<string | null> {
  const row = await ctx.first(
    raw<{ name: string | null }>(sql`select name from conversation_entries
      where team_id = ${ctx.team_id} and channel = 'chat' and address = ${address} and direction = 'out' and author_kind = 'person'
      order by at desc, id desc limit 1`),
  )
  return row?.name ?? null
}

/** The conversation that a session of a web chat is part of, as far as that is of interest there. */
export type ChatPlace = Pick<ConversationRow, 'id' | 'lead_id' | 'channel' | 'agent_id' | 'agent_mode'>

export async function findChatPlace(ctx: Context, address: string): Promise<ChatPlace | undefined> {
  return ctx.first(
    raw<ChatPlace>(sql`select c.id, c.lead_id, c.channel, c.agent_id, c.agent_mode from conversation_entries as e
      join conversations as c on c.team_id = e.team_id and c.id = e.conversation_id
      where e.team_id = ${ctx.team_id} and e.channel = 'chat' and e.address = ${address}
      order by e.at desc, e.id desc limit 1`),
  )
}

/** Whether the file is part of what was said in this session. */
export async function isInChat(ctx: Context, address: string, file_id: string): Promise<boolean> {
  const row = await ctx.first(
    raw(sql`select from conversation_files as f
      join conversation_entries as e on e.team_id = f.team_id and e.id = f.part_of
      where f.team_id = ${ctx.team_id} and f.file_id = ${file_id}
        and e.channel = 'chat' and e.address = ${address} and e.kind = 'message'`),
  )
  return row !== undefined
}

export function markSeen(ctx: Context, address: string, until: string, seen_at: string): void {
  ctx.later(
    raw(sql`update conversation_entries set seen_at = ${seen_at}
      where team_id = ${ctx.team_id} and channel = 'chat' and address = ${address} and direction = 'out'
        and at <= ${until}::timestamptz and seen_at is null`),
  )
}

/** Where somebody has chatted last. */
export async function findChatAddress(ctx: Context, conversation_id: string): Promise<string | null> {
  const row = await ctx.first(
    raw<{ address: string }>(sql`select address from conversation_entries
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and channel = 'chat'
      order by at desc, id desc limit 1`),
  )
  return row?.address ?? null
}

/** Where somebody has written from last by WhatsApp, and when. */
export async function findLastWhatsApp(
  ctx: Context,
  conversation_id: string,
): Promise<{ address: string; at: string } | undefined> {
  return ctx.first(
    raw<{ address: string; at: string }>(sql`select address, at from conversation_entries
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and channel = 'whatsapp' and direction = 'in'
      order by at desc, id desc limit 1`),
  )
}

/** When each of these wrote last by WhatsApp. */
export async function findLastWhatsApps(
  ctx: Context,
  conversation_ids: readonly string[],
): Promise<Map<string, string>> {
  if (conversation_ids.length === 0) return new Map()
  const rows = await ctx.all(
    raw<{ id: string; at: string }>(sql`select c.id, e.at from unnest(${conversation_ids}::text[]) as c (id)
      cross join lateral (select at from conversation_entries
        where team_id = ${ctx.team_id} and conversation_id = c.id and channel = 'whatsapp' and direction = 'in'
        order by at desc, id desc limit 1) as e`),
  )
  return new Map(rows.map(({ id, at }) => [id, at]))
}

/** Its file could not be fetched. */
export function addToText(ctx: Context, id: string, words: string): void {
  ctx.later(
    raw(
      sql`update conversation_entries set text = text || ${words} where team_id = ${ctx.team_id} and id = ${id}`,
    ),
  )
}

/** Held, wherever its conversation has been merged into meanwhile. */
export async function lockEntry(
  ctx: Context,
  id: string,
): Promise<Pick<EntryRow, 'id' | 'conversation_id'> | undefined> {
  return ctx.first(
    raw<Pick<EntryRow, 'id' | 'conversation_id'>>(sql`select id, conversation_id from conversation_entries
      where team_id = ${ctx.team_id} and id = ${id} for no key update`),
  )
}

/** The last email that came in, for an answer to name it. */
export async function findLastEmail(ctx: Context, conversation_id: string): Promise<EntryRow | undefined> {
  return ctx.first(
    raw<EntryRow>(sql`select ${selectedEntry} from conversation_entries
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and channel = 'email' and kind = 'message'
      order by at desc, id desc limit 1`),
  )
}

/** What came in, and where. */
export type Received = { at: string; channel: ConversationChannel; mailbox_id: string | null }

/** The first message that came in after this moment and that a person has to answer. */
export async function firstReceivedAfter(
  ctx: Context,
  conversation_id: string,
  at: string | null,
): Promise<Received | undefined> {
  // By when it was taken: an email may be read long after it has come in.
  const after = at === null ? sql`` : sql`and created_at > ${at}::timestamptz`
  return ctx.first(
    raw<Received>(sql`select created_at as at, channel, mailbox_id from conversation_entries
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and kind = 'message' and direction = 'in' and not automatic and not is_history ${after}
      order by at, id limit 1`),
  )
}

/** All of it goes on in another conversation. */
export function moveEntries(ctx: Context, from: string, to: string): void {
  moveParts(ctx, from, to)
  ctx.later(
    raw(sql`update conversation_entries set conversation_id = ${to}
      where team_id = ${ctx.team_id} and conversation_id = ${from}`),
  )
}
