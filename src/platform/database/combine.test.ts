import { describe, expect, test } from 'vitest'
import { combine } from './combine.ts'
import type { Statement, StatementResult } from './flush.ts'
import { inserter } from './insert.ts'

const result = (name: string): StatementResult => ({ rows: [{ name }], rowCount: 1, command: 'SELECT' })
const guard = (key: string): Statement => ({ text: 'select refuse() where $1', values: [key] })
const row = (table: string, ...values: unknown[]): Statement => ({
  text: `insert into "${table}" ("team_id", "id") values ($1, $2)`,
  values,
  quiet: true,
})
const textsOf = (callers: Statement[][]) => combine(callers).statements.map(({ text }) => text)

describe('transactions that do the same', () => {
  test('write their rows with one INSERT for each table, and each keeps the order of its tables', () => {
    const create = (id: number) => [row('leads', 't', id), row('events', 't', id + 100)]
    const { statements } = combine([create(1), create(2), create(3)])
    expect(statements).toEqual([
      {
        text: 'insert into "leads" ("team_id", "id") values ($1, $2), ($3, $4), ($5, $6)',
        values: ['t', 1, 't', 2, 't', 3],
        quiet: true,
      },
      {
        text: 'insert into "events" ("team_id", "id") values ($1, $2), ($3, $4), ($5, $6)',
        values: ['t', 101, 't', 102, 't', 103],
        quiet: true,
      },
    ])
  })

  test('write at most ten rows with one INSERT', () => {
    const callers = (count: number) => Array.from({ length: count }, (_, id) => [row('leads', 't', id)])
    expect(combine(callers(10)).statements).toHaveLength(1)
    expect(combine(callers(11)).statements.map(({ values }) => values.length)).toEqual([20, 2])
  })

  test('ask the same question once, and different ones each', () => {
    const { statements, answer } = combine([[guard('a')], [guard('b')], [guard('a')]])
    expect(statements.map(({ values }) => values)).toEqual([['a'], ['b']])
    const results = [result('for a'), result('for b')]
    expect([0, 1, 2].map(caller => answer(results, caller))).toEqual([
      [result('for a')],
      [result('for b')],
      [result('for a')],
    ])
  })

  test('get an answer for each statement, also for a row that went with others', () => {
    const { answer } = combine([
      [guard('a'), row('leads', 't', 1), guard('last')],
      [guard('a'), row('leads', 't', 2), guard('last')],
    ])
    const written = { rows: [], rowCount: 1, command: 'INSERT' }
    const results = [result('first'), { ...written, rowCount: 2 }, result('last')]
    for (const caller of [0, 1])
      expect(answer(results, caller)).toEqual([result('first'), written, result('last')])
  })

  test('write rows together however their INSERT was built', () => {
    const insert = inserter<{ team_id: string; id: number }>('leads', ['team_id', 'id'])
    const { sql, parameters } = insert([{ team_id: 't', id: 1 }]).compile()
    const built: Statement = { text: sql, values: parameters, quiet: true }
    expect(combine([[built], [built]]).statements).toHaveLength(1)
  })

  test('keep what is to be done on a conflict', () => {
    const insert = { ...row('states', 't', 1), text: `${row('states').text} on conflict do nothing` }
    expect(textsOf([[insert], [insert]])).toEqual([
      'insert into "states" ("team_id", "id") values ($1, $2), ($3, $4) on conflict do nothing',
    ])
  })
})

describe('stays as it is', () => {
  test.for([
    ['an INSERT that answers', { ...row('leads'), text: `${row('leads').text} returning id` }],
    ['an INSERT whose rows are read', { text: row('leads').text, values: ['t', 1] }],
    ['an INSERT whose rows are counted', { ...row('leads', 't', 1), counted: () => {} }],
    [
      'an INSERT that updates on a conflict',
      { ...row('n'), text: `${row('n').text} on conflict (id) do update set n = 1` },
    ],
    ['an INSERT of expressions', { ...row('leads'), text: 'insert into "leads" ("id") values (lower($1))' }],
    [
      'an INSERT with its values in another order',
      { ...row('n'), text: 'insert into "n" ("a", "b") values ($2, $1)' },
    ],
    ['a question whose rows are counted', { ...guard('a'), counted: () => {} }],
  ] satisfies [string, Statement][])('%s', ([, statement]) => {
    const { statements, answer } = combine([[statement], [statement]])
    expect(statements).toEqual([statement, statement])
    expect(answer([result('1'), result('2')], 1)).toEqual([result('2')])
  })

  test('what transactions of different kinds do', () => {
    const callers = [[row('accounts', 't', 1), row('leads', 't', 2)], [row('leads', 't', 3)]]
    expect(combine(callers).statements).toEqual(callers.flat())
  })
})
