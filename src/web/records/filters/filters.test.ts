import { describe, expect, test } from 'vitest'
import type { Filter } from '#domains/fields/contract.ts'
import { dateInWords, exactly } from '../../ui/time.tsx'
import { operatorsOf } from '#platform/filters/values.ts'
import type { FilterFields } from './fields.ts'
import { filterFrom, partsOf, textOf, withoutPart } from './filter-text.ts'
import {
  aboutSubject,
  faultsIn,
  filterOf,
  isGroup,
  newRule,
  rulesOf,
  withOperator,
  type Rule,
} from './rules.ts'
import { filterInWords } from './words.ts'

const MEMBER = '0123456789abcdef01234567'
const fields: FilterFields['fields'] = (
  [
    { name: 'company', label: 'Company', type: 'text' },
    { name: 'custom.seats', label: 'Seats', type: 'number' },
    { name: 'custom.budget', label: 'Budget', type: 'money' },
    { name: 'status', label: 'Status', type: 'choice', options: ['NEW', 'WON'] },
    { name: 'custom.region', label: 'Region', type: 'choice', options: ['USA'] },
    { name: 'custom.vip', label: 'VIP', type: 'checkbox' },
    { name: 'custom.renewal', label: 'Renewal', type: 'date' },
    { name: 'created_at', label: 'Created', type: 'time' },
    { name: 'owner_id', label: 'Owner', type: 'record', of: 'member' },
    { name: 'account_id', label: 'Account', type: 'record', of: 'account' },
  ] as const
).map(field => ({
  ...field,
  operators: [...operatorsOf[field.type]],
  options: [...('options' in field ? field.options : [])],
}))
const known = {
  fields,
  activities: [{ name: 'email.opened', label: 'Emails opened', operators: ['gte' as const] }],
  nameOf: (id: string) => (id === MEMBER ? 'Maya' : undefined),
}
const text = (value: string): Filter => ({ field: 'company', op: 'contains', value })

test.for<[Filter, string]>([
  [text('lift'), 'Company contains lift'],
  [{ field: 'status', op: 'is_any_of', value: ['NEW', 'WON'] }, 'Status is New or Won'],
  [{ field: 'status', op: 'is_none_of', value: ['WON'] }, 'Status is not Won'],
  [{ field: 'custom.seats', op: 'between', value: [5, 12_000] }, 'Seats is between 5 and 12,000'],
  [{ field: 'custom.budget', op: 'gte', value: '1250.50' }, 'Budget is at least 1250.50'],
  [{ field: 'custom.vip', op: 'is', value: true }, 'VIP is yes'],
  [
    { field: 'custom.renewal', op: 'before', value: '2026-05-03' },
    `Renewal is before ${dateInWords('2026-05-03')}`,
  ],
  [{ field: 'created_at', op: 'within', value: '-1d' }, 'Created is in the last 1 day'],
  [{ field: 'created_at', op: 'within', value: '12h' }, 'Created is in the next 12 hours'],
  [{ field: 'owner_id', op: 'is', value: MEMBER }, 'Owner is Maya'],
  [{ field: 'account_id', op: 'is_not_empty' }, 'Account is not empty'],
  [{ field: 'custom.gone', op: 'is', value: 'x' }, 'custom.gone is x'],
  [{ activity: 'email.opened', op: 'gte', value: 1 }, 'Emails opened at least once'],
  [
    { activity: 'email.opened', op: 'lt', value: 2, within: '-30d' },
    'Emails opened fewer than 2 times in the last 30 days',
  ],
  [
    { or: [text('lift'), { and: [text('a'), text('b')] }] },
    'Company contains lift or (Company contains a and Company contains b)',
  ],
  [
    { and: [{ or: [text('a'), text('b')] }, text('c')] },
    '(Company contains a or Company contains b) and Company contains c',
  ],
  [{ not: text('lift') }, 'Not (Company contains lift)'],
  [
    { field: 'created_at', op: 'after', value: '2026-05-03T09:00:00.000Z' },
    `Created is after ${exactly('2026-05-03T09:00:00.000Z')}`,
  ],
  [{ field: 'custom.region', op: 'is', value: 'USA' }, 'Region is USA'],
])('%j reads %s', ([filter, words]) => {
  const said = filterInWords(filter, known)
  expect(`${said.label} ${said.words}`).toBe(words)
})

describe('a filter in an address', () => {
  test.for(['', '{', '[]', '"x"', 'null', '{}', '{"and":[]}', '{"and":[{}]}', '{"field":"x"}', '{"not":3}'])(
    '%s is none',
    text => expect(filterFrom(text)).toBeUndefined(),
  )

  test('loses one part at a time, and with the last all of it', () => {
    const filter = filterFrom(textOf({ and: [text('a'), text('b'), text('c')] }))!
    expect(partsOf(filter)).toHaveLength(3)
    expect(withoutPart(filter, 1)).toEqual({ and: [text('a'), text('c')] })
    expect(withoutPart({ and: [text('a'), text('b')] }, 0)).toEqual(text('b'))
    expect(withoutPart(text('a'), 0)).toBeUndefined()
  })
})

describe('what is edited', () => {
  test.for<[string, Filter]>([
    ['one condition', text('lift')],
    ['conditions', { and: [text('a'), { field: 'custom.seats', op: 'gte', value: 5 }] }],
    ['any of several', { or: [text('a'), { field: 'custom.vip', op: 'is', value: false }] }],
    [
      'a group',
      {
        and: [
          text('a'),
          { or: [text('b'), { activity: 'email.opened', op: 'gte', value: 2, within: '-14d' }] },
        ],
      },
    ],
    ['numbers in a list', { field: 'custom.seats', op: 'is_any_of', value: [1, 2.5] }],
    ['nothing to enter', { field: 'account_id', op: 'is_empty' }],
  ])('%s comes out as it went in', ([, filter]) => {
    const rules = rulesOf(filter)!
    expect(faultsIn(rules, fields)).toEqual(new Map())
    expect(filterOf(rules, fields)).toEqual(filter)
  })

  test.for<Filter>([
    { not: text('a') },
    { and: [text('a'), { not: text('b') }] },
    { and: [text('a'), { or: [text('b'), { and: [text('c'), text('d')] }] }] },
  ])('%j is more than can be edited', filter => expect(rulesOf(filter)).toBeUndefined())

  test('begins with one condition without a field, which is said to be missing', () => {
    const rules = rulesOf(undefined)!
    expect(rules.parts.map(part => isGroup(part))).toEqual([false])
    expect([...faultsIn(rules, fields).values()]).toEqual(['Choose a field'])
    expect(filterOf({ match: 'and', parts: [] }, fields)).toBeUndefined()
  })

  const about = (subject: string) => aboutSubject(newRule(), subject, fields)
  const entered = (subject: string, op: Rule['op'], ...values: string[]): Rule => ({
    ...about(subject),
    op,
    values,
  })

  test.for<[Rule, string | undefined]>([
    [entered('company', 'contains', '  '), 'Enter a value'],
    [entered('custom.seats', 'gte', 'many'), 'Enter a number'],
    [entered('custom.seats', 'between', '3'), 'Enter both values'],
    [entered('custom.budget', 'gte', '1,250'), 'Enter an amount like 1250.50'],
    [entered('created_at', 'within', '-d'), 'Enter a number of days'],
    [entered('created_at', 'within', '-99999d'), undefined],
    [entered('activity:email.opened', 'gte', '1.5'), 'Enter a whole number from 0 to 1000'],
    [entered('activity:email.opened', 'gte', '1000'), undefined],
    [entered('activity:email.opened', 'gte', '1001'), 'Enter a whole number from 0 to 1000'],
    [about('custom.vip'), undefined],
    [about('account_id'), undefined],
  ])('%j: %s', ([rule, fault]) =>
    expect(faultsIn({ match: 'and', parts: [rule] }, fields).get(rule.key)).toBe(fault),
  )

  test('keeps what was entered as far as another way to compare takes it', () => {
    const many = entered('status', 'is_any_of', 'NEW', 'WON')
    expect(withOperator(many, 'is').values).toEqual(['NEW'])
    expect(withOperator(many, 'is_none_of').values).toEqual(['NEW', 'WON'])
    expect(withOperator(many, 'is_empty').values).toEqual([])
    expect(withOperator(entered('custom.seats', 'is_any_of', '1', '2', '3'), 'between').values).toEqual([
      '1',
      '2',
    ])
    expect(withOperator(about('created_at'), 'before').values).toEqual([])
    expect(withOperator(about('activity:email.opened'), 'lt')).toMatchObject({
      values: ['1'],
      within: '-30d',
    })
  })
})
