import type { AnswerTask, ApprovedReply } from '#platform/ports/writer.ts'

/** A word of a reply's name says more of what it is for than one of its text. */
const NAME_WEIGHT = 3
/** Two words of the text in common, or one of the name. */
const SCORE_MIN = 2
const WORD_LENGTH_MIN = 4

/** The replies that have most in common with what was asked last, the nearest first; none that has hardly anything. */
export function nearestReplies(
  task: Pick<AnswerTask, 'history' | 'replies'>,
  limit: number,
): ApprovedReply[] {
  return scoredReplies(task)
    .slice(0, limit)
    .map(({ reply }) => reply)
}

/** The same with how much each has in common. */
export function scoredReplies({
  history,
  replies,
}: Pick<AnswerTask, 'history' | 'replies'>): { reply: ApprovedReply; score: number }[] {
  const asked = wordsIn(lastAsked(history))
  const common = commonWords(replies)
  const score = (text: string) =>
    [...wordsIn(text)].filter(word => asked.has(word) && !common.has(word)).length
  return replies
    .map(reply => ({ reply, score: score(reply.name) * NAME_WEIGHT + score(reply.text) }))
    .filter(found => found.score >= SCORE_MIN)
    .toSorted((a, b) => b.score - a.score)
}

/** What they have written since we wrote last. */
export function lastAsked(history: AnswerTask['history']): string {
  const at = history.findLastIndex(({ by }) => by === 'us')
  return history
    .slice(at + 1)
    .map(({ text }) => text)
    .join('\n')
}

/** Words that most of the replies have tell none of them apart. */
function commonWords(replies: readonly ApprovedReply[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { name, text } of replies)
    for (const word of wordsIn(`${name} ${text}`)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const most = Math.max(2, replies.length / 2)
  return new Set([...counts].filter(([, count]) => count > most).map(([word]) => word))
}

/** By their beginning, so that "prices" and "price" are one. */
export function wordsIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter(word => word.length >= WORD_LENGTH_MIN).map(word => word.slice(0, STEM_LENGTH)))
}
const STEM_LENGTH = 5
