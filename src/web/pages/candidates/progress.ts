import type { CandidateStatus } from '#domains/candidates/values.ts'

export type Counts = Record<CandidateStatus, number>
/** `from`: how many were settled when the crawls that run now were first seen. */
export type Run = { from: number; done: number; of: number }

/** How far the crawls are that run now, as far as this page has seen them; none while nothing runs. */
export function runOf(before: Run | undefined, counts: Counts): Run | undefined {
  const underWay = counts.QUEUED + counts.CRAWLING
  if (underWay === 0) return undefined
  const settled = counts.CRAWLED + counts.BLOCKED + counts.FAILED + counts.GONE
  // One that is read again was settled before, and one in the trash is no longer.
  const from = Math.min(before?.from ?? settled, settled)
  return { from, done: settled - from, of: settled - from + underWay }
}
