import { afterAll, vi } from 'vitest'

// Files share a process, so that what they all import is read once: none leaves anything behind for the next.
afterAll(() => {
  vi.resetConfig()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
