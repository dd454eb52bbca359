import type { Runtime } from '#platform/context.ts'
import type { Attendant } from '#platform/registry.ts'

/** Fewer than a worker has for all that reaches outside: however many sites wait, mails and webhooks go out beside them. */
export const CRAWLS_AT_ONCE = 12
/** So long a crawl waits here for one of the others to end; then it makes room. */
const PATIENCE_MS = 200
/** About what a site takes. */
const TURN_MS = 5_000

/** The crawls of one process: how many run at once, how long the others stay away, and whether it is time to stop. */
export class Hands {
  readonly stopping = new AbortController()
  private free = CRAWLS_AT_ONCE
  private readonly waiting = new Set<() => void>()
  private sentAway = 0

  /** Whether there is a place. Who gets one gives it back. */
  async take(): Promise<boolean> {
    if (this.free === 0) return this.wait()
    this.free--
    return true
  }

  giveBack(): void {
    this.sentAway = Math.max(0, this.sentAway - 1)
    const [next] = this.waiting
    if (next) next()
    else this.free++
  }

  /** When one that found no place may ask again: those that come after it later than it. */
  backInMs(): number {
    this.sentAway++
    return Math.ceil(this.sentAway / CRAWLS_AT_ONCE) * TURN_MS
  }

  private wait(): Promise<boolean> {
    return new Promise(resolve => {
      const call = () => {
        clearTimeout(timer)
        this.waiting.delete(call)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.waiting.delete(call)
        resolve(false)
      }, PATIENCE_MS)
      this.waiting.add(call)
    })
  }
}

/** Those of this process. A job sees a copy of the runtime: the registry is the one thing that all copies share. */
export function handsOf({ registry }: Pick<Runtime, 'registry'>): Hands {
  const hands = known.get(registry) ?? new Hands()
  known.set(registry, hands)
  return hands
}
const known = new WeakMap<object, Hands>()

/** When the process stops, sites are left where they are: a stop does not wait for others' servers. */
export const stopCrawling: Attendant = runtime => ({
  stop: async () => handsOf(runtime).stopping.abort(),
})
