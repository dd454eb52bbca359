import type { Context } from '#platform/context.ts'
import { announce } from '#platform/events.ts'
import { fence, holdsLease, type Job } from '#platform/jobs/queue.ts'
import { isRefusal } from '#platform/problem.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { findAgent } from '#domains/agents/service.ts'
import { askModel, nothingYet, type Asked } from './agent-asking.ts'
import { handOver } from './agent-hand-over.ts'
import { draftsOnly, limitAfter, limitBefore } from './agent-limits.ts'
import { findLastAnswer, insertTurn, isDone, saveDraft, type TurnRow } from './agent-store.ts'
import type { Incoming } from './agent-task.ts'
import { findLastReceived, type AgentJob } from './agent-wake.ts'
import { languageOf, saysItIsAi } from './agent-words.ts'
import { reply } from './answer.ts'
import { findSettings } from './settings.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
import type { AgentOutcome } from './values.ts'

const ASKED_LENGTH_MAX = 4_000
/** An email to nobody known needs one. */
const SUBJECT = 'Your message'

type Turn = {
  row: ConversationRow
  entry: Incoming
  agent: { id: string; name: string }
  mode: 'draft' | 'auto'
  asked: Asked
  /** Why a person is needed, or why this is only a draft. */
  reason: string | null
  outcome: AgentOutcome
}

/**
 * Answers what came in, drafts an answer, or hands over. One turn for each message, however often the job runs: its row, what it
 * says and its end are one transaction, and what the model asked for meanwhile is done by the name of the message.
 */
export async function runAgent(ctx: Context, job: Job): Promise<void> {
  const { conversation_id, entry_id } = job.data as AgentJob
  if (await isDone(ctx, job.id)) return
  const found = await find(ctx, conversation_id, entry_id)
  if (!found) return
  const agent = await findAgent(ctx, found.row.agent_id!)
  const by = asAgent(ctx, found.row, agent)
  const turn = await decide(by, job, { ...found, agent })
  await settle(by, job, turn)
}

/** A message that its agent could not deal with waits for a person, and not for ever. */
export async function giveUpAgent(ctx: Context, job: Job): Promise<void> {
  const { conversation_id, entry_id } = job.data as AgentJob
  const found = await find(ctx, conversation_id, entry_id)
  if (!found || found.row.agent_mode !== 'auto') return
  const by = asAgent(ctx, found.row, await findAgent(ctx, found.row.agent_id!))
  const row = await store.lockConversation(by, found.row.id)
  if (row?.agent_mode !== 'auto') return
  const agent = { id: row.agent_id!, name: by.actor.name ?? 'Agent' }
  const reason = 'The agent could not answer.'
  await handOver(by, row, { agent, entry: found.entry, reason, summary: null })
}

type Found = { row: ConversationRow; entry: Incoming }

/** The conversation, if its agent still has it and this is the last message that nobody has answered. */
async function find(ctx: Context, id: string, entry_id: string, lock = false): Promise<Found | undefined> {
  const row = lock ? await store.lockConversation(ctx, id) : await store.findConversation(ctx, id)
  if (!row) return undefined
  if (row.merged_into !== null) return find(ctx, row.merged_into, entry_id, lock)
  if (row.agent_mode === 'off' || row.agent_id === null || row.unanswered_since === null) return undefined
  const entry = await findLastReceived(ctx, row.id)
  return entry?.id === entry_id ? { row, entry: entry as Incoming } : undefined
}

function asAgent(ctx: Context, { agent_id }: ConversationRow, agent: Agent | undefined): Context {
  return ctx.as({ kind: 'agent', id: agent_id, name: agent?.name ?? 'Agent' })
}

async function decide(
  ctx: Context,
  job: Job,
  { row, entry, agent: known }: Found & { agent: Agent | undefined },
): Promise<Turn> {
  const agent = known?.deleted_at === null ? known : undefined
  const { id, name } = known ?? { id: row.agent_id!, name: 'Agent' }
  const turn = { row, entry, agent: { id, name }, asked: nothingYet }
  const isAuto = row.agent_mode === 'auto'
  const limit = isAuto ? await limitBefore(ctx, row, entry, agent) : undefined
  if (limit) return { ...turn, mode: 'auto', reason: limit, outcome: 'handed_over' }
  if (!agent) return { ...turn, mode: 'draft', reason: 'The agent is in the trash.', outcome: 'nothing' }
  const only = isAuto ? await draftsOnly(ctx, row, entry) : undefined
  const mode = isAuto && only === undefined ? 'auto' : 'draft'
  if (mode === 'auto') await tellWriting(ctx, row, entry)
  const goOn = async () =>
    holdsLease(ctx, job) && (await store.findConversation(ctx, row.id))?.agent_mode === row.agent_mode
  const asked = await askModel(ctx, { row, entry, agent, mode }, goOn)
  const done = { ...turn, mode, asked } as const
  if (asked.isStopped) return { ...done, reason: null, outcome: 'replaced' }
  if (mode === 'auto') {
    const limit = limitAfter(asked, agent)
    return { ...done, reason: limit ?? null, outcome: limit ? 'handed_over' : 'answered' }
  }
  return asked.answer
    ? { ...done, reason: only ?? null, outcome: 'drafted' }
    : { ...done, reason: asked.reason, outcome: 'nothing' }
}

/** A model takes its time: who waits in a chat sees that it is at it. */
async function tellWriting(ctx: Context, { id }: ConversationRow, { channel }: Incoming): Promise<void> {
  if (channel !== 'chat') return
  const { id: agent_id, name } = ctx.actor
  const subject = { kind: 'conversation', id }
  await ctx.transaction(async ctx =>
    announce(ctx, 'conversations:read', 'conversation.writing', subject, { agent_id, name, channel }),
  )
}

async function settle(ctx: Context, job: Job, turn: Turn): Promise<void> {
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    const { conversation_id, entry_id } = job.data as AgentJob
    const now = await find(ctx, conversation_id, entry_id, true)
    // Something came in, somebody answered, or took the conversation from the agent: what it came to is no use any more.
    if (now?.row.agent_id !== turn.agent.id || now.row.agent_mode !== turn.row.agent_mode) {
      insertTurn(ctx, rowOf(ctx, job, turn, { outcome: 'replaced', conversation_id: turn.row.id }))
      return
    }
    await settleHeld(ctx, job, { ...turn, row: now.row })
  })
}

async function settleHeld(ctx: Context, job: Job, turn: Turn): Promise<void> {
  const { row, agent, entry, asked, outcome, reason } = turn
  switch (outcome) {
    case 'answered': {
      const sent = await answerWith(ctx, turn)
      if ('refusal' in sent)
        return settleHeld(ctx, job, { ...turn, outcome: 'handed_over', reason: sent.refusal })
      const { text, message_id } = sent
      insertTurn(ctx, rowOf(ctx, job, turn, { text, message_id, conversation_id: sent.row.id }))
      return
    }
    case 'drafted': {
      const { text } = asked.answer!
      const { sources, model, fell_back } = asked
      const of = { conversation_id: row.id, entry_id: entry.id, agent_id: agent.id, agent_name: agent.name }
      saveDraft(ctx, { ...of, text, sources, model: model!, fell_back, created_at: ctx.now() })
      insertTurn(ctx, rowOf(ctx, job, turn))
      const subject = { kind: 'conversation', id: row.id }
      announce(ctx, 'conversations:read', 'conversation.drafted', subject, { agent_id: agent.id })
      return
    }
    case 'handed_over': {
      insertTurn(ctx, rowOf(ctx, job, turn))
      await handOver(ctx, row, { agent, entry, reason: reason!, summary: asked.summary })
      return
    }
    case 'nothing':
    case 'replaced':
      insertTurn(ctx, rowOf(ctx, job, turn))
  }
}

type Sent = { row: ConversationRow; message_id: string; text: string } | { refusal: string }

/** By the engine that sends what people write. What it refuses is for a person. */
async function answerWith(ctx: Context, { row, entry, agent, asked }: Turn): Promise<Sent> {
  const { channel, address } = entry
  const first = (await findLastAnswer(ctx, row.id)) === undefined && (await mustSayIt(ctx, agent.id))
  const { text: said } = asked.answer!
  const text = first ? `${saysItIsAi(languageOf(entry.text), agent.name)}\n\n${said}` : said
  const subject = channel === 'email' && row.subject === null ? { subject: SUBJECT } : {}
  try {
    const written = await ctx.attempt(() =>
      reply(ctx, row, { channel, to: address, text, isFinished: true, ...subject }),
    )
    return { ...written, text }
  } catch (error) {
    if (isRefusal(error)) return { refusal: error.message }
    throw error
  }
}

async function mustSayIt(ctx: Context, agent_id: string): Promise<boolean> {
  const [agent, { agents_say_ai }] = await Promise.all([findAgent(ctx, agent_id), findSettings(ctx)])
  return agents_say_ai || agent?.text.says_it_is_ai !== false
}

function rowOf(ctx: Context, job: Job, turn: Turn, more: Partial<TurnRow> = {}): TurnRow {
  const { row, entry, agent, mode, asked, outcome, reason } = turn
  const { answer, sources, tools, model, fell_back, tokens_in, tokens_out } = asked
  return {
    id: job.id,
    conversation_id: row.id,
    entry_id: entry.id,
    agent_id: agent.id,
    agent_name: agent.name,
    mode,
    outcome,
    reason,
    asked: entry.text.slice(0, ASKED_LENGTH_MAX).toWellFormed(),
    text: answer?.text ?? null,
    message_id: null,
    confidence: answer?.confidence ?? null,
    sources,
    tools,
    model,
    fell_back,
    tokens_in,
    tokens_out,
    created_at: ctx.now(),
    ...more,
  }
}
