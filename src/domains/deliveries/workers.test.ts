import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { claimDue } from '#platform/jobs/claim.ts'
import { LEASE_MS, OUTGOING_CONCURRENCY } from '#platform/jobs/limits.ts'
import { isFenced, type Job } from '#platform/jobs/queue.ts'
import { buryJob, runJobs } from '#platform/jobs/run.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { rowsOf } from '#test/rows.ts'
import { inOrder } from '#test/in-order.ts'
import { attemptLimits } from './attempt.ts'
import {
  afterAttempts,
  connected,
  readDelivery,
  readEndpoint,
  send,
  startReceiver,
  type Reaction,
  type Receiver,
} from './deliveries.harness.ts'
import { IN_HAND_MAX } from './schedule.ts'

inOrder()

const clock = new FakeClock()
const config = { outboundAllowHosts: ['localhost'] }
let receiver: Receiver

/** Without a worker: the test is each of them. */
let app: TestApp
let ada: Person

beforeAll(async () => {
  receiver = await startReceiver()
  app = await startApp({ clock, config, role: 'api' })
  ada = await app.person()
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

async function claim(worker: string): Promise<Job> {
  const [job] = await claimDue(systemContext(app.runtime), 'outgoing', worker, 1)
  expect(job).toMatchObject({ kind: 'deliveries.attempt', owner: worker })
  return job!
}

test('a worker that was frozen past its lease writes nothing when it wakes', async () => {
  const endpoint = await connected(ada, `${receiver.url}/frozen`)
  const gate = Promise.withResolvers<Reaction>()
  receiver.set('/frozen', () => gate.promise)
  const id = await send(ada, endpoint)
  const frozen = runJobs(app.runtime, [await claim('frozen')]).catch((error: unknown) => error)
  await eventually(() => expect(receiver.to('/frozen')).toHaveLength(1))
  receiver.set('/frozen', { status: 200, body: 'to the other' })
  clock.advance(LEASE_MS)
  await runJobs(app.runtime, [await claim('other')])
  const delivery = await readDelivery(ada, id)
  expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 1 })
  const before = await rowsOf(app.database, ada.team_id)
  gate.resolve({ status: 500, body: 'to the frozen one' })
  expect(isFenced(await frozen)).toBe(true)
  expect(await rowsOf(app.database, ada.team_id)).toEqual(before)
  expect((await readDelivery(ada, id)).log).toMatchObject([{ response_body: 'to the other' }])
  expect(new Set(receiver.to('/frozen').map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await readEndpoint(ada, endpoint.id)).toMatchObject({ failures: 0, last_failure_at: null })
})

test('a worker that dies after the answer leaves it to the next, and a job that has done its part does nothing', async () => {
  const endpoint = await connected(ada, `${receiver.url}/dies`)
  const id = await send(ada, endpoint)
  const dead = await claim('dead')
  // It has written what came of it, and died before it could end its job.
  await app.runtime.registry.job(dead.kind)!.run(systemContext(app.runtime, ada.team_id), dead)
  expect(await readDelivery(ada, id)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
  clock.advance(LEASE_MS)
  await runJobs(app.runtime, [await claim('next')])
  expect(await readDelivery(ada, id)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
  expect(receiver.to('/dies')).toHaveLength(1)
})

test('what a job is given up for has failed, and whoever waited behind it goes on', async () => {
  const endpoint = await connected(ada, `${receiver.url}/given-up`)
  receiver.set('/given-up', { status: 500 })
  const first = await send(ada, endpoint)
  await runJobs(app.runtime, [await claim('one')])
  expect(await readEndpoint(ada, endpoint.id)).toMatchObject({ failures: 1 })
  // Since it fails, it has one place: the second takes it, and the third waits.
  const second = await send(ada, endpoint)
  const third = await send(ada, endpoint)
  const gate = Promise.withResolvers<Reaction>()
  receiver.set('/given-up', () => gate.promise)
  const given = await claim('two')
  const running = runJobs(app.runtime, [given]).catch((error: unknown) => error)
  await eventually(() => expect(receiver.to('/given-up')).toHaveLength(2))
  await runJobs(app.runtime, [await claim('three')])
  expect(await readDelivery(ada, third)).toMatchObject({ attempts: 0, status: 'PENDING' })
  await buryJob(app.runtime, given, 'it kills every worker')
  expect(await readDelivery(ada, second)).toMatchObject({ status: 'FAILED', attempts: 0 })
  gate.resolve({ status: 200 })
  expect(isFenced(await running)).toBe(true)
  receiver.set('/given-up', { status: 200 })
  await runJobs(app.runtime, [await claim('four')])
  expect(await readDelivery(ada, third)).toMatchObject({ status: 'DELIVERED' })
  expect(await readDelivery(ada, first)).toMatchObject({ status: 'PENDING' })
})

test('a receiver that hangs, and one that answers nonsense, hold up nobody else', async () => {
  // Longer than all of it takes, however slow the machine is.
  allow(60_000)
  const busy = await startApp({ config })
  try {
    const [grace, eve] = [await busy.person(), await busy.person()]
    const hanging = await connected(grace, `${receiver.url}/hanging`)
    const poisoned = await connected(grace, `${receiver.url}/poisoned`)
    const gate = Promise.withResolvers<Reaction>()
    receiver.set('/hanging', () => gate.promise)
    receiver.set('/poisoned', () => ({ status: 200, body: Buffer.alloc(100_000) }))
    // More than there are hands to send with.
    const stuck = await Promise.all(
      Array.from({ length: 2 * OUTGOING_CONCURRENCY }, () => send(grace, hanging)),
    )
    await eventually(() => expect(receiver.to('/hanging')).toHaveLength(IN_HAND_MAX))
    const good = await send(eve, await connected(eve, `${receiver.url}/good`))
    const own = await send(grace, await connected(grace, `${receiver.url}/own`))
    const odd = await send(grace, poisoned)
    for (const [person, id] of [
      [eve, good],
      [grace, own],
      [grace, odd],
    ] as const)
      expect(await afterAttempts(person, id, 1)).toMatchObject({ status: 'DELIVERED' })
    expect(receiver.to('/hanging')).toHaveLength(IN_HAND_MAX)
    for (const id of stuck) expect(await readDelivery(grace, id)).toMatchObject({ attempts: 0 })
    // When it is over for those under way, the address is left in peace.
    gate.resolve('down')
    await eventually(async () => {
      const endpoint = await readEndpoint(grace, hanging.id)
      expect(endpoint).toMatchObject({ failures: IN_HAND_MAX })
      expect(endpoint.paused_until).not.toBeNull()
    })
    expect(receiver.to('/hanging')).toHaveLength(IN_HAND_MAX)
  } finally {
    await busy.close()
  }
})

test('an answer is waited for five seconds', async () => {
  expect(attemptLimits.timeoutMs).toBe(5_000)
  allow(300)
  receiver.set('/silent', 'hang')
  const id = await send(ada, await connected(ada, `${receiver.url}/silent`))
  await runJobs(app.runtime, [await claim('patient')])
  const [first] = (await readDelivery(ada, id)).log
  expect(first).toMatchObject({ response_status: null, error: 'No response within 0.3 s.' })
})

function allow(timeoutMs: number): void {
  const given = attemptLimits.timeoutMs
  onTestFinished(() => void (attemptLimits.timeoutMs = given))
  attemptLimits.timeoutMs = timeoutMs
}
