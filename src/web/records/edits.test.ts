import { expect, test } from 'vitest'
import { begin, end, learn, repainted, seen, seenIn } from './edits.ts'

let count = 0
const newId = () => `record ${(count += 1)}`
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

/** As the server would answer at that second; each test has a record of its own. */
function recordAt(id: string, second: number, fields: object = {}) {
  return { id, company: 'Old', first_name: 'Ada', updated_at: at(second), ...fields }
}

test('an answer that is older than a change shows the change', () => {
  const id = newId()
  learn({ id, company: 'New', updated_at: at(2) })
  expect(seen(recordAt(id, 1))).toEqual(recordAt(id, 2, { company: 'New' }))
})

test('an answer that is as new or newer stays as it is', () => {
  const id = newId()
  learn({ id, company: 'New', updated_at: at(2) })
  for (const second of [2, 3]) {
    const answer = recordAt(id, second, { company: 'Theirs' })
    expect(seen(answer)).toBe(answer)
  }
})

test('of several changes the newest of each field counts, in whatever order they are told', () => {
  const id = newId()
  learn({ id, company: 'Third', updated_at: at(4) })
  learn({ id, company: 'Second', first_name: 'Eva', updated_at: at(3) })
  expect(seen(recordAt(id, 1))).toMatchObject({ company: 'Third', first_name: 'Eva', updated_at: at(4) })
})

test('a change is forgotten after a minute, and after a thousand others', () => {
  const id = newId()
  const old = recordAt(id, 1)
  learn({ id, company: 'New', updated_at: at(2) }, 0)
  expect(seen(old, 59_999).company).toBe('New')
  expect(seen(old, 60_000).company).toBe('Old')

  learn({ id, company: 'New', updated_at: at(2) }, 0)
  for (let n = 0; n < 999; n++) learn({ id: newId(), updated_at: at(2) }, 0)
  expect(seen(old, 0).company).toBe('New')
  learn({ id: newId(), updated_at: at(2) }, 0)
  expect(seen(old, 0).company).toBe('Old')
})

test('what is being saved lies over every answer, and over nothing but its own field', () => {
  const id = newId()
  const edit = begin(recordAt(id, 1), now => ({ ...now, company: 'Mine' }))
  expect(seen(recordAt(id, 3, { first_name: 'Eva' }))).toMatchObject({ company: 'Mine', first_name: 'Eva' })
  end(edit)
  expect(seen(recordAt(id, 3)).company).toBe('Old')
})

test('what was refused shows again what the server said, and another edit stays', () => {
  const id = newId()
  const refused = begin(recordAt(id, 1), now => ({ ...now, company: 'Mine' }))
  const shown = repainted(recordAt(id, 1))
  const other = begin(shown, now => ({ ...now, first_name: 'Eva' }))
  end(refused)
  expect(repainted(repainted(shown))).toEqual(recordAt(id, 1, { first_name: 'Eva' }))
  end(other)
  expect(repainted(shown)).toEqual(recordAt(id, 1))
})

test('what is being saved is remembered however long it takes', () => {
  const id = newId()
  const edit = begin(recordAt(id, 1), now => ({ ...now, company: 'Mine' }))
  for (let n = 0; n < 1_100; n++) learn({ id: newId(), updated_at: at(2) })
  const late = Date.now() + 3_600_000
  expect(seen(recordAt(id, 1), late).company).toBe('Mine')
  end(edit)
  expect(repainted(recordAt(id, 1, { company: 'Mine' })).company).toBe('Old')
})

test('records are found however deep an answer holds them, and what is as it was is the same object', () => {
  const [changed, other] = [newId(), newId()]
  learn({ id: changed, company: 'New', updated_at: at(2) })
  const answer = {
    pages: [
      { data: [recordAt(changed, 1), recordAt(other, 1)], next_cursor: null },
      { data: [recordAt(other, 1)] },
    ],
    count: 3,
  }
  const shown = seenIn(answer)
  expect(shown.pages[0]!.data.map(({ company }) => company)).toEqual(['New', 'Old'])
  expect(shown.pages[0]!.data[1]).toBe(answer.pages[0]!.data[1])
  expect(shown.pages[1]).toBe(answer.pages[1])
  expect(seenIn(answer.pages[1])).toBe(answer.pages[1])
})
