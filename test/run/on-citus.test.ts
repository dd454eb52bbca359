import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { compare, exceptions, type Outcome } from './on-citus.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const outcome = (file: string, failed: string[] = [], isBroken = failed.length > 0): Outcome => ({
  file,
  isBroken,
  failed,
  message: test => `${test || file} broke`,
})
const known = [
  { file: 'whole.test.ts', reason: 'reads plans' },
  { file: 'some.test.ts', tests: ['a > counts'], reason: 'reads statistics' },
]

test('what fails on Citus and is listed is expected', () => {
  const outcomes = [outcome('whole.test.ts', [], true), outcome('some.test.ts', ['a > counts'])]
  expect(compare(outcomes, known)).toEqual([])
  expect(compare([outcome('whole.test.ts', ['b'])], known)).toEqual([])
  expect(compare([], known)).toEqual([])
})

test('what fails on Citus and is not listed is reported, also a file that breaks before its first test', () => {
  const outcomes = [outcome('some.test.ts', ['a > counts', 'a > lists']), outcome('other.test.ts', [], true)]
  expect(compare(outcomes, known)).toEqual([
    { name: 'some.test.ts > a > lists', message: 'a > lists broke' },
    { name: 'other.test.ts', message: 'other.test.ts broke' },
  ])
})

test('what is listed and does not fail is reported', () => {
  const names = compare([outcome('whole.test.ts'), outcome('some.test.ts')], known).map(({ name }) => name)
  expect(names).toEqual(['whole.test.ts', 'some.test.ts > a > counts'])
})

test('each exception names a file, tests that are in it, and a reason', () => {
  for (const { file, tests = [], reason } of exceptions) {
    expect([file, existsSync(join(ROOT, file))]).toEqual([file, true])
    expect(reason).toMatch(/^[a-z].{10,}[^.]$/)
    expect(new Set(tests).size).toBe(tests.length)
    const text = readFileSync(join(ROOT, file), 'utf8')
    // Titles may be made up of values: only the beginning is looked for.
    for (const name of tests) expect([name, text.includes(name.slice(0, 8))]).toEqual([name, true])
  }
})
