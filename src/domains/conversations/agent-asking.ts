import type { Context } from '#platform/context.ts'
import { KNOWLEDGE, type ConversationTurn, type UsedTool, type Writer } from '#platform/ports/writer.ts'
import type { AgentSource, UsedAgentTool } from './agent-store.ts'
import { agentTask } from './agent-task.ts'
import { handOverWords, toolsFor, useTool, type ToolScope } from './agent-tools.ts'
import { AGENT_ROUNDS_MAX } from './values.ts'

/** What a model came to, and everything that it did on the way. */
export type Asked = {
  answer: { text: string; confidence: number; topic: string | null } | undefined
  /** Why there is none, or why a person is needed. */
  reason: string | null
  /** Its own words for the person who takes over. */
  summary: string | null
  wantsPerson: boolean
  /** It lost the conversation before it was done. */
  isStopped: boolean
  sources: AgentSource[]
  tools: UsedAgentTool[]
  model: string | null
  fell_back: string | null
  tokens_in: number
  tokens_out: number
}

/**
 * Asks the model until it answers, and does what it asks for in between. Where it is away the rules answer. `goOn` says whether the
 * agent still has the conversation: it is asked before anything is done.
 */
export async function askModel(ctx: Context, scope: ToolScope, goOn: () => Promise<boolean>): Promise<Asked> {
  const task = await agentTask(ctx, scope.row, scope.entry, scope.agent)
  const tools = toolsFor(scope)
  const asked: Asked = { ...nothingYet, tools: [] }
  const rounds: UsedTool[][] = []
  const { writer, plainWriter } = ctx.runtime.ports
  let by: Writer = writer
  for (let round = 0; round < AGENT_ROUNDS_MAX; round++) {
    let turn: ConversationTurn | undefined
    try {
      turn = await by.converse({ ...task, tools, rounds })
    } catch (error) {
      if (by === plainWriter) throw error
      ctx.log.warn({ err: error }, 'an agent got no answer from its model')
      asked.fell_back = 'The model did not answer.'
      by = plainWriter
      continue
    }
    if (!turn) return { ...asked, reason: 'Nothing that the agent may answer from fits this message.' }
    asked.model = turn.model
    asked.tokens_in += turn.tokens_in
    asked.tokens_out += turn.tokens_out
    if (turn.kind === 'answer') {
      const { text, confidence, topic, used } = turn
      return { ...asked, answer: { text, confidence, topic }, sources: sourcesOf(used, task.replies) }
    }
    const results: UsedTool[] = []
    for (const wanted of turn.wanted) {
      if (!(await goOn())) return { ...asked, isStopped: true }
      const { answer, trace } = await useTool(ctx, scope, wanted)
      asked.tools.push(trace)
      results.push(answer)
      if (wanted.name === 'hand_over' && trace.ok)
        return { ...asked, ...handOverWords(wanted), wantsPerson: true }
    }
    rounds.push(results)
  }
  return { ...asked, reason: `There was no answer after ${AGENT_ROUNDS_MAX} rounds.` }
}

export const nothingYet: Asked = {
  answer: undefined,
  reason: null,
  summary: null,
  wantsPerson: false,
  isStopped: false,
  sources: [],
  tools: [],
  model: null,
  fell_back: null,
  tokens_in: 0,
  tokens_out: 0,
}

function sourcesOf(used: readonly string[], replies: readonly { id: string; name: string }[]): AgentSource[] {
  return used.flatMap((id): AgentSource[] => {
    if (id === KNOWLEDGE) return [{ kind: 'facts', id: null, name: 'Facts of the agent' }]
    const reply = replies.find(reply => reply.id === id)
    return reply ? [{ kind: 'saved_reply', id, name: reply.name }] : []
  })
}
