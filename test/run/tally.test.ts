import { appendFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addRound, linesOf, readRounds, talliesOf, type Round } from './tally.ts'

let seed = 0

function round(fields: Partial<Round> = {}): Round {
  const at = '2026-11-18T12:34:56.000Z'
  return { commit: 'abc', files: [], calm: false, seed: ++seed, at, failed: [], ...fields }
}

test('clean rounds of a commit add up over sessions', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'rapport-tally-')), 'kept', 'rounds.jsonl')
  expect(readRounds(file)).toEqual([])
  addRound(file, round())
  addRound(file, round())
  expect(talliesOf(readRounds(file))).toMatchObject([{ commit: 'abc', clean: 2 }])
  // A session that was killed while it wrote.
  appendFileSync(file, '\n{"commit":"abc","fil')
  addRound(file, round())
  expect(talliesOf(readRounds(file))).toMatchObject([{ commit: 'abc', clean: 3 }])
})

test('a failed round sets the count back, and is named until the end', () => {
  const failed = round({ failed: ['a.test.ts > one', 'a.test.ts > two', 'b.test.ts > three', 'c.test.ts'] })
  const [tally] = talliesOf([round(), round(), failed, round()])
  expect(tally).toEqual({ commit: 'abc', files: [], calm: false, clean: 1, reset: failed })
  expect(linesOf(tally!)).toEqual([
    'abc, all tests: 1 clean round in a row',
    `  reset on 2026-11-18T12:34, seed ${failed.seed}, by`,
    '  ✗ a.test.ts > one',
    '  ✗ a.test.ts > two',
    '  ✗ b.test.ts > three',
    '  … and 1 more',
  ])
})

test('another commit, other files and other conditions have a count of their own', () => {
  const tallies = talliesOf([
    round(),
    round({ commit: 'def', failed: ['a.test.ts'] }),
    round({ files: ['b.test.ts', 'a.test.ts'] }),
    round({ calm: true }),
    round({ files: ['a.test.ts', 'b.test.ts'] }),
    round(),
  ])
  expect(tallies.flatMap(linesOf)).toEqual([
    'def, all tests: 0 clean rounds in a row',
    `  reset on 2026-11-18T12:34, seed ${tallies[0]!.reset!.seed}, by`,
    '  ✗ a.test.ts',
    'abc, all tests, calm: 1 clean round in a row',
    'abc, 2 files: 2 clean rounds in a row',
    'abc, all tests: 2 clean rounds in a row',
  ])
})
