import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import type { SaidInChat } from '#domains/conversations/chatting.ts'
import type { ChatEntry } from './contract.ts'
import type { ChatLanguage } from './values.ts'
import { wordsOf } from './words.ts'

/** What was said as its visitor reads it. Of themselves they learn nothing that they have not said here. */
export function shownEntry(said: SaidInChat, language: ChatLanguage): ChatEntry {
  const { id, at, text, key, files, sources } = said
  const words = wordsOf(language)
  const by = writerOf(said)
  return {
    id,
    at,
    by,
    name: nameOf(said),
    text: by === 'system' ? words.person_coming : text,
    files: files.map(({ id, name, type, size }) => ({ id, name, type, size })),
    sources: sources.map(({ kind, name }) => (kind === 'facts' ? words.facts : name)),
    key,
  }
}

/** After which entry to continue. */
export function placeAfter({ at, id }: Pick<ChatEntry, 'at' | 'id'>): string {
  return encodeCursor([at, id])
}

export function placeIn(after: string): { at: string; id: string } {
  const [at, id] = decodeInstantCursor(after)
  return { at, id }
}

function writerOf({ direction, author }: SaidInChat): ChatEntry['by'] {
  if (direction === 'in') return 'visitor'
  if (author.kind === 'agent' || author.kind === 'system') return author.kind
  return 'person'
}

/** Workflows have names for the team only. */
function nameOf({ direction, author }: SaidInChat): string | null {
  return direction === 'out' && (author.kind === 'person' || author.kind === 'agent') ? author.name : null
}
