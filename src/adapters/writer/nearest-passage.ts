import type { ApprovedReply, ConversationTask } from '#platform/ports/writer.ts'
import { KNOWLEDGE } from '#platform/ports/writer.ts'
import { lastAsked, scoredReplies, wordsIn } from './nearest-reply.ts'

/** A word in common says something, a second one makes it likely. */
const CONFIDENCE_BASE = 0.4
const CONFIDENCE_STEP = 0.1
const CONFIDENCE_MAX = 0.9
/** Two that fit equally well: one of them is wrong. */
const CONFIDENCE_OF_TWO = 0.5
const PASSAGES_MAX = 1_000

export type Nearest = { text: string; used: string; confidence: number; topic: string | null }

/** The saved reply, or the passage of the team's text, that has most in common with what was asked. */
export function nearestPassage({
  history,
  replies,
  knowledge,
  topics,
  characters_max,
}: ConversationTask): Nearest | undefined {
  const own = passagesOf(knowledge).map((text, at): ApprovedReply => ({ id: `${at}`, name: '', text }))
  const found = [
    ...scoredReplies({ history, replies }).map(({ reply, score }) => ({ used: reply.id, reply, score })),
    ...scoredReplies({ history, replies: own }).map(({ reply, score }) => ({
      used: KNOWLEDGE,
      reply,
      score,
    })),
  ]
    .filter(({ reply }) => reply.text.length <= characters_max)
    .toSorted((a, b) => b.score - a.score)
  const [first, second] = found
  if (!first) return undefined
  const isClear = second?.score !== first.score || second.reply.text === first.reply.text
  const sure = Math.min(CONFIDENCE_MAX, CONFIDENCE_BASE + CONFIDENCE_STEP * first.score)
  const confidence = isClear ? sure : Math.min(sure, CONFIDENCE_OF_TWO)
  return { text: first.reply.text, used: first.used, confidence, topic: topicOf(lastAsked(history), topics) }
}

/** One of whose words is in what was asked. */
function topicOf(asked: string, topics: readonly string[]): string | null {
  const words = wordsIn(asked)
  return topics.find(topic => [...wordsIn(topic)].some(word => words.has(word))) ?? null
}

function passagesOf(knowledge: string | null): string[] {
  const passages = (knowledge ?? '').split(/\n+/).map(passage => passage.trim())
  return passages.filter(passage => /\p{L}/u.test(passage)).slice(0, PASSAGES_MAX)
}
