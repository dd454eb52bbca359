import {
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  t,
  type Static,
} from '#platform/contract.ts'
import { agentOutcomes } from './values.ts'

const Source = t.Object({
  kind: oneOf(['saved_reply', 'facts'], 'facts: the text of the agent'),
  id: nullable(Id),
  name: t.String(),
})

/** What an agent proposes to answer. Without one, every field is null or empty. */
export const AgentDraft = t.Object(
  {
    text: nullable(t.String()),
    agent: nullable(t.Object({ id: Id, name: t.String() })),
    message_id: nullable(t.String({ description: 'The message that it answers' })),
    sources: t.Array(Source),
    model: nullable(t.String({ description: 'What wrote it; rules-1 is the embedded writer' })),
    fell_back: nullable(t.String({ description: 'Why the model did not write it' })),
    created_at: nullable(Instant),
  },
  { $id: 'AgentDraft' },
)
export type AgentDraft = Static<typeof AgentDraft>

/** What came of a message that an agent was asked to answer. */
export const AgentTurn = t.Object(
  {
    id: Id,
    message_id: t.String({ description: 'The message that it was asked to answer' }),
    agent: t.Object({ id: Id, name: t.String() }),
    mode: oneOf(['draft', 'auto']),
    outcome: oneOf(agentOutcomes, 'replaced: something else came in, or somebody answered, meanwhile'),
    reason: nullable(t.String({ description: 'Why it handed over, only drafted, or said nothing' })),
    asked: t.String({ description: 'The beginning of what it was asked' }),
    text: nullable(t.String({ description: 'What it said or proposed' })),
    reply_id: nullable(t.String({ description: 'Its answer, among the messages of the conversation' })),
    confidence: nullable(t.Number()),
    sources: t.Array(Source),
    tools: t.Array(
      t.Object({
        name: t.String(),
        arguments: t.Record(t.String(), t.Unknown()),
        ok: t.Boolean(),
        refused: t.Boolean({ description: 'The agent was not given this tool, or not here' }),
        result: t.String(),
      }),
    ),
    model: nullable(t.String()),
    fell_back: nullable(t.String()),
    tokens_in: t.Integer(),
    tokens_out: t.Integer(),
    created_at: Instant,
  },
  { $id: 'AgentTurn' },
)
export type AgentTurn = Static<typeof AgentTurn>

const read = { scope: 'conversations:read' } as const
const write = { scope: 'conversations:write' } as const

export const agentEndpoints = defineEndpoints({
  readAgentDraft: {
    method: 'GET',
    path: '/api/conversations/:id/draft',
    summary: 'Read what the agent of a conversation proposes to answer',
    description:
      'It is gone once somebody has answered or something else came in. `text` is null where there is none.',
    auth: read,
    params: ById,
    output: AgentDraft,
  },
  discardAgentDraft: {
    method: 'DELETE',
    path: '/api/conversations/:id/draft',
    summary: 'Discard what the agent proposes to answer',
    auth: write,
    params: ById,
  },
  listAgentTurns: {
    method: 'GET',
    path: '/api/conversations/:id/agent-turns',
    summary: 'List what agents were asked, did and said in a conversation, newest first',
    auth: read,
    params: ById,
    query: t.Object(paging, { additionalProperties: false }),
    output: listOf(AgentTurn),
  },
})
