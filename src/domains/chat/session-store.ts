import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { ChatLanguage } from './values.ts'

export type SessionRow = {
  id: string
  widget_id: string
  lead_id: string | null
  name: string | null
  email: string | null
  phone: string | null
  answers: Record<string, string>
  first_page: string | null
  page: string | null
  referrer: string | null
  utm: Record<string, string>
  language: ChatLanguage
  timezone: string | null
  begun_at: string | null
  asked_for_person_at: string | null
  here_at: string | null
  emailed_until: string | null
  created_at: string
}

const columns = [
  'id',
  'widget_id',
  'lead_id',
  'name',
  'email',
  'phone',
  'answers',
  'first_page',
  'page',
  'referrer',
  'utm',
  'language',
  'timezone',
  'begun_at',
  'asked_for_person_at',
  'here_at',
  'emailed_until',
  'created_at',
] as const satisfies (keyof SessionRow)[]
const selected = sql.join(columns.map(column => sql.ref(column)))

export function insertSession(ctx: Context, session: SessionRow): void {
  ctx.later(db.insertInto('chat_sessions').values({ team_id: ctx.team_id, ...stored(session) } as Row))
}

export async function findSession(ctx: Context, id: string): Promise<SessionRow | undefined> {
  return ctx.first(
    raw<SessionRow>(sql`select ${selected} from chat_sessions where team_id = ${ctx.team_id} and id = ${id}`),
  )
}

export async function lockSession(ctx: Context, id: string): Promise<SessionRow | undefined> {
  return ctx.first(
    raw<SessionRow>(
      sql`select ${selected} from chat_sessions where team_id = ${ctx.team_id} and id = ${id} for update`,
    ),
  )
}

export function updateSession(ctx: Context, id: string, fields: Partial<SessionRow>): void {
  ctx.later(
    db
      .updateTable('chat_sessions')
      .set(stored(fields))
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id),
  )
}

/** Their page is open at this moment. */
export async function markHere(ctx: Context, id: string): Promise<void> {
  await ctx.run(
    raw(sql`update chat_sessions set here_at = ${ctx.now()} where team_id = ${ctx.team_id} and id = ${id}`),
  )
}

/** Those who have not written a word since then. Answers how many. */
export async function deleteSilent(ctx: Context, before: string, limit: number): Promise<number> {
  return ctx.run(
    raw(sql`delete from chat_sessions where team_id = ${ctx.team_id} and id = any(array(
      select id from chat_sessions where team_id = ${ctx.team_id} and begun_at is null and created_at < ${before}
      order by created_at limit ${limit}))`),
  )
}

export function insertFile(ctx: Context, session_id: string, file_id: string): void {
  ctx.later(db.insertInto('chat_files').values({ team_id: ctx.team_id, session_id, file_id }))
}

/** Those of these files that were uploaded in this session. */
export async function findUploaded(
  ctx: Context,
  session_id: string,
  file_ids: readonly string[],
): Promise<Set<string>> {
  if (file_ids.length === 0) return new Set()
  const rows = await ctx.all(
    raw<{ file_id: string }>(sql`select file_id from chat_files
      where team_id = ${ctx.team_id} and file_id = any(${file_ids}::text[]) and session_id = ${session_id}`),
  )
  return new Set(rows.map(({ file_id }) => file_id))
}

function stored(fields: Partial<SessionRow>): Partial<SessionRow> {
  const { answers, utm } = fields
  return {
    ...fields,
    ...(answers && { answers: JSON.stringify(answers) as never }),
    ...(utm && { utm: JSON.stringify(utm) as never }),
  }
}

type Row = SessionRow & { team_id: string }
const db = tables<{
  chat_sessions: Row
  chat_files: { team_id: string; file_id: string; session_id: string }
}>()
