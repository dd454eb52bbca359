import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import type { ConversationSettings, SavedReply } from './settings-contract.ts'
import { SAVED_REPLIES_MAX } from './values.ts'

const columns = sql`first_answer_min, next_answer_min, timezone, hours, escalate_after_min, agent_id, agent_mode, creates_leads, agents_say_ai, updated_at`

export async function findSettings(ctx: Context): Promise<ConversationSettings | undefined> {
  return ctx.first(
    raw<ConversationSettings>(
      sql`select ${columns} from conversation_settings where team_id = ${ctx.team_id}`,
    ),
  )
}

/** Their row, which is made where there is none yet: whoever changes them at the same time waits. */
export async function lockSettings(
  ctx: Context,
  initial: ConversationSettings,
): Promise<ConversationSettings> {
  saveSettings(ctx, initial, sql`do nothing`)
  const row = await ctx.first(
    raw<ConversationSettings>(
      sql`select ${columns} from conversation_settings where team_id = ${ctx.team_id} for update`,
    ),
  )
  return row!
}

export function saveSettings(
  ctx: Context,
  settings: ConversationSettings,
  otherwise = sql`(team_id) do update set first_answer_min = excluded.first_answer_min,
    next_answer_min = excluded.next_answer_min, timezone = excluded.timezone, hours = excluded.hours,
    escalate_after_min = excluded.escalate_after_min, agent_id = excluded.agent_id, agent_mode = excluded.agent_mode,
    creates_leads = excluded.creates_leads, agents_say_ai = excluded.agents_say_ai, updated_at = excluded.updated_at`,
): void {
  const {
    first_answer_min,
    next_answer_min,
    timezone,
    hours,
    escalate_after_min,
    agent_id,
    agent_mode,
    creates_leads,
    agents_say_ai,
    updated_at,
  } = settings
  ctx.later(
    raw(sql`insert into conversation_settings (team_id, ${columns})
      values (${ctx.team_id}, ${first_answer_min}, ${next_answer_min}, ${timezone}, ${JSON.stringify(hours)}, ${escalate_after_min},
        ${agent_id}, ${agent_mode}, ${creates_leads}, ${agents_say_ai}, ${updated_at})
      on conflict ${otherwise}`),
  )
}

const replyColumns = sql`id, name, text, created_at, updated_at`

export async function listReplies(
  ctx: Context,
  after: [string, string] | undefined,
  limit: number,
): Promise<SavedReply[]> {
  const older = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]})` : sql``
  return ctx.all(
    raw<SavedReply>(sql`select ${replyColumns} from saved_replies where team_id = ${ctx.team_id} ${older}
      order by created_at desc, id desc limit ${limit}`),
  )
}

export async function findReply(ctx: Context, id: string): Promise<SavedReply | undefined> {
  return ctx.first(
    raw<SavedReply>(
      sql`select ${replyColumns} from saved_replies where team_id = ${ctx.team_id} and id = ${id}`,
    ),
  )
}

export async function lockReply(ctx: Context, id: string): Promise<SavedReply | undefined> {
  return ctx.first(
    raw<SavedReply>(
      sql`select ${replyColumns} from saved_replies where team_id = ${ctx.team_id} and id = ${id} for update`,
    ),
  )
}

/** Whether the name was free. */
export async function insertReply(ctx: Context, { id, name, text, created_at, updated_at }: SavedReply) {
  const rows = await ctx.run(
    raw(sql`insert into saved_replies (team_id, ${replyColumns})
      values (${ctx.team_id}, ${id}, ${name}, ${text}, ${created_at}, ${updated_at}) on conflict do nothing`),
  )
  return rows > 0
}

/** Whether another has the name; a name that is taken in the same moment fails at the index. */
export async function isNameTaken(ctx: Context, name: string, except: string): Promise<boolean> {
  const row = await ctx.first(
    raw(sql`select from saved_replies
      where team_id = ${ctx.team_id} and name_key = lower(${name}) and id <> ${except}`),
  )
  return row !== undefined
}

export function updateReply(ctx: Context, { id, name, text, updated_at }: SavedReply): void {
  ctx.later(
    raw(sql`update saved_replies set name = ${name}, text = ${text}, updated_at = ${updated_at}
      where team_id = ${ctx.team_id} and id = ${id}`),
  )
}

export function deleteReply(ctx: Context, id: string): void {
  ctx.later(raw(sql`delete from saved_replies where team_id = ${ctx.team_id} and id = ${id}`))
}

/** Whether the team has as many as it may. */
export async function isFull(ctx: Context): Promise<boolean> {
  const rows = await ctx.all(
    raw(sql`select from saved_replies where team_id = ${ctx.team_id} limit ${SAVED_REPLIES_MAX}`),
  )
  return rows.length === SAVED_REPLIES_MAX
}
