import { readFileSync, writeFileSync } from 'node:fs'
import type { TestModule } from 'vitest/node'

const FILE = new URL('./timings.json', import.meta.url)

/** Milliseconds a test file took on its last recorded run, by its path: `npm run test:timings` records them anew. */
export function readTimings(): Record<string, number> {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, number>
}

export function writeTimings(modules: readonly TestModule[]): void {
  const rows = modules.map(module => [module.relativeModuleId, tookMs(module)] as const)
  const sorted = rows.toSorted(([a, aMs], [b, bMs]) => bMs - aMs || (a < b ? -1 : 1))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}

/** To a tenth of a second: what is below that changes with every run. */
function tookMs(module: TestModule): number {
  const { duration, collectDuration, prepareDuration, setupDuration } = module.diagnostic()
  return Math.round((duration + collectDuration + prepareDuration + setupDuration) / 100) * 100
}
