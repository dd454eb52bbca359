import fc from 'fast-check'
import { afterAll, afterEach, vi } from 'vitest'
import { seed } from './random.ts'
import { standStillNowAndThen } from './shake.ts'
import { hearWitnesses } from './witnesses.ts'
import { recordInto } from '../plans/recorder.ts'

fc.configureGlobal({ seed })
if (process.env.TEST_SHAKE === 'all') standStillNowAndThen()
if (process.env.TEST_STATEMENTS) recordInto(process.env.TEST_STATEMENTS)

// Files share a process, so that what they all import is read once: none leaves anything behind for the next.
afterAll(() => {
  vi.resetConfig()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

// A test that fails on a machine far away is understood by what its windows show.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  const told = await hearWitnesses()
  if (told) process.stderr.write(`${task.name}\n${told}\n`)
})
