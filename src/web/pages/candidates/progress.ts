import type { CandidateStatus } from '#domains/candidates/values.ts'

export type Counts = Record<CandidateStatus, number>
/** `from`: how many were settled when this run was first seen. */
export type Run = { from: number; done: number; of: number }

/** Progress of the running crawls since this page first saw them; undefined while none run. */
export function runOf(before: Run | undefined, counts: Counts): Run | undefined {
  const underWay = counts.QUEUED + counts.CRAWLING
  if (underWay === 0) return undefined
  const settled = counts.CRAWLED + counts.BLOCKED + counts.FAILED + counts.GONE
  // Recrawls were settled before, and candidates in the trash no longer count.
  const from = Math.min(before?.from ?? settled, settled)
  return { from, done: settled - from, of: settled - from + underWay }
}
