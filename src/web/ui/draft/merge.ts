import { isEqual } from '../equal.ts'
import type { History } from './history.ts'

/** The same content three times. */
export type Versions<Content> = {
  /** What our edits began with, as it was typed. */
  saved: Content
  /** The same as the server has it, and what someone else made of it. */
  before: Content
  theirs: Content
}

type Together = readonly (readonly string[])[]

/**
 * Our edits on top of what someone else saved meanwhile. If the changes are in different parts, both stay, also on undo.
 * Undefined if both changed the same part, or parts that belong together.
 */
export function rebase<Content>(
  history: History<Content>,
  versions: Versions<Content>,
  together: Together,
): History<Content> | undefined {
  const { before, theirs } = versions
  if (Array.isArray(before)) return undefined
  const names = untouched(history.now, versions, together)
  return names.length === changed(before, theirs).length ? taking(history, theirs, names) : undefined
}

/** The same where ours wins: of theirs, what we did not touch stays. */
export function overwrite<Content>(
  history: History<Content>,
  versions: Versions<Content>,
  together: Together,
): History<Content> {
  if (Array.isArray(versions.before)) return history
  return taking(history, versions.theirs, untouched(history.now, versions, together))
}

/** What the server has now: theirs, and the rest as it was typed. */
export function savedWith<Content>({ saved, before, theirs }: Versions<Content>): Content {
  return Array.isArray(before) ? theirs : take(saved, theirs, changed(before, theirs))
}

/** What they changed in parts that we left alone. */
function untouched<Content>(
  mine: Content,
  { saved, before, theirs }: Versions<Content>,
  together: Together,
): string[] {
  const partOf = (name: string) => together.find(names => names.includes(name))?.[0] ?? name
  const ours = changed(saved, mine).map(partOf)
  return changed(before, theirs).filter(name => !ours.includes(partOf(name)))
}

function taking<Content>(history: History<Content>, theirs: Content, names: string[]): History<Content> {
  const over = (content: Content) => take(content, theirs, names)
  return {
    ...history,
    past: history.past.map(over),
    now: over(history.now),
    future: history.future.map(over),
  }
}

function take<Content>(content: Content, theirs: Content, names: string[]): Content {
  return { ...content, ...Object.fromEntries(names.map(name => [name, theirs[name as keyof Content]])) }
}

function changed<Content>(before: Content, after: Content): string[] {
  return Object.keys(after as object).filter(
    name => !isEqual(before[name as keyof Content], after[name as keyof Content]),
  )
}
