import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { encodeCursor } from '#platform/cursor.ts'
import { freshlyPlanned, raw } from '#platform/database/tables.ts'
import { isAnyOf, isAnyOfOrNone, ordering, type Listing } from '#platform/listing.ts'
import type { ListConversations } from './contract.ts'
import { conversationColumns, type ConversationRow } from './store.ts'
import type { conversationSorts } from './values.ts'

type Sort = (typeof conversationSorts)[number]

const listing: Listing<Sort> = {
  table: 'conversations',
  columns: conversationColumns,
  sorts: {
    last_message_at: { column: 'last_message_at', type: 'timestamptz' },
    answer_due_at: { column: 'due_key', type: 'numeric' },
  },
  defaultSort: '-last_message_at',
}
const selected = sql.join([...conversationColumns, 'due_key'].map(column => sql.ref(column)))

type ListedRow = ConversationRow & { due_key: string }

/** What is found by its leads: by those of a search, and by those of other records if it is to be of them. */
export type ByLeads = { searched: readonly string[]; related: readonly string[] | undefined }
type Query = Omit<ListConversations, 'account_id' | 'opportunity_id'>

export async function listConversations(ctx: Context, query: Query, leads: ByLeads) {
  const { limit = LIST_LIMIT_DEFAULT } = query
  const { column, order, after } = ordering(listing, query)
  const rows = await ctx.all(
    freshlyPlanned(
      raw<ListedRow>(sql`select ${selected} from conversations
        where ${matching(ctx, query, leads)} ${after} ${order} limit ${limit + 1}`),
    ),
  )
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const next_cursor =
    rows.length > limit && last ? encodeCursor([String(last[column as 'due_key']), last.id]) : null
  return { data, next_cursor }
}

function matching(
  ctx: Context,
  { state, assignee_id, mailbox_id, lead_id, channel, label, late, q }: Query,
  { searched, related }: ByLeads,
): RawBuilder<unknown> {
  const conditions = [
    sql`team_id = ${ctx.team_id}`,
    sql`merged_into is null`,
    ...isAnyOf('state', state),
    ...isAnyOf('lead_id', lead_id),
    ...(related ? [sql`lead_id = any(${related}::text[])`] : []),
    ...isAnyOf('channel', channel),
    ...isAnyOfOrNone('assignee_id', assignee_id),
    ...isAnyOfOrNone('mailbox_id', mailbox_id),
    ...(label ? [labelled(ctx, label)] : []),
    ...(late === undefined ? [] : [late ? sql`overdue_at is not null` : sql`overdue_at is null`]),
    ...(q?.trim() ? [foundBy(q.trim().toLowerCase(), searched)] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** Found by their labels first: the order of the list would lead past everything that has none of them. */
function labelled(ctx: Context, labels: readonly string[]): RawBuilder<unknown> {
  return sql`id = any(array(select conversation_id from conversation_labels
    where team_id = ${ctx.team_id} and label = any(${labels}::text[])))`
}

/** The beginning of an address, not with LIKE, which no index serves under row security. */
function foundBy(start: string, leads: readonly string[]): RawBuilder<unknown> {
  return sql`(lead_id = any(${leads}::text[]) or (address >= ${start} and address < ${start + LAST_LETTER}))`
}
const LAST_LETTER = '\u{10ffff}'
