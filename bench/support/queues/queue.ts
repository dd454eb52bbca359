/** What the benchmark asks of a queue. Each works on its own tables of one server, in this process, with one pool size. */
export type Queue = {
  name: string
  /** One job, on disk when it answers. */
  enqueueOne(): Promise<void>
  /** Many jobs in one call, as the queue's own bulk call writes them. */
  enqueueMany(count: number): Promise<void>
  /** Works off that many jobs. Answers the seconds from the first one handled until none is left in the table. */
  drain(count: number): Promise<number>
  close(): Promise<void>
}

/** As many connections and jobs at once as the product's worker uses. */
export const CONCURRENCY = 12
export const POOL_SIZE = 20
/** Taken at once, where a queue can take several. */
export const CLAIM_COUNT = 64

const LOOK_MS = 5
const DRAIN_TIMEOUT_MS = 60_000

/** Counts handled jobs, and waits for the end of them. */
export class Tally {
  private handled = 0
  private firstAt = 0

  readonly count = (jobs = 1): void => {
    if (this.handled === 0) this.firstAt = performance.now()
    this.handled += jobs
  }

  /** `left` counts what is still in the table: a queue may note the end of a job after its handler returned. */
  async until(count: number, left: () => Promise<number>): Promise<number> {
    const deadline = performance.now() + DRAIN_TIMEOUT_MS
    while (this.handled < count) {
      if (performance.now() > deadline) throw new Error(`only ${this.handled} of ${count} jobs were handled`)
      await new Promise(resolve => setTimeout(resolve, LOOK_MS))
    }
    while ((await left()) > 0) await new Promise(resolve => setTimeout(resolve, LOOK_MS))
    return (performance.now() - this.firstAt) / 1000
  }
}
