import { expect, test } from 'vitest'
import type { Lead } from '#domains/leads/contract.ts'
import { hear, latest } from './latest.ts'

let count = 0
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

/** As the server would answer at that second; each test has a lead of its own. */
function leadNamed(id: string, company: string, second: number): Lead {
  return { id, company, first_name: 'Ada', updated_at: at(second) } as Lead
}

const newId = () => `lead ${(count += 1)}`

test('an answer that is older than a change shows the change', () => {
  const id = newId()
  hear(id, { company: 'New', updated_at: at(2) })
  expect(latest(leadNamed(id, 'Old', 1))).toMatchObject({
    company: 'New',
    first_name: 'Ada',
    updated_at: at(2),
  })
})

test('an answer that is as new or newer stays as it is', () => {
  const id = newId()
  hear(id, { company: 'New', updated_at: at(2) })
  for (const second of [2, 3]) {
    const answer = leadNamed(id, 'Theirs', second)
    expect(latest(answer)).toBe(answer)
  }
})

test('of several changes the newest of each field counts, in whatever order they are told', () => {
  const id = newId()
  hear(id, { company: 'Third', updated_at: at(4) })
  hear(id, { company: 'Second', first_name: 'Eva', updated_at: at(3) })
  expect(latest(leadNamed(id, 'First', 1))).toMatchObject({
    company: 'Third',
    first_name: 'Eva',
    updated_at: at(4),
  })
})

test('a change is forgotten after a minute, and after a thousand others', () => {
  const id = newId()
  hear(id, { company: 'New', updated_at: at(2) }, 0)
  const old = leadNamed(id, 'Old', 1)
  expect(latest(old, 59_999).company).toBe('New')
  expect(latest(old, 60_000).company).toBe('Old')

  hear(id, { company: 'New', updated_at: at(2) }, 0)
  for (let n = 0; n < 999; n++) hear(newId(), { updated_at: at(2) }, 0)
  expect(latest(old, 0).company).toBe('New')
  hear(newId(), { updated_at: at(2) }, 0)
  expect(latest(old, 0).company).toBe('Old')
})
