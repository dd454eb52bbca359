import { afterAll, afterEach, vi } from 'vitest'
import { hearWitnesses } from './witnesses.ts'

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
