import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { encodeCursor } from '#platform/cursor.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { ordering, type Listing } from '#platform/listing.ts'
import type { ChatWidget, ListChatWidgets } from './contract.ts'
import { WIDGETS_MAX, type chatSorts } from './values.ts'

const columns = [
  'id',
  'name',
  'is_on',
  'allowed_domains',
  'colour',
  'greeting',
  'timezone',
  'hours',
  'questions',
  'field_mapping',
  'takes_files',
  'privacy_url',
  'agent_id',
  'agent_mode',
  'created_at',
  'updated_at',
] as const satisfies (keyof ChatWidget)[]
/** Named by what it shows. */
const logoUrl = sql`'/chat/logos/' || id || '/' || logo_hash as logo_url`
const json = ['allowed_domains', 'hours', 'questions', 'field_mapping'] as const
const selected = sql.join([...columns.map(column => sql.ref(column)), logoUrl])

type Sort = (typeof chatSorts)[number]
const listing: Listing<Sort> = {
  table: 'chat_widgets',
  columns,
  sorts: {
    name: { column: 'name_key', type: 'text' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
  defaultSort: '-created_at',
}

export async function listWidgets(ctx: Context, query: ListChatWidgets) {
  const { limit = LIST_LIMIT_DEFAULT } = query
  const { column, key, order, after } = ordering(listing, query)
  const rows = await ctx.all(
    raw<ChatWidget & { sort_key: string }>(sql`select ${selected}, ${key} as sort_key from chat_widgets
      where team_id = ${ctx.team_id} ${after} ${order} limit ${limit + 1}`),
  )
  const data = rows.slice(0, limit).map(({ sort_key: _, ...widget }) => widget)
  const last = rows[limit - 1]
  const place = last && [column === 'name_key' ? last.sort_key : last[column as 'created_at'], last.id]
  return { data, next_cursor: rows.length > limit && place ? encodeCursor(place) : null }
}

export async function findWidget(ctx: Context, id: string): Promise<ChatWidget | undefined> {
  return ctx.first(
    raw<ChatWidget>(sql`select ${selected} from chat_widgets where team_id = ${ctx.team_id} and id = ${id}`),
  )
}

export async function lockWidget(ctx: Context, id: string): Promise<ChatWidget | undefined> {
  return ctx.first(
    raw<ChatWidget>(
      sql`select ${selected} from chat_widgets where team_id = ${ctx.team_id} and id = ${id} for update`,
    ),
  )
}

/** Whether the team has as many as it may. */
export async function isFull(ctx: Context): Promise<boolean> {
  const rows = await ctx.all(
    raw(sql`select from chat_widgets where team_id = ${ctx.team_id} limit ${WIDGETS_MAX}`),
  )
  return rows.length === WIDGETS_MAX
}

export function insertWidget(ctx: Context, widget: ChatWidget): void {
  ctx.later(db.insertInto('chat_widgets').values({ team_id: ctx.team_id, ...stored(widget) } as Row))
}

export function updateWidget(ctx: Context, id: string, fields: Partial<ChatWidget>): void {
  ctx.later(
    db
      .updateTable('chat_widgets')
      .set(stored(fields))
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id),
  )
}

export function updateLogo(ctx: Context, id: string, logo_hash: string | null, updated_at: string): void {
  ctx.later(
    raw(sql`update chat_widgets set logo_hash = ${logo_hash}, updated_at = ${updated_at}
      where team_id = ${ctx.team_id} and id = ${id}`),
  )
}

/** With its sessions. */
export function deleteWidget(ctx: Context, id: string): void {
  ctx.later(db.deleteFrom('chat_widgets').where('team_id', '=', ctx.team_id).where('id', '=', id))
}

function stored({ logo_url: _, ...fields }: Partial<ChatWidget>): Partial<ChatWidget> {
  const texts = json.flatMap(name => (name in fields ? [[name, JSON.stringify(fields[name])]] : []))
  return { ...fields, ...Object.fromEntries(texts) }
}

type Row = ChatWidget & { team_id: string }
const db = tables<{ chat_widgets: Row }>()
