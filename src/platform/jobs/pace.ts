import { GROUP_MAX, GROUP_TIME_MS } from './limits.ts'

const WEIGHT_OF_NEWEST = 0.2

/**
 * How many jobs of a kind may share a transaction: as many as are quick together. A kind begins alone, and begins
 * again after a group of it failed.
 */
export class Pace {
  private readonly msPerJob = new Map<string, number>()
  private readonly groupTimeMs: number

  constructor(groupTimeMs = GROUP_TIME_MS) {
    this.groupTimeMs = groupTimeMs
  }

  groupSize(kind: string): number {
    const ms = this.msPerJob.get(kind) ?? this.groupTimeMs
    return Math.max(1, Math.min(GROUP_MAX, Math.floor(this.groupTimeMs / ms)))
  }

  note(kind: string, jobs: number, ms: number): void {
    const before = this.msPerJob.get(kind) ?? this.groupTimeMs
    this.msPerJob.set(kind, before + WEIGHT_OF_NEWEST * (ms / jobs - before))
  }

  failed(kind: string): void {
    this.msPerJob.set(kind, this.groupTimeMs)
  }
}
