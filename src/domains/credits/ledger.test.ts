import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { domains, type Domain } from '#app'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { defineEndpoints, t, type Handlers } from '#platform/contract.ts'
import type { Problem } from '#platform/problem.ts'
import { startApp, type Person } from '#test/app.ts'
import { expectProblem } from '#test/problem.ts'
import { full } from '#test/tier.ts'
import { renewAndExpire } from './jobs.ts'
import { periodAt } from './model.ts'
import {
  grantCredits,
  grantPurchase,
  readCredits,
  refundCredits,
  useCredits,
  useCreditsForMany,
} from './service.ts'

const DAY_MS = 86_400_000

// Something that costs credits, as the product's own endpoints will.
const endpoints = defineEndpoints({
  crawl: {
    method: 'POST',
    path: '/api/test/crawl',
    summary: 'Costs a credit',
    auth: { scope: 'leads:write' },
    body: t.Object({ reference: t.String() }),
  },
})
const api: Handlers<typeof endpoints> = {
  crawl: (ctx, { body }) => useCredits(ctx, { amount: 1, reference: body.reference, note: null }),
}
const crawling: Domain = { name: 'crawling', endpoints, api: api as unknown as Domain['api'] }

const clock = new FakeClock('2026-03-31T09:00:00.000Z')
const app = await startApp({ role: 'api', clock, domains: [...domains, crawling] })
afterAll(() => app.close())
beforeEach(() => clock.set('2026-03-31T09:00:00.000Z'))

const note = null

test('a new team has the credits of its month until the same day of the next', async () => {
  const { browser } = await app.person()
  expect((await browser.get('/api/credits')).body).toEqual({
    balance: 100,
    monthly: 100,
    purchased: 0,
    monthly_quota: 100,
    resets_at: '2026-04-30T00:00:00.000Z',
    plan: 'ACTIVE',
    trial_ends_at: null,
    used_this_period: 0,
    entries: [
      {
        id: expect.any(String),
        kind: 'quota',
        purse: 'monthly',
        amount: 100,
        balance: 100,
        reference: '2026-03-31',
        note: null,
        actor: { kind: 'system', id: null },
        created_at: '2026-03-31T09:00:00.000Z',
      },
    ],
  })
})

test('fifty who read it for the first time at once find one quota', async () => {
  const { browser } = await app.person()
  const replies = await Promise.all(Array.from({ length: 50 }, () => browser.get('/api/credits')))
  expect(new Set(replies.map(({ body }) => body.balance))).toEqual(new Set([100]))
  expect(new Set(replies.map(({ body }) => body.entries.length))).toEqual(new Set([1]))
})

test('of a hundred uses at once with ten credits left ten succeed, and ninety learn how to get more', async () => {
  const person = await app.person()
  await useCredits(person.ctx, { amount: 90, reference: 'before', note })
  const tries = Array.from({ length: 100 }, (_, at) =>
    person.browser.post('/api/test/crawl', { reference: `crawl-${at}` }),
  )
  const replies = await Promise.all(tries)
  const refused = replies.filter(({ status }) => status !== 204)
  expect(refused).toHaveLength(90)
  for (const reply of refused)
    expect(expectProblem(reply, 402, 'out_of_credits').detail).toMatch(
      /^This costs 1 credit, but the team has none left\. .* 2026-04-30\. To get more sooner, buy credits/,
    )
  expect(await readCredits(person.ctx)).toMatchObject({ balance: 0, used_this_period: 100 })
  await expectSound(person)
})

test('many uses in one go take the month’s first, as many as there are credits for, and tell of it once', async () => {
  const person = await app.person()
  await grantCredits(person.ctx, { amount: 7, reference: 'gift', note })
  await useCredits(person.ctx, { amount: 95, reference: 'before', note })
  const uses = Array.from({ length: 6 }, (_, at) => ({
    amount: 2,
    reference: `many-${at}`,
    note: `Use ${at}`,
  }))
  expect(await useCreditsForMany(person.ctx, uses)).toBe(6)
  const { balance, monthly, purchased, used_this_period, entries } = await readCredits(person.ctx)
  expect({ balance, monthly, purchased, used_this_period }).toEqual({
    balance: 0,
    monthly: 0,
    purchased: 0,
    used_this_period: 107,
  })
  const third = entries.filter(({ reference }) => reference === 'many-2')
  expect(third.map(({ purse, amount }) => [purse, amount])).toEqual([
    ['purchased', -1],
    ['monthly', -1],
  ])
  expect(entries[0]).toMatchObject({ reference: 'many-5', note: 'Use 5', balance: 0 })
  expect(await useCreditsForMany(person.ctx, [{ amount: 1, reference: 'more', note }])).toBe(0)
  expect(await refundCredits(person.ctx, { reference: 'many-2', note })).toBe(true)
  // What does not fit ends it: who comes later in the list is not served before.
  const rest = [3, 1].map(amount => ({ amount, reference: `rest-${amount}`, note }))
  expect(await useCreditsForMany(person.ctx, rest)).toBe(0)
  await expectSound(person)
  const told = await app.database.query(
    `select from events where type = 'credits.changed' and team_id = $1`,
    [person.team_id],
  )
  // The gift, what was used before, the six as one, and the refund.
  expect(told).toHaveLength(4)
})

test('a purchase is booked once, however often and at once it is told', async () => {
  const { ctx } = await app.person()
  const purchase = { amount: 500, reference: 'invoice-1', note: 'Invoice 2026-0001' }
  const booked = await Promise.all(Array.from({ length: 50 }, () => grantPurchase(ctx, purchase)))
  expect(booked.filter(Boolean)).toHaveLength(1)
  expect(await readCredits(ctx)).toMatchObject({ balance: 600, purchased: 500 })
  expect(await grantPurchase(ctx, purchase)).toBe(false)
})

test('a purchase is part of the transaction it is booked in', async () => {
  const { ctx } = await app.person()
  await readCredits(ctx)
  const failing = ctx.transaction(async ctx => {
    await grantPurchase(ctx, { amount: 5, reference: 'invoice-2', note })
    throw new Error('the invoice could not be written')
  })
  await expect(failing).rejects.toThrow('could not be written')
  expect(await readCredits(ctx)).toMatchObject({ balance: 100 })
})

test('the same use costs once, and comes back once', async () => {
  const person = await app.person()
  const { ctx } = person
  const use = { amount: 30, reference: 'crawl', note }
  await Promise.all(Array.from({ length: 20 }, () => useCredits(ctx, use)))
  expect(await readCredits(ctx)).toMatchObject({ balance: 70, used_this_period: 30 })
  const refund = { reference: 'crawl', note: 'The site did not answer' }
  const given = await Promise.all(Array.from({ length: 20 }, () => refundCredits(ctx, refund)))
  expect(given.filter(Boolean)).toHaveLength(1)
  expect(await readCredits(ctx)).toMatchObject({ balance: 100, used_this_period: 0 })
  expect(await refundCredits(ctx, { reference: 'never used', note })).toBe(false)
  await expectSound(person)
})

test("a new month brings its quota and keeps what was bought; last month's do not come back", async () => {
  const person = await app.person()
  const { ctx } = person
  await grantPurchase(ctx, { amount: 10, reference: 'invoice', note })
  await useCredits(ctx, { amount: 105, reference: 'crawl', note })
  expect(await readCredits(ctx)).toMatchObject({ balance: 5, monthly: 0, purchased: 5 })
  clock.set('2026-04-30T00:00:00.000Z')
  expect(await readCredits(ctx)).toMatchObject({
    balance: 105,
    monthly: 100,
    purchased: 5,
    used_this_period: 0,
    resets_at: '2026-05-31T00:00:00.000Z',
  })
  expect(await refundCredits(ctx, { reference: 'crawl', note })).toBe(true)
  expect(await readCredits(ctx)).toMatchObject({ balance: 110, monthly: 100, purchased: 10 })
  await expectSound(person)
})

test('no number of credits but a whole one above nothing is ever booked', async () => {
  const { ctx } = await app.person()
  for (const amount of [0, -1, 1.5, Number.NaN, 1_000_000_001]) {
    await expect(useCredits(ctx, { amount, reference: 'odd', note })).rejects.toThrow('not a valid number')
    await expect(grantPurchase(ctx, { amount, reference: 'odd', note })).rejects.toThrow('not a valid number')
  }
})

test('the application can neither change nor delete an entry', async () => {
  const { ctx, team_id } = await app.person()
  await readCredits(ctx)
  for (const doing of ['update credit_entries set amount = 1000000', 'delete from credit_entries'])
    await expect(ctx.all({ compile: () => ({ sql: doing, parameters: [] }) } as never)).rejects.toThrow(
      'permission denied',
    )
  const rights = await app.database.query(
    `select privilege_type from information_schema.role_table_grants
     where table_name = 'credit_entries' and grantee = 'rapport_app' order by 1`,
  )
  expect(rights).toEqual([{ privilege_type: 'INSERT' }, { privilege_type: 'SELECT' }])
  const [row] = await app.database.query('select amount from credit_entries where team_id = $1', [team_id])
  expect(row).toEqual({ amount: 100 })
})

test('the ledger is listed newest first, page by page, by kind and by time', async () => {
  const person = await app.person()
  const { ctx, browser } = person
  for (let at = 0; at < 5; at++) {
    clock.advance(60_000)
    await useCredits(ctx, { amount: 1, reference: `use-${at}`, note })
  }
  await grantCredits(ctx, { amount: 7, reference: 'gift', note: 'Welcome' })
  const first = (await browser.get('/api/credits/entries?limit=3')).body
  expect(first.data.map((entry: { reference: string }) => entry.reference)).toEqual([
    'gift',
    'use-4',
    'use-3',
  ])
  const second = (await browser.get(`/api/credits/entries?limit=3&cursor=${first.next_cursor}`)).body
  expect(second.data.map((entry: { reference: string }) => entry.reference)).toEqual([
    'use-2',
    'use-1',
    'use-0',
  ])
  const gifts = (await browser.get('/api/credits/entries?kind=grant&kind=quota')).body.data
  expect(gifts.map((entry: { kind: string }) => entry.kind)).toEqual(['grant', 'quota'])
  const { created_at } = second.data[0]
  const until = (await browser.get(`/api/credits/entries?before=${created_at}&kind=use`)).body.data
  expect(until.map((entry: { reference: string }) => entry.reference)).toEqual(['use-1', 'use-0'])
  expectProblem(await browser.get('/api/credits/entries?cursor=WyIteCJd'), 400, 'invalid_cursor')
})

test('whatever happens in whatever order, and wherever the clock goes, the ledger adds up', async () => {
  const amount = fc.integer({ min: 1, max: 60 })
  const reference = fc.integer({ min: 0, max: 150 }).map(String)
  const act = fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('use' as const), amount, reference }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('buy' as const), amount, reference }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('refund' as const), amount, reference }) },
    {
      weight: 1,
      arbitrary: fc.record({
        act: fc.constant('wait' as const),
        amount: fc.integer({ min: -40, max: 70 }),
        reference,
      }),
    },
  )
  const acts = fc.array(act, { minLength: 250, maxLength: 250 })
  await fc.assert(
    fc.asyncProperty(acts, async acts => {
      clock.set('2026-03-31T09:00:00.000Z')
      const person = await app.person()
      const { ctx } = person
      for (const { act, amount, reference } of acts) {
        if (act === 'wait') clock.advance(amount * DAY_MS)
        else if (act === 'buy') await grantPurchase(ctx, { amount, reference, note })
        else if (act === 'refund') await refundCredits(ctx, { reference, note })
        else {
          const refused = await useCredits(ctx, { amount, reference, note }).catch((error: unknown) => error)
          if (refused) expect((refused as Problem).code).toBe('out_of_credits')
        }
      }
      await expectSound(person)
    }),
    { numRuns: full ? 40 : 2, endOnFailure: true },
  )
})

test('each period is granted once, wherever the clock jumps, and missed ones are one', async () => {
  clock.set('2026-01-31T12:00:00.000Z')
  const person = await app.person()
  const { ctx } = person
  await readCredits(ctx)
  const jumps = [
    '2026-02-03',
    '2026-03-01',
    '2026-02-27',
    '2026-02-28',
    '2026-03-04',
    '2027-03-31',
    '2026-03-05',
  ]
  // Ahead by a year, and back: the months that really come are granted, each once.
  const then = [
    '2026-03-30',
    '2026-03-31',
    '2026-04-02',
    '2026-03-29',
    '2026-04-30',
    '2025-06-01',
    '2026-05-01',
  ]
  for (const day of [...jumps, ...then]) {
    clock.set(`${day}T00:00:00.000Z`)
    const rounds = Array.from({ length: 3 }, () => renewAndExpire(systemContext(app.runtime)))
    await Promise.all(rounds)
    await readCredits(ctx)
  }
  const granted = (await entriesOf(person)).filter(({ kind }) => kind === 'quota')
  expect(granted.map(({ reference }) => reference)).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2027-03-31',
    '2026-03-31',
    '2026-04-30',
  ])
  await expectSound(person)
  clock.set('2026-03-31T09:00:00.000Z')
})

type Entry = {
  kind: string
  purse: string
  amount: number
  balance: number
  reference: string
  place: number
  created_at: string
}

async function entriesOf({ team_id }: Person): Promise<Entry[]> {
  return app.database.query<Entry>('select * from credit_entries where team_id = $1 order by place', [
    team_id,
  ])
}

/** The account is the sum of its entries, was never below nothing, and had each quota in its own period, once. */
async function expectSound(person: Person): Promise<void> {
  const { team_id } = person
  const entries = await entriesOf(person)
  const [account] = await app.database.query<Record<string, unknown>>(
    'select * from credit_accounts where team_id = $1',
    [team_id],
  )
  const purses: Record<string, number> = { monthly: 0, purchased: 0 }
  entries.forEach((entry, at) => {
    purses[entry.purse]! += entry.amount
    expect(Number(entry.place)).toBe(at + 1)
    expect(Math.min(purses.monthly!, purses.purchased!)).toBeGreaterThanOrEqual(0)
    expect(Number(entry.balance)).toBe(purses.monthly! + purses.purchased!)
  })
  expect({ monthly: Number(account!.monthly), purchased: Number(account!.purchased) }).toEqual(purses)
  expect(Number(account!.entries)).toBe(entries.length)
  const granted = entries.filter(({ kind }) => kind === 'quota')
  expect(new Set(granted.map(({ reference }) => reference)).size).toBe(granted.length)
  for (const { reference, created_at } of granted)
    expect(reference).toBe(periodAt(new Date(created_at).toISOString(), Number(account!.reset_day)))
  const credits = await readCredits(person.ctx)
  expect(credits.balance).toBe(credits.monthly + credits.purchased)
}
