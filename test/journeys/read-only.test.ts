import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staysOpen } from '#domains/credits/gate.ts'
import { changePlan } from '#domains/credits/plan.ts'
import { readCredits } from '#domains/credits/service.ts'
import type { Endpoint } from '#platform/contract.ts'
import { startApp } from '#test/app.ts'
import { expectNone, failuresOf } from '#test/attempts.ts'
import type { Client, Reply } from '#test/client.ts'
import { isRepeatable, readOperations, type Operation } from '#test/operations.ts'
import { expectProblem } from '#test/problem.ts'
import { fillTeam } from '#test/records.ts'
import { watchWrites } from '#test/writes.ts'

// Without a worker, so that only requests change rows.
const app = await startApp({ role: 'api' })
const operations = await readOperations(app.url)
const team = await fillTeam(app, operations, await app.person())
const writes = await watchWrites(app.database)
let key: Client

beforeAll(async () => {
  key = await team.person.key()
  await key.get('/api/crm/leads/outline')
  await readCredits(team.person.ctx)
  await changePlan(team.person.ctx, { plan: 'EXPIRED' })
})
afterAll(() => app.close())

const ofTeam = operations.filter(({ access }) => typeof access === 'object')
const unsafe = ofTeam.filter(({ method }) => method !== 'GET')
const open = unsafe.filter(isOpen)
const closed = unsafe.filter(operation => !isOpen(operation))
const readable = ofTeam.filter(
  ({ method, success }) => method === 'GET' && success.media !== 'text/event-stream',
)

test('what stays open of a team whose trial is over is this, and money', () => {
  const names = open.map(({ name }) => name).filter(name => !name.includes('/api/crm/invoices'))
  expect(names.toSorted()).toEqual([
    'DELETE /api/auth/sessions/{id}',
    'DELETE /api/keys/{id}',
    'DELETE /api/notifications/push/{id}',
    'DELETE /api/oauth/clients/{id}',
    'DELETE /api/oauth/grants/{id}',
    'DELETE /api/team/invitations/{id}',
    'DELETE /api/team/members/{id}',
    'POST /api/auth/sessions/end_others',
    'POST /api/auth/team',
    'POST /api/notifications/read',
    'POST /api/team/leave',
  ])
  expect(closed.length).toBeGreaterThan(80)
})

// In this order: some of what stays open ends what the others need.
describe('an expired team', { shuffle: false }, () => {
  test('is refused everything else, and nothing is written', async () => {
    const attempt = async (operation: Operation) => {
      const byPerson = await call(team.person.browser, operation)
      expect(expectProblem(byPerson, 403, 'trial_expired').detail).toContain('view and export')
      if ('scope' in (operation.access as object))
        expectProblem(await call(key, operation), 403, 'trial_expired')
    }
    expectNone(await failuresOf(closed, attempt, { writes }))
  })

  test('can still read everything', async () => {
    const attempt = async (operation: Operation) => {
      const { status, text } = await call(team.person.browser, operation)
      expect(status, text).toBeLessThan(400)
    }
    expect(readable.length).toBeGreaterThan(80)
    expectNone(await failuresOf(readable, attempt))
  })

  test('can do what stays open', async () => {
    const attempt = async (operation: Operation) => {
      const { status, text } = await call(team.person.browser, operation)
      expect(text).not.toContain('trial_expired')
      expect(status, text).not.toBe(403)
    }
    expectNone(await failuresOf(open.filter(isRepeatable), attempt, { atOnce: 1 }))
  })
})

/** As the gate is asked: by the path of the contract. */
function isOpen({ method, path }: Operation): boolean {
  const asked = path.replace(/\{(\w+)\}/g, ':$1') as Endpoint['path']
  return staysOpen({ method: method as Endpoint['method'], path: asked })
}

async function call(caller: Client, operation: Operation): Promise<Reply> {
  const { path, body } = team.request(operation)
  if (operation.upload) return caller.raw(operation.method, path, body as Blob)
  return operation.body
    ? caller.raw(operation.method, path, JSON.stringify(body), { 'content-type': 'application/json' })
    : caller.raw(operation.method, path, undefined)
}
