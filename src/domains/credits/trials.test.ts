import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getSettings } from '#domains/messages/settings.ts'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { expectProblem } from '#test/problem.ts'
import { renewAndExpire } from './jobs.ts'
import { changePlan, expireTrial } from './plan.ts'
import { listEntries, readCredits, useCredits } from './service.ts'

const START = '2026-03-02T09:00:00.000Z'
const DAY_MS = 86_400_000
const TRIAL_MS = 14 * DAY_MS
const CRON = { authorization: 'Bearer cron-secret-of-the-tests' }

const clock = new FakeClock(START)
let app: TestApp
beforeAll(async () => {
  // No worker: only what a test calls happens.
  app = await startApp({ role: 'api', clock, config: { trialDays: 14 } })
})
afterAll(() => app.close())

const lead = { first_name: 'Grace' }
const createLead = ({ browser }: Person) => browser.post('/api/crm/leads', lead)

describe('a trial', () => {
  test('begins with the team, and lasts to the millisecond, whether or not a job has run', async () => {
    clock.set(START)
    const ada = await app.person()
    clock.advance(3 * DAY_MS)
    expect((await ada.browser.get('/api/credits')).body).toMatchObject({
      plan: 'TRIAL',
      trial_ends_at: '2026-03-16T09:00:00.000Z',
    })
    clock.set('2026-03-16T08:59:59.999Z')
    expect((await createLead(ada)).status).toBe(201)
    clock.advance(1)
    const refused = expectProblem(await createLead(ada), 403, 'trial_expired')
    expect(refused.detail).toMatch(/^Your team's trial has ended\. You can still view and export everything/)
    expect((await ada.browser.get('/api/credits')).body.plan).toBe('EXPIRED')
    expect((await ada.browser.get('/api/crm/leads')).body.data).toHaveLength(1)
  })

  test('that is over binds keys as well as people, and takes no credits', async () => {
    clock.set(START)
    const ada = await app.person()
    const key = await ada.key()
    expect((await key.post('/api/crm/leads', lead)).status).toBe(201)
    clock.advance(TRIAL_MS)
    expectProblem(await key.post('/api/crm/leads', lead), 403, 'trial_expired')
    expect((await key.get('/api/crm/leads')).status).toBe(200)
    const use = useCredits(ada.ctx, { amount: 1, reference: 'crawl', note: null })
    await expect(use).rejects.toMatchObject({ code: 'trial_expired' })
    expect((await readCredits(ada.ctx)).balance).toBe(100)
  })

  test('a team that never did anything has its trial all the same', async () => {
    clock.set(START)
    const ada = await app.person()
    clock.advance(TRIAL_MS)
    expectProblem(await createLead(ada), 403, 'trial_expired')
    const rows = await app.database.query('select from credit_accounts where team_id = $1', [ada.team_id])
    expect(rows).toHaveLength(0)
    await renewAndExpire(systemContext(app.runtime))
    expect(await told(ada)).toEqual([ada.user_id])
  })

  test('is nothing for teams that were there before there were any', async () => {
    clock.set(START)
    const ada = await app.person()
    clock.advance(TRIAL_MS)
    const migration = readFileSync(new URL('../../../migrations/0018_credits.sql', import.meta.url), 'utf8')
    const [upgrade] = /insert into credit_accounts[^;]*/.exec(migration)!
    await app.database.query(`${upgrade} where id = '${ada.team_id}'`)
    expect((await createLead(ada)).status).toBe(201)
    expect(await readCredits(ada.ctx)).toMatchObject({
      plan: 'ACTIVE',
      balance: 100,
      resets_at: '2026-04-02T00:00:00.000Z',
    })
  })

  test('what takes access away, leads elsewhere or is about money stays open', async () => {
    clock.set(START)
    const ada = await app.person()
    const { body: key } = await ada.browser.post('/api/keys', { name: 'Old', scopes: ['leads:read'] })
    const bob = await colleagueOf(app, ada, 'MEMBER')
    clock.advance(TRIAL_MS)
    expectProblem(await createLead(ada), 403, 'trial_expired')
    expect((await ada.browser.delete(`/api/keys/${key.id}`)).status).toBe(204)
    expect((await ada.browser.get('/api/crm/leads/export')).status).toBe(200)
    expect((await ada.browser.post('/api/auth/team', { teamId: ada.team_id })).status).toBe(200)
    expect((await bob.browser.post('/api/team/leave')).status).toBe(204)
    expect((await ada.browser.post('/api/auth/signout')).status).toBe(204)
  })
})

describe('the job that ends trials', () => {
  test('tells the admins once, by notification and mail, and holds outreach', async () => {
    clock.set(START)
    const ada = await app.person()
    const bob = await colleagueOf(app, ada, 'ADMIN')
    await colleagueOf(app, ada, 'MEMBER')
    await readCredits(ada.ctx)
    clock.advance(TRIAL_MS - 1)
    await renewAndExpire(systemContext(app.runtime))
    expect(await told(ada)).toEqual([])
    clock.advance(1)
    const rounds = Array.from({ length: 5 }, () => renewAndExpire(systemContext(app.runtime)))
    await Promise.all([...rounds, expireTrial(ada.ctx), expireTrial(ada.ctx)])
    expect((await told(ada)).toSorted()).toEqual([ada.user_id, bob.user_id].toSorted())
    expect((await mailed(ada)).toSorted()).toEqual(await addressesOf([ada, bob]))
    expect((await getSettings(ada.ctx)).paused_at).toBe('2026-03-16T09:00:00.000Z')
    const moves = await eventsOf(ada, 'credits.plan_changed')
    expect(moves).toEqual([{ before: 'TRIAL', after: 'EXPIRED' }])
    clock.advance(40 * DAY_MS)
    await renewAndExpire(systemContext(app.runtime))
    expect(await told(ada)).toHaveLength(2)
  })

  test('a clock set back does not bring a trial back', async () => {
    clock.set(START)
    const ada = await app.person()
    await readCredits(ada.ctx)
    clock.advance(TRIAL_MS)
    await expireTrial(ada.ctx)
    clock.set(START)
    expectProblem(await createLead(ada), 403, 'trial_expired')
  })

  test('a worker ends it on time, without the daily job', async () => {
    const own = new FakeClock(START)
    const running = await startApp({ clock: own, config: { trialDays: 14 } })
    try {
      const ada = await running.person()
      await readCredits(ada.ctx)
      own.advance(TRIAL_MS)
      await eventually(async () => {
        const rows = await running.database.query('select plan from credit_accounts')
        expect(rows).toEqual([{ plan: 'EXPIRED' }])
      })
      await eventually(() => {
        expect(running.mail.sent.map(({ subject }) => subject)).toEqual(["Your team's trial has ended"])
      })
    } finally {
      await running.close()
    }
  })
})

describe('/api/cron/credits', () => {
  test('called twice at once, it renews each quota that is due once, after missed months too', async () => {
    clock.set(START)
    const ada = await app.person()
    await useCredits(ada.ctx, { amount: 40, reference: 'crawl', note: null })
    await changePlan(ada.ctx, { plan: 'ACTIVE' })
    clock.set('2026-06-20T00:00:00.000Z')
    const cron = client(app.url, CRON)
    const replies = await Promise.all([cron.post('/api/cron/credits'), cron.get('/api/cron/credits')])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies.map(({ body }) => body.status)).toContain('done')
    const again = await cron.post('/api/cron/credits')
    expect(again.body).toMatchObject({ job: 'credits', status: 'done', processed: { reset: 0, expired: 0 } })
    const { data } = await listEntries(ada.ctx, {})
    expect(data.map(({ kind, amount, reference }) => [kind, amount, reference])).toEqual([
      ['quota', 100, '2026-06-02'],
      ['expiry', -60, '2026-06-02'],
      ['use', -40, 'crawl'],
      ['quota', 100, '2026-03-02'],
    ])
  })

  test("one team's trouble is not the others', and is told", async () => {
    clock.set('2026-06-20T00:00:00.000Z')
    const [ada, bob] = [await app.person(), await app.person()]
    await Promise.all([readCredits(ada.ctx), readCredits(bob.ctx)])
    clock.set('2026-07-20T00:00:00.000Z')
    await app.database.query(
      `alter table credit_entries add constraint stumble check (team_id <> '${ada.team_id}') not valid`,
    )
    try {
      await expect(renewAndExpire(systemContext(app.runtime))).rejects.toThrow('1 teams could not')
      expect((await eventsOf(bob, 'credits.changed')).length).toBe(1)
    } finally {
      await app.database.query('alter table credit_entries drop constraint stumble')
    }
    await renewAndExpire(systemContext(app.runtime))
    expect((await eventsOf(ada, 'credits.changed')).length).toBe(1)
  })
})

describe("the operator's word", () => {
  test('an expired team goes on when it is made active; its outreach waits for its people', async () => {
    clock.set(START)
    const ada = await app.person()
    clock.advance(TRIAL_MS)
    await expireTrial(ada.ctx)
    expectProblem(await createLead(ada), 403, 'trial_expired')
    await changePlan(ada.ctx, { plan: 'ACTIVE' })
    expect((await createLead(ada)).status).toBe(201)
    expect(await readCredits(ada.ctx)).toMatchObject({ plan: 'ACTIVE', trial_ends_at: null })
    expect((await getSettings(ada.ctx)).paused_at).not.toBeNull()
    expect((await ada.browser.post('/api/outreach/resume')).status).toBe(200)
  })

  test('said in another process, it counts within two seconds', async () => {
    clock.set(START)
    const ada = await app.person()
    expect((await createLead(ada)).status).toBe(201)
    await readCredits(ada.ctx)
    const there = "update credit_accounts set plan = 'EXPIRED' where team_id = $1"
    await app.database.query(there, [ada.team_id])
    clock.advance(2_000)
    expectProblem(await createLead(ada), 403, 'trial_expired')
  })

  test('a trial goes on for as long as it is given, and needs an end', async () => {
    clock.set(START)
    const ada = await app.person()
    clock.advance(TRIAL_MS)
    await expireTrial(ada.ctx)
    await expect(changePlan(ada.ctx, { plan: 'TRIAL' })).rejects.toMatchObject({ code: 'trial_end' })
    await changePlan(ada.ctx, { plan: 'TRIAL', days: 3 })
    expect((await readCredits(ada.ctx)).trial_ends_at).toBe('2026-03-19T09:00:00.000Z')
    expect((await createLead(ada)).status).toBe(201)
    clock.advance(3 * DAY_MS)
    expectProblem(await createLead(ada), 403, 'trial_expired')
    await renewAndExpire(systemContext(app.runtime))
    expect(await told(ada)).toHaveLength(2)
  })

  test('a quota of its own counts from the next month on, and is in the audit log', async () => {
    clock.set(START)
    const ada = await app.person()
    await changePlan(ada.ctx, { plan: 'ACTIVE', quota: 500 })
    expect(await readCredits(ada.ctx)).toMatchObject({ balance: 100, monthly_quota: 500 })
    clock.set('2026-04-02T00:00:00.000Z')
    expect(await readCredits(ada.ctx)).toMatchObject({ balance: 500 })
    expect(await eventsOf(ada, 'credits.quota_changed')).toEqual([{ before: 100, after: 500 }])
  })
})

async function told({ team_id }: Person): Promise<string[]> {
  const rows = await app.database.query<{ user_id: string }>(
    "select user_id from notifications where team_id = $1 and source_kind = 'credits'",
    [team_id],
  )
  return rows.map(({ user_id }) => user_id)
}

async function mailed({ team_id }: Person): Promise<string[]> {
  const rows = await app.database.query<{ recipient: string }>(
    "select recipient from mails where team_id = $1 and kind = 'trial-expired'",
    [team_id],
  )
  return rows.map(({ recipient }) => recipient)
}

async function addressesOf(people: Person[]): Promise<string[]> {
  const rows = await app.database.query<{ email: string }>(
    'select email from users where id = any($1) order by email',
    [people.map(({ user_id }) => user_id)],
  )
  return rows.map(({ email }) => email)
}

async function eventsOf({ team_id }: Person, type: string): Promise<unknown[]> {
  const rows = await app.database.query<{ data: unknown }>(
    'select data from events where team_id = $1 and type = $2 order by id',
    [team_id, type],
  )
  return rows.map(({ data }) => data)
}
