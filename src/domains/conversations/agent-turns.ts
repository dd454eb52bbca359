import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT, type Handlers } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { announce } from '#platform/events.ts'
import type { AgentDraft, agentEndpoints, AgentTurn } from './agent-contract.ts'
import * as store from './agent-store.ts'
import { existing } from './service.ts'

export const agentApi: Handlers<typeof agentEndpoints> = {
  readAgentDraft: (ctx, { params }) => readDraft(ctx, params.id),
  discardAgentDraft: (ctx, { params }) => discardDraft(ctx, params.id),
  listAgentTurns: (ctx, { params, query }) => listTurns(ctx, params.id, query),
}

async function readDraft(ctx: Context, id: string): Promise<AgentDraft> {
  const row = await store.findDraft(ctx, (await existing(ctx, id)).id)
  if (!row) return none
  const { entry_id, agent_id, agent_name, text, sources, model, fell_back, created_at } = row
  const agent = { id: agent_id, name: agent_name }
  return { text, agent, message_id: entry_id, sources, model, fell_back, created_at }
}
const none: AgentDraft = {
  text: null,
  agent: null,
  message_id: null,
  sources: [],
  model: null,
  fell_back: null,
  created_at: null,
}

async function discardDraft(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const row = await existing(ctx, id)
    store.deleteDraft(ctx, row.id)
    announce(ctx, 'conversations:read', 'conversation.drafted', { kind: 'conversation', id: row.id }, {})
  })
}

async function listTurns(
  ctx: Context,
  id: string,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const row = await existing(ctx, id)
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const { data, next_cursor } = pageOf(await store.listTurns(ctx, row.id, after, limit + 1), limit)
  return { data: data.map(shown), next_cursor }
}

function shown({
  conversation_id: _,
  entry_id,
  agent_id,
  agent_name,
  message_id,
  ...turn
}: store.TurnRow): AgentTurn {
  return { ...turn, message_id: entry_id, reply_id: message_id, agent: { id: agent_id, name: agent_name } }
}
