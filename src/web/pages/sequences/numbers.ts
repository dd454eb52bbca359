import type { SequenceNumbers } from '#domains/enrolments/contract.ts'
import { count } from '../../ui/words.ts'

/** Progress of leads; each is a filter of the leads tab. */
export const overview = ['sent', 'opened', 'replied', 'booked'] as const
export const allParts = ['sent', 'opened', 'clicked', 'replied', 'booked', 'converted'] as const
type Part = (typeof allParts)[number] | 'enrolled' | 'active'

export type StepNumbers = SequenceNumbers['steps'][number]

const words: Record<Part, string> = {
  enrolled: 'enrolled',
  active: 'active',
  sent: 'contacted',
  opened: 'opened',
  clicked: 'clicked',
  replied: 'replied',
  booked: 'booked',
  converted: 'converted',
}

/** Before anyone is contacted, zero values are left out. */
export function told<P extends Part>(parts: readonly P[], numbers: SequenceNumbers): P[] {
  return parts.filter(part => part === 'sent' || numbers.sent > 0 || numbers[part] > 0)
}

/** "41 of 120 opened", out of those contacted. */
export function ofHowMany(part: Part, numbers: SequenceNumbers): string {
  if (part === 'enrolled' || part === 'active') return `${count(numbers[part])} ${words[part]}`
  const whole = part === 'sent' ? numbers.enrolled : numbers.sent
  return `${count(numbers[part])} of ${count(whole)} ${words[part]}`
}
