import { describe, expect, test } from 'vitest'
import type { Lead } from '#domains/leads/contract.ts'
import { holds, valueAt, type Facts } from './fields.ts'
import type { Operator } from './values.ts'

const facts: Facts = {
  event: {
    durationSec: 200,
    text: 'Hello World',
    list: ['a', 'b'],
    deep: { er: 7 },
    empty: '',
    at: '2026-03-02',
  },
  lead: { title: 'CEO', custom: { plan: 'gold' } } as unknown as Lead,
  loop: { item: { price: 5 }, index: 2 },
}

test.for<[string, unknown]>([
  ['durationSec', 200],
  ['event.durationSec', 200],
  ['deep.er', 7],
  ['title', 'CEO'],
  ['lead.title', 'CEO'],
  ['lead.custom.plan', 'gold'],
  ['custom.plan', 'gold'],
  ['loop.item.price', 5],
  ['loop.index', 2],
  ['nothing', undefined],
  ['deep.er.more', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
  ['constructor.prototype', undefined],
  ['event.__proto__.toString', undefined],
  ['list.length', 2],
  ['text.length', undefined],
])('%s is %j', ([field, value]) => expect(valueAt(facts, field)).toEqual(value))

describe('comparing', () => {
  test.for<[string, Operator, unknown, boolean]>([
    ['durationSec', '>', 120, true],
    ['durationSec', '>', '120', true],
    ['durationSec', '>', 200, false],
    ['durationSec', '>=', 200, true],
    ['durationSec', '<', 9, false],
    ['durationSec', '<=', 200, true],
    ['durationSec', '==', '200', true],
    ['durationSec', '!=', 200, false],
    ['text', '>', 5, false],
    ['nothing', '>', 0, false],
    ['nothing', '<', 1, false],
    ['at', '>', '2026-03-01', true],
    ['at', '<', '2026-03-02T00:00:01Z', true],
    ['text', 'contains', 'world', true],
    ['list', 'contains', 'b', true],
    ['list', 'contains', 'c', false],
    ['text', 'starts_with', 'hello', true],
    ['nothing', 'starts_with', '', false],
    ['title', 'in', ['CTO', 'CEO'], true],
    ['title', 'in', 'CTO, CEO', true],
    ['title', 'in', ['CTO'], false],
    ['title', 'exists', undefined, true],
    ['empty', 'exists', undefined, false],
    ['empty', 'exists', false, true],
    ['nothing', '==', '', true],
    ['nothing', '!=', 'x', true],
    ['deep', '==', '[object Object]', false],
  ])('%s %s %j is %s', ([field, op, value, expected]) => {
    expect(holds(facts, { field, op, ...(value !== undefined && { value: value as string }) })).toBe(expected)
  })
})
