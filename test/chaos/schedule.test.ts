import { expect, test } from 'vitest'
import { faultKinds, planFaults } from './schedule.ts'

const asked = { seed: 7, faults: 500, lengthMs: 600_000 }

test('the same seed plans the same faults, another one others', () => {
  expect(planFaults(asked)).toEqual(planFaults(asked))
  expect(planFaults({ ...asked, seed: 8 })).not.toEqual(planFaults(asked))
})

test('a plan has every kind of fault, in order, within its time, and several at once', () => {
  const plan = planFaults(asked)
  expect(plan).toHaveLength(500)
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(faultKinds))
  const moments = plan.map(({ at_ms }) => at_ms)
  expect(moments).toEqual(moments.toSorted((a, b) => a - b))
  expect(Math.max(...moments)).toBeLessThan(600_000)
  expect(moments.length - new Set(moments).size).toBeGreaterThan(20)
})
