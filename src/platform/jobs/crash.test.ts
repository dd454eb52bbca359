import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '#test/command-line.ts'
import { systemClock } from '../clock.ts'
import { job } from '../registry.ts'
import { addMany, leaveEffect, openStage } from './jobs.harness.ts'
import { LEASE_MS } from './limits.ts'
import { startWorker } from './worker.ts'

const CHILD = fileURLToPath(new URL('./worker.child.ts', import.meta.url))
/** Far longer than a lease and a poll: on a loaded machine already the next child takes its time to start. */
const RECOVERY_MAX_MS = 45_000

const slow = job('slow', {}, async (ctx, job) => leaveEffect(ctx, job, 'parent'))

// Real processes and real time: one child is killed, one is frozen, and this process goes on for both.
test('the jobs of a killed worker and of a frozen one run again once their leases are over, and the frozen one writes nothing', async () => {
  expect(LEASE_MS).toBeLessThanOrEqual(10_000)
  const stage = await openStage()
  const runtime = stage.runtime([slow], { clock: systemClock })
  const ids = await addMany(runtime, 20, { kind: 'slow' })
  const killed = await startChild(stage.database.loginUrl, 'writes at once')
  await killed.hasBegun(12)
  killed.process.kill('SIGKILL')
  const killedAt = performance.now()
  const more = await addMany(runtime, 10, { kind: 'slow' })
  const frozen = await startChild(stage.database.loginUrl, 'writes later')
  await frozen.hasBegun(10)
  frozen.process.kill('SIGSTOP')
  const frozenAt = performance.now()

  const parent = startWorker(runtime)
  onTestFinished(() => parent.stop())
  const recovered = async (count: number) => {
    while (parent.stats().done < count) await new Promise(resolve => setTimeout(resolve, 10))
    return performance.now()
  }
  expect((await recovered(20)) - killedAt).toBeLessThan(RECOVERY_MAX_MS)
  expect((await recovered(30)) - frozenAt).toBeLessThan(RECOVERY_MAX_MS)

  frozen.process.kill('SIGCONT')
  frozen.process.stdin!.write('go on\n')
  expect(await frozen.ending()).toMatch(/^done 0 failed \d+$/)
  const effects = await stage.database.query<{ job_id: string; note: string }>('select * from effects')
  expect(effects.map(effect => effect.job_id).toSorted()).toEqual([...ids, ...more].toSorted())
  expect(effects.every(effect => effect.note === 'parent')).toBe(true)
  expect(await stage.jobs()).toEqual([])
})

async function startChild(url: string, manner: string) {
  const child = await startProgram(CHILD, [url, manner], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  const input = createInterface({ input: child.stdout! })
  input.on('line', line => lines.push(line))
  return {
    process: child,
    async hasBegun(count: number) {
      while (lines.length < count) await once(input, 'line')
    },
    async ending() {
      while (!lines.at(-1)?.startsWith('done')) await once(input, 'line')
      return lines.at(-1)
    },
  }
}
