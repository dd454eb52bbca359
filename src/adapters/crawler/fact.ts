import type { FactKind, FoundFact } from '#platform/ports/crawler.ts'

export const FACT_LENGTH_MAX = 500
export const FACTS_PER_PAGE_MAX = 200
const LABEL_LENGTH_MAX = 80

/** The facts of one page in the order they were found: each once, each one line that a table takes. */
export class FactSheet {
  readonly facts: FoundFact[] = []
  readonly #seen = new Set<string>()

  add(kind: FactKind, value: unknown, label: string | null = null): void {
    if (this.facts.length >= FACTS_PER_PAGE_MAX) return
    const line = lineOf(value)
    // An address that is cut leads nowhere.
    if (!line || (line.endsWith('…') && /^https?:/.test(line))) return
    const name = label === null ? null : lineOf(label, LABEL_LENGTH_MAX) || null
    const key = `${kind}\n${name?.toLowerCase() ?? ''}\n${line.toLowerCase()}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.facts.push({ kind, label: name, value: line })
  }

  has(kind: FactKind): boolean {
    return this.facts.some(fact => fact.kind === kind)
  }
}

/** One line of well-formed text without control characters; empty for whatever is no text. */
export function lineOf(value: unknown, lengthMax = FACT_LENGTH_MAX): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const line = String(value)
    .slice(0, lengthMax * 20)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    // Signs that show nothing, or turn what comes after them round.
    .replace(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]/g, '')
    .toWellFormed()
    .trim()
  return line.length <= lengthMax ? line : cut(line, lengthMax)
}

/** After a word where there is one, and never within a character. */
function cut(line: string, lengthMax: number): string {
  const beginning = line.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')
  const space = beginning.lastIndexOf(' ')
  return `${(space > lengthMax / 2 ? beginning.slice(0, space) : beginning).trimEnd()}…`
}
