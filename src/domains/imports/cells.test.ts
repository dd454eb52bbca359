import { describe, expect, test } from 'vitest'
import { cellReader, splitName, type Rules } from './cells.ts'
import { rowReader } from './rows.ts'

const rules: Rules = {
  pipeline_stages: ['New', 'In talks'],
  custom_fields: [
    { key: 'note', label: 'Note', kind: 'text' },
    { key: 'seats', label: 'Seats', kind: 'number' },
    { key: 'since', label: 'Since', kind: 'date' },
    { key: 'vip', label: 'VIP', kind: 'checkbox' },
    { key: 'size', label: 'Size', kind: 'choice', options: ['Small', 'Large'] },
  ],
  owners: new Map([['ada@example.test', 'a'.repeat(24)]]),
}

const read = (field: string, cell: string) => cellReader(field, rules)(cell)

describe('a cell becomes what the API would take', () => {
  test.for<[string, string, string | number | boolean]>([
    ['phone', '+49 30 123456', '+4930123456'],
    ['phone', '0049 (0)30/12.34-56', '+4930123456'],
    ['phone', '+49 (0) 30 123456', '+4930123456'],
    ['phone', '+1 (415) 555-0123', '+14155550123'],
    ['phone', 'tel:+14155550123', '+14155550123'],
    ['email', 'mailto:ada@example.test', 'ada@example.test'],
    ['website', 'example.com', 'https://example.com'],
    ['website', 'HTTP://Example.com/a?b=c', 'http://Example.com/a?b=c'],
    ['website', 'www.example.com:8080/x', 'https://www.example.com:8080/x'],
    ['company', 'Two\r\nlines', 'Two lines'],
    ['owner', 'ADA@example.test', 'a'.repeat(24)],
    ['status', 'qualified', 'QUALIFIED'],
    ['pipeline_stage', 'in TALKS', 'In talks'],
    ['custom.note', 'as\nit is', 'as\nit is'],
    ['custom.seats', '12', 12],
    ['custom.seats', '-1.5', -1.5],
    ['custom.seats', '12,5', 12.5],
    ['custom.seats', '1,234.5', 1234.5],
    ['custom.seats', '1.234,5', 1234.5],
    ['custom.seats', "1'234.5", 1234.5],
    ['custom.seats', '1 234 567', 1234567],
    ['custom.since', '2026-03-31', '2026-03-31'],
    ['custom.since', '2026-03-31T10:00:00Z', '2026-03-31'],
    ['custom.since', '2026/3/1', '2026-03-01'],
    ['custom.since', '1.3.2026', '2026-03-01'],
    ['custom.since', '31. 12. 2026', '2026-12-31'],
    ['custom.vip', 'Yes', true],
    ['custom.vip', '0', false],
    ['custom.vip', 'nein', false],
    ['custom.size', 'small', 'Small'],
  ])('%s: %j', ([field, cell, value]) => expect(read(field, cell)).toEqual({ value }))

  test.for<[string, string, string]>([
    ['phone', '030 123456', 'country code'],
    ['phone', 'call me', 'not a phone number'],
    ['phone', '4.93E+11', 'not a phone number'],
    ['website', 'n/a', 'not a URL'],
    ['website', 'javascript:alert(1)', 'not a URL'],
    ['website', 'ftp://example.com', 'not a URL'],
    ['owner', 'nobody@example.test', 'email address of a member'],
    ['status', 'later', 'must be one of NEW'],
    ['pipeline_stage', 'Nowhere', 'must be one of New, In talks'],
    ['custom.seats', '1,234', 'not a number'],
    ['custom.seats', 'many', 'not a number'],
    ['custom.seats', '1e999', 'not a number'],
    ['custom.since', '03/05/2026', 'like 2026-03-31'],
    ['custom.since', '30.2.2026', 'like 2026-03-31'],
    ['custom.vip', 'maybe', 'yes or no'],
    ['custom.size', 'huge', 'must be one of Small, Large'],
    ['custom.gone', 'x', 'no longer a custom field'],
  ])('%s: %j is asked about', ([field, cell, words]) => {
    expect(read(field, cell)).toEqual({ wrong: expect.stringContaining(words) })
  })
})

test.for([
  ['Ada Lovelace', { first_name: 'Ada', last_name: 'Lovelace' }],
  ['Lovelace, Ada', { first_name: 'Ada', last_name: 'Lovelace' }],
  ['Mary Ann Evans', { first_name: 'Mary Ann', last_name: 'Evans' }],
  ['Ludwig van Beethoven', { first_name: 'Ludwig', last_name: 'van Beethoven' }],
  ['Juan de la Cruz', { first_name: 'Juan', last_name: 'de la Cruz' }],
  ['Plato', { first_name: 'Plato' }],
] as const)('the name %s is split', ([name, parts]) => expect(splitName(name)).toEqual(parts))

describe('a row', () => {
  const reader = rowReader(
    { columns: ['a', 'b', 'c', 'd'], mapping: ['name', 'last_name', 'email', 'custom.seats'] },
    rules,
  )

  test('is read by its columns; empty cells say nothing, and a last name of its own says it better', () => {
    expect(reader.read([' Ada  Byron ', 'Lovelace', '', ' 2 '])).toEqual({
      input: { first_name: 'Ada', last_name: 'Lovelace', custom: { seats: 2 } },
      errors: [],
    })
  })

  test('tells every fault by its column', () => {
    const { errors } = reader.read(['x'.repeat(501), '', 'no address', 'many'])
    expect(errors.map(({ column }) => column).toSorted()).toEqual([0, 2, 3])
  })

  test('that is too long is told as a whole', () => {
    expect(reader.read(['a', 'b', 'c', 'd', 'e']).errors).toEqual([
      { column: null, message: expect.stringContaining('5 cells') },
    ])
  })
})
