import type { Fact } from '#domains/candidates/contract.ts'
import { kindWords } from './words.ts'

export type Brief = { label: string; facts: Fact[]; more: number }

const SHOWN_MAX = 4

/** The most useful kinds of facts for a short summary, in order. */
const kinds: [kind: Fact['kind'], label: string][] = [
  ['industry', kindWords.industry],
  ['email', kindWords.email],
  ['phone', kindWords.phone],
  ['address', kindWords.address],
  ['person', 'People'],
  ['technology', 'Technologies'],
  ['social', 'Profiles'],
]

export function briefOf(facts: Fact[]): Brief[] {
  return kinds.flatMap(([kind, label]) => {
    const own = facts.filter(fact => fact.kind === kind)
    if (own.length === 0) return []
    return [{ label, facts: own.slice(0, SHOWN_MAX), more: Math.max(0, own.length - SHOWN_MAX) }]
  })
}
