import { SUSPECT_AFTER } from './limits.ts'
import type { Job } from './queue.ts'

/**
 * A job that lost several workers may be what killed them, or it only happened to be claimed by them each
 * time. A worker has one such job at a time: if it dies again, the culprit is found, and the others are
 * unharmed.
 */
export class Suspicion {
  private held: Job | undefined

  /** What may be done now, and the suspects that have to wait for their turn. */
  sort(jobs: readonly Job[]): { fit: Job[]; toWait: Job[] } {
    const fit: Job[] = []
    const toWait: Job[] = []
    for (const job of jobs) (this.admits(job) ? fit : toWait).push(job)
    return { fit, toWait }
  }

  /** The job is no longer in hand. True when another suspect may come now. */
  release(job: Job): boolean {
    if (this.held !== job) return false
    this.held = undefined
    return true
  }

  private admits(job: Job): boolean {
    if (job.lost < SUSPECT_AFTER) return true
    if (this.held) return false
    this.held = job
    return true
  }
}
