import type { Fact } from './contract.ts'
import { isOwnAddress, valuesOf } from './facts.ts'

export type Points = { points: number; why: string }

export const SCORE_MAX = 100

/** How well a company can be addressed with what its site says, from 0 to 100, and why. */
export function scoreOf(facts: readonly Fact[], domain: string): { score: number; points: Points[] } {
  const points = rules.flatMap(rule => rule(facts, domain) ?? [])
  const sum = points.reduce((total, { points }) => total + points, 0)
  return { score: Math.min(sum, SCORE_MAX), points }
}

type Rule = (facts: readonly Fact[], domain: string) => Points | undefined

/** The most telling first: somebody can be reached, is known by name, and there is something to talk about. */
const rules: Rule[] = [
  (facts, domain) => {
    const emails = valuesOf(facts, 'email')
    if (emails.some(email => isOwnAddress(email, domain)))
      return { points: 25, why: 'Email address at its own domain' }
    return emails.length > 0 ? { points: 15, why: 'Email address' } : undefined
  },
  facts => {
    const phones = valuesOf(facts, 'phone')
    if (phones.some(phone => phone.startsWith('+')))
      return { points: 15, why: 'Phone number with country code' }
    return phones.length > 0 ? { points: 10, why: 'Phone number' } : undefined
  },
  has('person', 15, 'Named contacts'),
  has('description', 10, 'Describes what it does'),
  has('address', 10, 'Postal address'),
  has('social', 10, 'Social profiles'),
  has('industry', 5, 'Industry'),
  has('technology', 5, 'Technologies'),
  has('team_page', 5, 'Team page'),
]

function has(kind: Fact['kind'], points: number, why: string): Rule {
  return facts => (facts.some(fact => fact.kind === kind) ? { points, why } : undefined)
}
