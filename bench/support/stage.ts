import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { migrate } from '#platform/database/migrate.ts'
import { bundle, inBundle, ROOT, serverPrograms } from '../../scripts/server-bundle.ts'

export type Target = { url: string; headers: Record<string, string>; memoryMiB: number; child: ChildProcess }

export type Stage = {
  databaseUrl: string
  dataDir: string
  /** Starts `bench/support/<name>.ts` in a process of its own. */
  serve(name: string, environment?: Record<string, string>): Promise<Target>
  judge(what: string, value: string, good: boolean, wanted: string): void
}

/** A PostgreSQL of its own with the schema, for as long as the benchmark runs. What it judged sets the exit code. */
export async function onStage(perform: (stage: Stage) => Promise<unknown>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  // As `npm start` runs it.
  const programs = join(ROOT, 'node_modules', '.cache', `rapport-bench-${process.pid}`)
  const children: ChildProcess[] = []
  let failed = false
  const endChildren = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  // Who stops a benchmark in the middle leaves nobody running beside the next one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      endChildren()
      void postgres.stop().finally(() => process.exit(1))
    })
  try {
    await migrate(postgres.url, new URL('../../migrations/', import.meta.url).pathname)
    await perform({
      databaseUrl: postgres.url,
      dataDir,
      async serve(name, environment = {}) {
        const source = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
        await bundle({ programs: [source, ...serverPrograms()], into: programs })
        const child = fork(join(programs, inBundle(source)), {
          env: { ...process.env, BENCH_DATABASE_URL: postgres.url, DATA_DIR: dataDir, ...environment },
          execArgv: ['--expose-gc'],
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        })
        children.push(child)
        const [message] = (await once(child, 'message')) as [Omit<Target, 'child'>]
        return { ...message, child }
      },
      judge(what, value, good, wanted) {
        if (!good) failed = true
        console.log(`${good ? 'PASS' : 'FAIL'} ${what}: ${value} (${wanted})`)
      },
    })
  } catch (error) {
    failed = true
    console.error(error)
  } finally {
    endChildren()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
    await rm(programs, { recursive: true, force: true })
  }
  // Where several take the stage one after the other, one that failed is enough.
  if (failed) process.exitCode = 1
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function percentile(values: readonly number[], part: number): number {
  const at = Math.min(values.length - 1, Math.floor((values.length * part) / 100))
  return values.toSorted((a, b) => a - b)[at]!
}
