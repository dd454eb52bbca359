import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const LAST_LINES = 30

test('the last lines of a failing run name what failed, why, and how to run just that again', () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    [VITEST, 'run', '--config', join(import.meta.dirname, 'fixture', 'vitest.config.ts')],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, TEST_SEED: '4711', NO_COLOR: '1' } },
  )
  expect(status).toBe(1)
  const last = stdout.trimEnd().split('\n').slice(-LAST_LINES)
  expect(last.at(-1)).toBe('1 passed, 8 failed, 1 skipped')
  const from = last.findIndex(line => line.startsWith('✗'))
  expect(last.slice(from, from + 3)).toEqual([
    "✗ failing.fixture.ts > arithmetic > isn't (quite) right",
    '  a sum: expected 4 to be 5 // Object.is equality',
    "  TEST_SEED=4711 npm test -- failing.fixture.ts -t 'arithmetic . isn.t .quite. right'",
  ])
  expect(last).toContain('… and 3 more, above.')
})

test('the pattern it names finds the one test', () => {
  const { stdout } = spawnSync(
    process.execPath,
    [
      VITEST,
      'run',
      '--config',
      join(import.meta.dirname, 'fixture', 'vitest.config.ts'),
      '-t',
      'arithmetic . isn.t .quite. right',
    ],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  )
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed, 8 skipped')
})
