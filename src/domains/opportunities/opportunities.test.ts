import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { everyPage } from '#test/pages.ts'
import { opportunityStages, stageProbabilities } from './values.ts'

let app: TestApp
let ada: Person
let key: Client

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
  key = await ada.key()
})
afterAll(() => app.close())

async function newDeal(fields: Record<string, unknown> = {}, who: Client = key) {
  const { status, body } = await who.post('/api/crm/opportunities', { name: 'Ten engines', ...fields })
  expect(status).toBe(201)
  return body
}

test('an amount comes back as it was given, and one that is no amount is refused', async () => {
  expect(await newDeal({ amount: '1250.50', currency: 'EUR', close_date: '2026-03-31' })).toMatchObject({
    amount: '1250.50',
    currency: 'EUR',
    stage: 'prospecting',
    close_date: '2026-03-31',
    closed_at: null,
  })
  for (const amount of ['-1', '1e3', '1,5', '', '1.23456', 5]) {
    expect((await key.post('/api/crm/opportunities', { name: 'X', amount })).status).toBe(422)
  }
  expect((await key.post('/api/crm/opportunities', { name: 'X', close_date: '2026-02-30' })).status).toBe(422)
})

test('it takes the account of its lead, and stands on the timeline of the lead', async () => {
  const account = (await key.post('/api/crm/accounts', { name: 'Acme' })).body
  const lead = (await key.post('/api/crm/leads', { first_name: 'Ada', account_id: account.id })).body
  const deal = await newDeal({ lead_id: lead.id })
  expect(deal.account_id).toBe(account.id)
  await key.patch(`/api/crm/opportunities/${deal.id}`, { stage: 'proposal' })
  const { body } = await key.get(`/api/crm/leads/${lead.id}/timeline`)
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
    'deal.stage_changed',
    'opportunity.changed',
    'opportunity.created',
    'lead.created',
  ])
  expect(body.data[0].subject).toEqual({ kind: 'opportunity', id: deal.id })
  expect(body.data[0].data).toEqual({
    of: 'opportunity',
    name: 'Ten engines',
    before: { stage: 'prospecting' },
    after: { stage: 'proposal' },
  })
})

describe('a closed opportunity', () => {
  test('is closed by anybody, and opened again by an ADMIN alone', async () => {
    const member = await colleagueOf(app, ada, 'MEMBER')
    const deal = await newDeal({}, member.browser)
    const closed = await member.browser.patch(`/api/crm/opportunities/${deal.id}`, { stage: 'closed_won' })
    expect(closed).toMatchObject({
      status: 200,
      body: { stage: 'closed_won', closed_at: expect.any(String) },
    })
    for (const stage of ['negotiation', 'closed_lost']) {
      const refused = await member.browser.patch(`/api/crm/opportunities/${deal.id}`, { stage })
      expect(refused).toMatchObject({ status: 403, body: { code: 'closed' } })
    }
    // A key acts for nobody's role.
    expect((await key.patch(`/api/crm/opportunities/${deal.id}`, { stage: 'proposal' })).status).toBe(403)
    expect((await key.get(`/api/crm/opportunities/${deal.id}`)).body.stage).toBe('closed_won')
    // What is not the stage can still be put right.
    const renamed = await member.browser.patch(`/api/crm/opportunities/${deal.id}`, {
      name: 'Eleven engines',
      stage: 'closed_won',
    })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Eleven engines' } })
    const opened = await ada.browser.patch(`/api/crm/opportunities/${deal.id}`, { stage: 'negotiation' })
    expect(opened).toMatchObject({ status: 200, body: { stage: 'negotiation', closed_at: null } })
  })
})

test('the board has every stage with its count and its sums, and the forecast weighs them by month', async () => {
  const eve = await app.person()
  const make = (fields: Record<string, unknown>) => newDeal(fields, eve.browser)
  await make({ stage: 'proposal', amount: '100.10', currency: 'EUR', close_date: '2026-05-01' })
  await make({ stage: 'proposal', amount: '200.20', currency: 'EUR', close_date: '2026-05-31' })
  await make({ stage: 'proposal', amount: '50', currency: 'USD' })
  await make({ stage: 'closed_won', amount: '1000', currency: 'EUR', close_date: '2026-05-12' })
  await make({ stage: 'closed_lost', amount: '9999', currency: 'EUR', close_date: '2026-05-12' })
  const board = (await eve.browser.get('/api/crm/opportunities/board')).body
  expect(board.columns.map(({ stage, count }: any) => [stage, count])).toEqual(
    opportunityStages.map(stage => [
      stage,
      { proposal: 3, closed_won: 1, closed_lost: 1 }[stage as string] ?? 0,
    ]),
  )
  expect(board.columns[2].sums).toEqual([
    { currency: 'EUR', amount: '300.30', weighted: '150.15' },
    { currency: 'USD', amount: '50', weighted: '25.00' },
  ])
  const { months } = (await eve.browser.get('/api/crm/opportunities/forecast')).body
  expect(months).toEqual([
    { month: '2026-05', currency: 'EUR', count: 3, amount: '1300.30', weighted: '1150.15', won: '1000' },
    { month: null, currency: 'USD', count: 1, amount: '50', weighted: '25.00', won: '0' },
  ])
  expect(Object.keys(stageProbabilities)).toEqual([...opportunityStages])
})

test('the board of leads counts leads by stage, and adds up their open opportunities', async () => {
  const eve = await app.person()
  const lead = async (fields: object) => (await eve.browser.post('/api/crm/leads', fields)).body
  const ada = await lead({ first_name: 'Ada', pipeline_stage: 'Qualified' })
  await lead({ first_name: 'Bob', pipeline_stage: 'Qualified' })
  await lead({ first_name: 'Cy' })
  await newDeal({ lead_id: ada.id, amount: '70', currency: 'EUR', stage: 'negotiation' }, eve.browser)
  await newDeal({ lead_id: ada.id, amount: '30', currency: 'EUR' }, eve.browser)
  await newDeal({ lead_id: ada.id, amount: '999', currency: 'EUR', stage: 'closed_lost' }, eve.browser)
  const columns = async (query = '') =>
    (await eve.browser.get(`/api/crm/leads/board${query}`)).body.columns as any[]
  const all = await columns()
  expect(all.map(({ stage }) => stage)).toEqual([
    'New',
    'Contacted',
    'Engage_AI',
    'Engage_Human',
    'Qualified',
    'Won',
    'Lost',
  ])
  expect(all.find(({ stage }) => stage === 'Qualified')).toEqual({
    stage: 'Qualified',
    count: 2,
    sums: [{ currency: 'EUR', amount: '100', weighted: '55.50' }],
  })
  const filtered = await columns('?q=bob')
  expect(filtered.find(({ stage }) => stage === 'Qualified')).toEqual({
    stage: 'Qualified',
    count: 1,
    sums: [],
  })
  expect(filtered.find(({ stage }) => stage === 'New')!.count).toBe(0)
})

test('sorts by amount and close date page through everything once, with nothing at the end', async () => {
  const eve = await app.person()
  const days = ['2026-01-02', null, '2026-01-01', null, '2026-01-02']
  const amounts = ['9', '10', null, '10.00', '2']
  for (const [at, close_date] of days.entries()) {
    await newDeal({ name: `D${at}`, close_date, amount: amounts[at] }, eve.browser)
  }
  const walk = async (sort: string) =>
    (await everyPage(eve.browser, `/api/crm/opportunities?limit=2&sort=${sort}`)).map(({ name }) => name)
  expect(await walk('close_date')).toEqual(['D2', 'D0', 'D4', 'D1', 'D3'])
  expect((await walk('-amount')).slice(2)).toEqual(['D0', 'D4', 'D2'])
  const wrong = (await eve.browser.get('/api/crm/opportunities?limit=1&sort=name')).body.next_cursor
  expect((await eve.browser.get(`/api/crm/opportunities?sort=amount&cursor=${wrong}`)).body.code).toBe(
    'invalid_cursor',
  )
})

test('it points only at what its own team has, and says so of each', async () => {
  const eve = await app.person()
  const theirs = (await eve.browser.post('/api/crm/leads', { first_name: 'E' })).body
  const account = (await eve.browser.post('/api/crm/accounts', { name: 'E' })).body
  const reply = await key.post('/api/crm/opportunities', {
    name: 'X',
    lead_id: theirs.id,
    account_id: account.id,
    owner_id: eve.user_id,
  })
  expect(reply.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'lead_id',
    'account_id',
    'owner_id',
  ])
})
