import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { statementsOf } from './statements.ts'

test.for<[string, string, string[]]>([
  ['at semicolons', 'select 1; select 2', ['select 1', 'select 2']],
  ['and none where there are only comments', '-- nothing;\n/* here; */\n;', []],
  ['but not in texts, names and comments', `select ';', "a;b" -- c;\n;`, [`select ';', "a;b" -- c;`]],
  [
    'nor after a quote in a text',
    `select 'it''s;', e'it\\'s;'; select 2`,
    [`select 'it''s;', e'it\\'s;'`, 'select 2'],
  ],
  [
    'nor in bodies, one in another',
    'do $a$ x; $b$ y; $b$ $a$; select $$;$$',
    ['do $a$ x; $b$ y; $b$ $a$', 'select $$;$$'],
  ],
  [
    'nor in a function in SQL, whose CASE ends before it',
    'create function f() begin atomic select case when true then 1 end; end; select 2',
    ['create function f() begin atomic select case when true then 1 end; end', 'select 2'],
  ],
  [
    'and keeps parameters and operators as they are',
    `select $1 - 2;select 'x'::text`,
    ['select $1 - 2', `select 'x'::text`],
  ],
])('a file is divided %s', ([, sql, statements]) => {
  expect(statementsOf(sql)).toEqual(statements)
})

test('nothing of a migration is lost', () => {
  const folder = new URL('../../../migrations/', import.meta.url)
  const without = (text: string) => text.replaceAll(/[\s;]/g, '')
  for (const name of readdirSync(folder)) {
    const sql = readFileSync(new URL(name, folder), 'utf8')
    expect(without(statementsOf(sql).join('')), name).toBe(without(sql))
  }
})
