import { openThread, type Thread } from '#platform/thread.ts'
import type { Extract, Source } from './extract.ts'

export type Page = { bytes: Uint8Array; source: Source }
export type Reader = Thread<Page, Extract>

/** Two hundred kilobytes of tags that close what was never open keep a parser busy for minutes. */
export function openReader({ pageCpuMs }: { pageCpuMs: number }): Reader {
  return openThread(new URL('./reader-thread.ts', import.meta.url), { cpuMs: pageCpuMs })
}
