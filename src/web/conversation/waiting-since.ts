import type { ConversationEntry } from '#domains/conversations/contract.ts'
import { isSaid } from '../records/conversations/words.ts'

type Said = Pick<ConversationEntry, 'kind' | 'automatic' | 'status' | 'direction' | 'at'>

/** When they wrote the first message that nobody has answered; of entries with the newest first. */
export function waitingSince(entries: readonly Said[]): string | undefined {
  const said = entries.filter(entry => isSaid(entry as ConversationEntry))
  const answered = said.findIndex(({ direction }) => direction === 'out')
  return said[answered < 0 ? said.length - 1 : answered - 1]?.at
}
