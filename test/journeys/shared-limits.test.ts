import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { perAddress } from '#http/rate-limit.ts'
import { unreportedMax } from '#platform/rate-windows.ts'
import { startRapport, type RunningRapport } from '#test/command-line.ts'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { inOrder } from '#test/in-order.ts'
import { full } from '#test/tier.ts'

// Real processes: each takes a second or two to start.

inOrder()

const PROCESSES = full ? 3 : 2
const SESSION = '/api/auth/session'

let database: TestDatabase
let dataDir: string
let processes: RunningRapport[]
beforeAll(async () => {
  database = await createDatabase()
  // Generated secrets are shared through the folder, as they are by SESSION_SECRET in production.
  dataDir = await mkdtemp(join(tmpdir(), 'rapport-limits-'))
  const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, DATABASE_LOGIN_URL: database.loginUrl }
  const first = await startRapport(env, { role: 'api' })
  const others = Array.from({ length: PROCESSES - 1 }, () => startRapport(env, { role: 'api' }))
  processes = [first, ...(await Promise.all(others))]
})
afterAll(async () => {
  const codes = await Promise.all(processes.map(each => each.stop()))
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
  expect(codes).toEqual(processes.map(() => 0))
})

test('a burst at several processes at once gets the quota and a small, known excess', async () => {
  const asked = processes.flatMap(({ url }) =>
    Array.from({ length: perAddress.quota }, () => fetch(url + SESSION)),
  )
  const replies = await Promise.all(asked)
  const statuses = replies.map(({ status }) => status)
  const through = statuses.filter(status => status === 200).length
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(through).toBeGreaterThanOrEqual(perAddress.quota)
  expect(through).toBeLessThanOrEqual(perAddress.quota + (PROCESSES - 1) * unreportedMax(perAddress.quota))
})

test('afterwards every one of them refuses, and says when the window ends', async () => {
  const ends = await Promise.all(
    processes.map(async ({ url }) => {
      const reply = await fetch(url + SESSION)
      expect(reply.status).toBe(429)
      const [, left, endsInS] = /^"address";r=(\d+);t=(\d+)$/.exec(reply.headers.get('ratelimit')!)!
      expect(left).toBe('0')
      expect(reply.headers.get('retry-after')).toBe(endsInS)
      return Number(endsInS)
    }),
  )
  // The same window everywhere; a second may pass between two of them.
  expect(Math.max(...ends) - Math.min(...ends)).toBeLessThanOrEqual(1)
})
