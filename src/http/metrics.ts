import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from '#platform/database/pool.ts'
import type { Worker } from '#platform/jobs/worker.ts'

export type Metrics = {
  observe(route: string, method: string, status: number, seconds: number): void
  text(): Promise<string>
  contentType: string
}

/** What Prometheus scrapes: durations by route pattern, never by id or team. */
export function createMetrics(pool: Pool, worker: Worker | undefined): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'rapport_http_request_duration_seconds',
    help: 'How long requests took',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  registry.registerMetric(
    new Gauge({
      name: 'rapport_database_connections',
      help: 'Connections of this process to the database',
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
        help: 'Jobs this process has done, failed at, buried, and has in hand',
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
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
