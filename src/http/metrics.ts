import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from '#platform/database/pool.ts'
import type { Worker } from '#platform/jobs/worker.ts'

export type Metrics = {
  observe(route: string, method: string, status: number, seconds: number): void
  /** An answer that was made before it was asked for: it takes no time that could be measured. */
  countReady(route: string): void
  text(): Promise<string>
  contentType: string
}

/** Of the process: what measures it does so until it ends, so that every server in it shares the same. */
let ofProcess: Registry | undefined

function processMetrics(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

/** What Prometheus scrapes: durations by route pattern, never by id or team. */
export function createMetrics(pool: Pool, worker: Worker | undefined): Metrics {
  const registry = new Registry()
  const registries = [processMetrics(), registry]
  const durations = new Histogram({
    name: 'rapport_http_request_duration_seconds',
    help: 'Request duration',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const ready = new Map<string, number>()
  registry.registerMetric(
    new Counter({
      name: 'rapport_http_ready_answers_total',
      help: 'Responses served from memory, not included in the request durations',
      labelNames: ['route'],
      registers: [],
      collect() {
        for (const [route, count] of ready) this.inc({ route }, count)
        ready.clear()
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'rapport_database_connections',
      help: 'Database connections of this process',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [state, count] of Object.entries(pool.stats())) this.set({ state }, count)
      },
    }),
  )
  if (worker) {
    registry.registerMetric(
      new Gauge({
        name: 'rapport_jobs',
        help: 'Jobs completed, failed, buried and in progress in this process',
        labelNames: ['outcome'],
        registers: [],
        collect() {
          for (const [outcome, count] of Object.entries(worker.stats())) this.set({ outcome }, count)
        },
      }),
    )
  }
  return {
    observe: (route, method, status, seconds) =>
      durations.observe({ route, method, status: String(status) }, seconds),
    countReady: route => ready.set(route, (ready.get(route) ?? 0) + 1),
    text: async () => (await Promise.all(registries.map(each => each.metrics()))).join('\n'),
    contentType: registry.contentType,
  }
}
