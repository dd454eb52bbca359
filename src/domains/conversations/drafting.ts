import type { Context } from '#platform/context.ts'
import type { AnswerTask, DraftedAnswer, Fact } from '#platform/ports/writer.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLead } from '#domains/leads/service.ts'
import { valuesOf } from '#domains/messages/letters.ts'
import { senderOf } from '#domains/messages/settings.ts'
import { compileText, mergeText } from '#domains/templates/merge.ts'
import { customKeys } from '#domains/templates/service.ts'
import type { ReplyDraft } from './contract.ts'
import { listReplies } from './settings-store.ts'
import type { ConversationRow } from './store.ts'
import { readThread } from './thread.ts'
import { REPLY_LENGTH_MAX, SAVED_REPLIES_MAX } from './values.ts'

const HISTORY_MAX = 12
const TEXT_LENGTH_MAX = 4_000
const FACT_LENGTH_MAX = 200
const TIMEOUT_MS = 30_000

/**
 * An answer for a person to read, change and send: made of the team's saved replies and of what is known of this lead, by the model
 * or, where it is away or there is none, by the rules. It sends nothing and changes nothing.
 */
export async function draftReply(ctx: Context, row: ConversationRow): Promise<ReplyDraft> {
  const task = await taskFor(ctx, row)
  const { answer, fell_back } = await answered(ctx, task)
  if (!answer) return { text: null, reason: nothingToSay(task), model: null, sources: [], fell_back }
  const sources = task.replies
    .filter(({ id }) => answer.used.includes(id))
    .map(({ id, name }) => ({ kind: 'saved_reply' as const, id, name }))
  return { text: answer.text, reason: null, model: answer.model, sources, fell_back }
}

async function taskFor(ctx: Context, row: ConversationRow): Promise<AnswerTask> {
  const [lead, { data }] = await Promise.all([
    row.lead_id === null ? undefined : findLead(ctx, row.lead_id),
    readThread(ctx, row, { limit: HISTORY_MAX }),
  ])
  const said = data.filter(
    ({ kind, automatic, hidden, text }) => kind === 'message' && !automatic && !hidden && text,
  )
  return {
    history: said.toReversed().map(({ direction, text }) => ({
      by: direction === 'in' ? 'them' : 'us',
      text: text.slice(0, TEXT_LENGTH_MAX).toWellFormed(),
    })),
    facts: lead ? factsOf(lead) : [],
    replies: await repliesFor(ctx, lead),
    characters_max: REPLY_LENGTH_MAX,
    timeout_ms: TIMEOUT_MS,
  }
}

async function answered(
  ctx: Context,
  task: AnswerTask,
): Promise<{ answer: DraftedAnswer | undefined; fell_back: string | null }> {
  const { writer, plainWriter } = ctx.runtime.ports
  if (task.history.at(-1)?.by !== 'them') return { answer: undefined, fell_back: null }
  try {
    return { answer: await writer.answer(task), fell_back: null }
  } catch (error) {
    ctx.log.warn({ err: error }, 'drafting a reply failed')
    return { answer: await plainWriter.answer(task), fell_back: 'The model did not answer.' }
  }
}

function nothingToSay({ history, replies }: AnswerTask): string {
  if (history.at(-1)?.by !== 'them') return 'There is no message to answer.'
  if (replies.length === 0) return 'There are no saved replies to draft from.'
  return 'No saved reply fits this message.'
}

/** Of this person only. */
export function factsOf({ first_name, last_name, title, company }: Lead): Fact[] {
  const facts: [string, string | null][] = [
    ['first name', first_name],
    ['last name', last_name],
    ['title', title],
    ['company', company],
  ]
  return facts.flatMap(([name, value]) => (value ? [{ name, value: value.slice(0, FACT_LENGTH_MAX) }] : []))
}

/** Filled in for this lead; one that needs what is not known of them is left out. */
export async function repliesFor(ctx: Context, lead: Lead | undefined): Promise<AnswerTask['replies']> {
  const [replies, keys, sender] = await Promise.all([
    listReplies(ctx, undefined, SAVED_REPLIES_MAX),
    customKeys(ctx),
    senderOf(ctx),
  ])
  const values = lead && valuesOf(ctx, lead, sender)
  return replies.flatMap(({ id, name, text }) => {
    const merged = mergeText(compileText(text, keys), values ?? {})
    return merged.missing.length > 0 ? [] : [{ id, name, text: merged.text }]
  })
}
