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
  const uncontested = untouched(history.now, before, theirs, together)
  return uncontested.length === changed(before, theirs).length
    ? taking(history, theirs, uncontested)
    : undefined
}

/** The same where ours wins: of theirs, what we did not touch stays. */
export function overwrite<Content>(
  history: History<Content>,
  before: Content,
  theirs: Content,
  together: readonly (readonly string[])[],
): History<Content> {
  if (Array.isArray(before)) return history
  return taking(history, theirs, untouched(history.now, before, theirs, together))
}

/** What they changed in parts that we left alone. */
function untouched<Content>(
  mine: Content,
  before: Content,
  theirs: Content,
  together: readonly (readonly string[])[],
): string[] {
  const partOf = (name: string) => together.find(names => names.includes(name))?.[0] ?? name
  const ours = changed(before, mine).map(partOf)
  return changed(before, theirs).filter(name => !ours.includes(partOf(name)))
}

function taking<Content>(history: History<Content>, theirs: Content, names: string[]): History<Content> {
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
