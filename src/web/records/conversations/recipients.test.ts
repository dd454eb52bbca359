import { expect, test } from 'vitest'
import { COPIES_MAX } from '#domains/conversations/values.ts'
import { isEmail, othersOf, parseRecipients, withRecipients } from './recipients.ts'

const one = (address: string, name: string | null = null) => ({ address, name })

test('addresses are taken as people paste them', () => {
  expect(parseRecipients('ada@example.test, bob@example.test;eve@example.test')).toEqual([
    one('ada@example.test'),
    one('bob@example.test'),
    one('eve@example.test'),
  ])
  expect(parseRecipients('ada@example.test bob@example.test\n eve@example.test\n')).toHaveLength(3)
  expect(parseRecipients('Ada Lovelace <ada@example.test>, "Doe, Bob" <bob@example.test>')).toEqual([
    one('ada@example.test', 'Ada Lovelace'),
    one('bob@example.test', 'Doe, Bob'),
  ])
  expect(parseRecipients('eve@example.test Ada <mailto:ada@example.test>')).toEqual([
    one('eve@example.test'),
    one('ada@example.test', 'Ada'),
  ])
  expect(parseRecipients(' , ;\n')).toEqual([])
})

test('what is no address stays to be fixed', () => {
  expect(parseRecipients('Ada Lovelace, bob@')).toEqual([one('Ada Lovelace'), one('bob@')])
  for (const wrong of ['Ada Lovelace', 'bob@', 'bob@example', 'a@b@c.test', 'ä@example.test', '@x.test'])
    expect(isEmail(wrong), wrong).toBe(false)
  for (const right of ['ada@example.test', "o'hara+x@mail.example.co.uk"]) expect(isEmail(right)).toBe(true)
})

test('nobody is there twice, and a field has a limit', () => {
  const ada = one('ada@example.test', 'Ada')
  expect(withRecipients([ada], [one('ADA@example.test'), one('bob@example.test')])).toEqual([
    ada,
    one('bob@example.test'),
  ])
  const many = Array.from({ length: COPIES_MAX + 1 }, (_, n) => one(`n${n}@example.test`))
  expect(withRecipients([], many)).toHaveLength(COPIES_MAX)
})

test('an answer to all goes to neither ourselves nor the counterpart a second time', () => {
  const email = {
    to: [one('Sales@Example.test'), one('bob@example.test', 'Bob')],
    cc: [one('eve@example.test'), one('grace@example.test'), one('BOB@example.test')],
  }
  expect(othersOf(email, ['sales@example.test', 'Grace@example.test'])).toEqual([
    one('bob@example.test', 'Bob'),
    one('eve@example.test'),
  ])
})
