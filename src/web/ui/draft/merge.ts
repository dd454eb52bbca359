import { isEqual } from '../equal.ts'
import type { History } from './history.ts'

/**
 * Our edits on top of what someone else saved meanwhile. If the changes are in different parts, both stay, also on undo.
 * Undefined if both changed the same part, or parts that belong together.
 */
export function rebase<Content>(
  history: History<Content>,
  before: Content,
  theirs: Content,
  together: readonly (readonly string[])[],
): History<Content> | undefined {
  if (Array.isArray(before)) return undefined
  const partOf = (name: string) => together.find(names => names.includes(name))?.[0] ?? name
  const mine = changed(before, history.now).map(partOf)
  const names = changed(before, theirs)
  if (names.some(name => mine.includes(partOf(name)))) return undefined
  const news = Object.fromEntries(names.map(name => [name, theirs[name as keyof Content]]))
  const over = (content: Content) => ({ ...content, ...news })
  return {
    ...history,
    past: history.past.map(over),
    now: over(history.now),
    future: history.future.map(over),
  }
}

function changed<Content>(before: Content, after: Content): string[] {
  return Object.keys(after as object).filter(
    name => !isEqual(before[name as keyof Content], after[name as keyof Content]),
  )
}
