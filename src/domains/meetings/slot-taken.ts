import { Problem } from '#platform/problem.ts'
import type { Slots } from './contract.ts'

type Alternatives = Slots['slots']

/** The host cannot be met then: something else is at that time, or it is not among the hours for meetings. */
export type Unavailable = 'taken' | 'outside_hours'

/** Says when the host is free instead. */
export class SlotTaken extends Problem {
  readonly alternatives: Alternatives
  readonly unavailable: Unavailable

  constructor(alternatives: Alternatives, unavailable: Unavailable = 'taken') {
    const is = unavailable === 'taken' ? 'is taken' : 'is outside the bookable hours'
    super('conflict', `This time ${is}.`, {
      code: 'slot_taken',
      errors: [
        { path: 'starts_at', message: is },
        ...alternatives.map(({ starts_at }) => ({ path: 'starts_at', message: `${starts_at} is free` })),
      ],
    })
    this.alternatives = alternatives
    this.unavailable = unavailable
  }
}
