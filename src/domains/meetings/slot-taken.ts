import { Problem } from '#platform/problem.ts'
import type { Slots } from './contract.ts'

type Alternatives = Slots['slots']

/** The host is not free then. Says when it is instead. */
export class SlotTaken extends Problem {
  readonly alternatives: Alternatives

  constructor(alternatives: Alternatives, message = 'This time is taken.') {
    super('conflict', message, {
      code: 'slot_taken',
      errors: [
        { path: 'starts_at', message: 'is taken' },
        ...alternatives.map(({ starts_at }) => ({ path: 'starts_at', message: `${starts_at} is free` })),
      ],
    })
    this.alternatives = alternatives
  }
}
