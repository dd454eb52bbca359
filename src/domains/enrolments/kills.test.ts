import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import { startProgram } from '#test/command-line.ts'
import { eventually } from '#test/eventually.ts'
import { randomNumbers } from '#test/random.ts'
import { full } from '#test/tier.ts'
import { startOutreach, type Outreach } from './enrolments.harness.ts'

// One shows that it works; the long run is that of the full tier.
const KILLS = Number(process.env.KILLS ?? (full ? 1_000 : 1))
const LONG = KILLS > 10
const WORKERS = LONG ? 4 : 2
const LEADS = LONG ? 500 : 40
const ANSWER_MS = LONG ? 20 : 60
const LIFE_MS_MAX = 600
const PROGRESS = 100
vi.setConfig({ testTimeout: 240_000 + KILLS * 10_000 })

const folder = await mkdtemp(join(tmpdir(), 'rapport-kills-'))
const received: string[] = []
const sink = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onData(stream, _session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const [, id] = /^message-id:\s*(<[^>]+>)/im.exec(Buffer.concat(chunks).toString())!
      // From here on the server has it, whether its answer arrives or not.
      received.push(id!)
      setTimeout(done, ANSWER_MS)
    })
  },
})
// A worker that is killed breaks its connections.
sink.on('error', () => {})
let outreach: Outreach
let smtpUrl: string

beforeAll(async () => {
  const listening = sink.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  smtpUrl = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}?maxConnections=2`
  outreach = await startOutreach({ clock: systemClock as never, role: 'api' })
})
afterAll(async () => {
  await outreach.close()
  await new Promise<void>(resolve => sink.close(() => resolve()))
  await rm(folder, { recursive: true, force: true })
})

test(`kill -9 in the middle of sending, ${KILLS} times: nothing is lost, nothing is sent twice, what is unknown is counted`, async () => {
  const { app } = outreach
  const count = async (where: string) =>
    Number((await app.database.query<{ count: string }>(`select count(*) from messages ${where}`))[0]!.count)
  // A sequence of one step: whatever of it waits is still to be done.
  const waiting = async () =>
    Number(
      (
        await app.database.query<{ count: string }>(
          `select count(*) from jobs where kind like 'enrolments.%' and state = 'ready'`,
        )
      )[0]!.count,
    )
  const lead_ids: string[] = []
  for (let n = 0; n < LEADS; n++) lead_ids.push((await outreach.lead({ phone: null })).id)
  let enrolled = 0
  const enrolAll = async () => {
    const id = await outreach.sequence([{ type: 'email', template: 'intro' }])
    const { body } = await outreach.api.post(`/api/outreach/sequences/${id}/enrolments`, { lead_ids })
    enrolled += body.data.length
  }

  await enrolAll()
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startChild()))
  const random = randomNumbers()
  for (let killed = 0; killed < KILLS; killed++) {
    const at = killed % WORKERS
    await ready(workers[at]!)
    await sleep(random() * LIFE_MS_MAX)
    await kill(workers[at]!)
    workers[at] = await startChild()
    if (killed % PROGRESS === PROGRESS - 1) process.stdout.write(`${killed + 1} kills, ${enrolled} mails …\n`)
    if ((await count(`where status = 'DUE'`)) + (await waiting()) < LEADS / 4) await enrolAll()
  }
  for (const worker of workers) await kill(worker)
  const last = await startChild(LEASE_MS)
  await eventually(async () => expect(await waiting()).toBe(0), 180_000 + enrolled * 20)
  await kill(last)

  const rows = await app.database.query<Row>(
    `select enrolments.id, enrolments.held, messages.message_id, messages.status
     from enrolments left join messages on messages.team_id = enrolments.team_id and messages.enrolment_id = enrolments.id`,
  )
  const arrived = new Set(received)
  const hasArrived = ({ message_id }: Row) => message_id !== null && arrived.has(message_id)
  const sent = rows.filter(({ status }) => status === 'SENT')
  const unknown = rows.filter(({ status }) => status === 'UNKNOWN')
  // A job that lost its worker too often is given up: its lead says so, and waits for a person.
  const givenUp = rows.filter(
    ({ status, held }) => (status === null || status === 'FAILED') && held === 'failed',
  )
  const known = new Set([...sent, ...unknown, ...givenUp])
  process.stdout.write(
    `${KILLS} kills, ${enrolled} mails: ${sent.length} sent, ${unknown.length} unknown, of which ${unknown.filter(hasArrived).length} had arrived; ${givenUp.length} given up; ${rows.length - known.size} lost, ${received.length - arrived.size} twice\n`,
  )
  // Nothing was sent twice.
  expect(received).toHaveLength(arrived.size)
  // Nothing is lost: each was handed over, or is known to be unknown, or waits for a person and did not go out.
  expect(rows).toHaveLength(enrolled)
  expect(rows.filter(row => !known.has(row))).toEqual([])
  expect(sent.filter(row => !hasArrived(row))).toEqual([])
  expect(givenUp.filter(hasArrived)).toEqual([])
  // Whatever arrived has its message.
  const written = new Set(rows.map(({ message_id }) => message_id))
  expect([...arrived].filter(id => !written.has(id))).toEqual([])
  // No more is unknown than was in hand when somebody died, and hardly anything is given up.
  expect(unknown.length).toBeLessThanOrEqual((KILLS + WORKERS) * 6)
  expect(givenUp.length).toBeLessThanOrEqual(enrolled / 1_000)
})

type Row = { id: string; held: string | null; message_id: string | null; status: string | null }

/** One whose clock is ahead by a lease takes up at once whatever the dead had in hand. */
async function startChild(aheadMs = 0): Promise<ChildProcess> {
  const file = new URL('./worker.child.ts', import.meta.url).pathname
  const words = [outreach.app.database.loginUrl, smtpUrl, folder, String(aheadMs)]
  const child = await startProgram(file, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ready = Promise.race([once(child.stdout!, 'data'), ended(child)])
  // Those that are killed before they are ready are nobody's fault.
  ready.catch(() => {})
  told.set(child, ready)
  return child
}

const told = new WeakMap<ChildProcess, Promise<unknown>>()

async function ended(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`a worker ended by itself before it was ready, with ${code}`)
}

/** It has left the database when this is over. */
async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function ready(child: ChildProcess): Promise<void> {
  await told.get(child)
}
