import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import type { AgentOutcome } from './values.ts'

export type AgentSource = { kind: 'saved_reply' | 'facts'; id: string | null; name: string }
export type UsedAgentTool = {
  name: string
  arguments: Record<string, unknown>
  ok: boolean
  /** It was not given to this agent, or not for this. */
  refused: boolean
  result: string
}

export type DraftRow = {
  conversation_id: string
  entry_id: string
  agent_id: string
  agent_name: string
  text: string
  sources: AgentSource[]
  model: string
  fell_back: string | null
  created_at: string
}

const draftColumns = sql`conversation_id, entry_id, agent_id, agent_name, text, sources, model, fell_back, created_at`

/** The newest one takes the place of the one before. */
export function saveDraft(ctx: Context, row: DraftRow): void {
  ctx.later(
    raw(sql`insert into conversation_drafts (team_id, ${draftColumns})
      values (${ctx.team_id}, ${row.conversation_id}, ${row.entry_id}, ${row.agent_id}, ${row.agent_name}, ${row.text},
        ${JSON.stringify(row.sources)}, ${row.model}, ${row.fell_back}, ${row.created_at})
      on conflict (team_id, conversation_id) do update set entry_id = excluded.entry_id, agent_id = excluded.agent_id,
        agent_name = excluded.agent_name, text = excluded.text, sources = excluded.sources, model = excluded.model,
        fell_back = excluded.fell_back, created_at = excluded.created_at`),
  )
}

export async function findDraft(ctx: Context, conversation_id: string): Promise<DraftRow | undefined> {
  return ctx.first(
    raw<DraftRow>(sql`select ${draftColumns} from conversation_drafts
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id}`),
  )
}

/** Somebody has answered, has said no to it, or something else is asked. */
export function deleteDraft(ctx: Context, conversation_id: string): void {
  ctx.later(
    raw(sql`delete from conversation_drafts
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id}`),
  )
}

export type TurnRow = {
  id: string
  conversation_id: string
  entry_id: string
  agent_id: string
  agent_name: string
  mode: 'draft' | 'auto'
  outcome: AgentOutcome
  reason: string | null
  asked: string
  text: string | null
  message_id: string | null
  confidence: number | null
  sources: AgentSource[]
  tools: UsedAgentTool[]
  model: string | null
  fell_back: string | null
  tokens_in: number
  tokens_out: number
  created_at: string
}

const turnColumns = sql`id, conversation_id, entry_id, agent_id, agent_name, mode, outcome, reason, asked, text, message_id,
  confidence, sources, tools, model, fell_back, tokens_in, tokens_out, created_at`

export function insertTurn(ctx: Context, row: TurnRow): void {
  ctx.later(
    raw(sql`insert into conversation_agent_turns (team_id, ${turnColumns})
      values (${ctx.team_id}, ${row.id}, ${row.conversation_id}, ${row.entry_id}, ${row.agent_id}, ${row.agent_name}, ${row.mode},
        ${row.outcome}, ${row.reason}, ${row.asked}, ${row.text}, ${row.message_id}, ${row.confidence}, ${JSON.stringify(row.sources)},
        ${JSON.stringify(row.tools)}, ${row.model}, ${row.fell_back}, ${row.tokens_in}, ${row.tokens_out}, ${row.created_at})`),
  )
}

export async function isDone(ctx: Context, id: string): Promise<boolean> {
  const row = await ctx.first(
    raw(sql`select from conversation_agent_turns where team_id = ${ctx.team_id} and id = ${id}`),
  )
  return row !== undefined
}

/** Newest first. */
export async function listTurns(
  ctx: Context,
  conversation_id: string,
  after: [string, string] | undefined,
  limit: number,
): Promise<TurnRow[]> {
  const older = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]})` : sql``
  return ctx.all(
    raw<TurnRow>(sql`select ${turnColumns} from conversation_agent_turns
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} ${older}
      order by created_at desc, id desc limit ${limit}`),
  )
}

/** How often agents have answered since a person took over last, up to the limit. */
export async function countAnswers(ctx: Context, conversation_id: string, limit: number): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*)::integer as count from (select from conversation_agent_turns
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and outcome = 'answered'
        and created_at > coalesce((select max(created_at) from conversation_agent_turns
          where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and outcome = 'handed_over'), '-infinity')
      limit ${limit}) as found`),
  )
  return row!.count
}

/** What an agent said here last, if one ever has. */
export async function findLastAnswer(
  ctx: Context,
  conversation_id: string,
): Promise<Pick<TurnRow, 'agent_name' | 'text'> | undefined> {
  return ctx.first(
    raw<Pick<TurnRow, 'agent_name' | 'text'>>(sql`select agent_name, text from conversation_agent_turns
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and outcome = 'answered'
      order by created_at desc, id desc limit 1`),
  )
}

/** What agents answered from, by the ID of their message. */
export async function findSources(
  ctx: Context,
  message_ids: readonly string[],
): Promise<Map<string, AgentSource[]>> {
  if (message_ids.length === 0) return new Map()
  const rows = await ctx.all(
    raw<{
      message_id: string
      sources: AgentSource[]
    }>(sql`select message_id, sources from conversation_agent_turns
      where team_id = ${ctx.team_id} and message_id = any(${message_ids}::text[])`),
  )
  return new Map(rows.map(({ message_id, sources }) => [message_id, sources]))
}

/** The conversation goes on in another one. */
export function moveTurns(ctx: Context, from: string, to: string): void {
  deleteDraft(ctx, from)
  ctx.later(
    raw(sql`update conversation_agent_turns set conversation_id = ${to}
      where team_id = ${ctx.team_id} and conversation_id = ${from}`),
  )
}
