import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { conditionOf } from '#platform/filters/conditions.ts'
import type { Filter } from '#platform/filters/filter.ts'
import type { Filterable } from '#platform/filters/fields.ts'
import { matches } from '#platform/filters/matches.ts'
import { operatorsOf } from '#platform/filters/values.ts'
import type { Account } from '#domains/accounts/contract.ts'
import { filterableAccounts } from '#domains/accounts/filter-fields.ts'
import { getSettings } from '#domains/accounts/service.ts'
import { filterableOpportunities } from '#domains/opportunities/filter-fields.ts'
import { opportunityStages } from '#domains/opportunities/values.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { randomNumbers } from '#test/random.ts'
import { full } from '#test/tier.ts'
import { filteredKinds, type FilteredKind } from './values.ts'

const NOW = '2026-03-02T09:00:00.000Z'
const RECORDS = 40
const FILTERS = full ? 2_500 : 80

const random = randomNumbers()
let app: TestApp
let ada: Person

beforeAll(async () => {
  app = await startApp({ clock: new FakeClock(NOW) })
  ada = await app.person()
  await ada.browser.patch('/api/crm/accounts/settings', {
    custom_fields: [{ key: 'floors', label: 'Floors', kind: 'number' }],
  })
})
afterAll(() => app.close())

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!
}

async function create<Row>(kind: string, fields: object): Promise<Row> {
  const { status, body, text } = await ada.browser.post(`/api/crm/${kind}`, fields)
  expect(status, text).toBe(201)
  return body
}

const samples = {
  text: ['Lift', 'a%', 'USD', 'gmbh', 'x'],
  number: [0, 3, 40, -2.5],
  money: ['0', '0.0001', '1000', '1000.0000', '999999999999999.9999'],
  choice: opportunityStages,
  checkbox: [true, false],
  date: ['2026-03-01', '2026-03-02', '2026-06-30'],
  time: ['2026-03-02', NOW, '2026-03-01'],
} as const

function randomFilter({ fields }: Filterable<never>, ids: readonly string[], depth = 1): Filter {
  const kind = random()
  const inner = () => randomFilter({ fields, activities: [] }, ids, depth + 1)
  if (depth < 4 && kind < 0.2) return { and: [inner(), inner()] }
  if (depth < 4 && kind < 0.4) return { or: [inner(), inner()] }
  if (depth < 4 && kind < 0.5) return { not: inner() }
  const { name, type } = pick(fields)
  const values: readonly unknown[] = type === 'record' ? ids : samples[type]
  const op = pick(operatorsOf[type])
  if (op.endsWith('_empty')) return { field: name, op }
  if (op === 'within') return { field: name, op, value: pick(['-2d', '2d', '120d']) }
  const isList = op === 'between' || op.endsWith('any_of') || op.endsWith('none_of')
  return { field: name, op, value: isList ? [pick(values), pick(values)] : pick(values) } as Filter
}

async function compareAll<Row extends { id: string }>(
  kind: FilteredKind,
  filterable: Filterable<Row>,
  rows: readonly Row[],
  ids: readonly string[],
): Promise<void> {
  let some = 0
  for (let n = 0; n < FILTERS; n++) {
    const filter = randomFilter(filterable as unknown as Filterable<never>, ids)
    const condition = conditionOf(filter, filterable, { now: Date.parse(NOW), zone: 'UTC' })
    const expected = rows.filter(row => matches(condition, row, () => 0)).map(({ id }) => id)
    const parameter = encodeURIComponent(JSON.stringify(filter))
    const [listed, asked, outlined] = await Promise.all([
      ada.browser.get(`/api/crm/${kind}?limit=200&filter=${parameter}`),
      ada.browser.post(`/api/crm/${kind}/query`, { filter, limit: 200, count: true }),
      ada.browser.get(`/api/crm/${kind}/outline?filter=${parameter}`),
    ])
    const text = `${JSON.stringify(filter)} ${listed.text}`
    expect(listed.status, text).toBe(200)
    const found = (listed.body.data as Row[]).map(({ id }) => id)
    expect(found.toSorted(), text).toEqual(expected.toSorted())
    expect([asked.body.count, asked.body.data.length, outlined.body.count], text).toEqual(
      Array.from({ length: 3 }, () => expected.length),
    )
    if (expected.length > 0 && expected.length < rows.length) some++
  }
  expect(some).toBeGreaterThan(FILTERS / 10)
}

test('accounts and opportunities are filtered as a look at each says', async () => {
  const accounts: Account[] = []
  for (let n = 0; n < RECORDS; n++)
    accounts.push(
      await create('accounts', {
        name: `${pick(samples.text)} ${n}`,
        ...(random() < 0.5 && { industry: pick(samples.text) }),
        ...(random() < 0.5 && { owner_id: ada.user_id }),
        ...(random() < 0.5 && { custom: { floors: pick(samples.number) } }),
      }),
    )
  await compareAll('accounts', filterableAccounts(await getSettings(ada.ctx)), accounts, [ada.user_id])

  const opportunities = []
  for (let n = 0; n < RECORDS; n++) {
    const account = random() < 0.6 ? pick(accounts) : undefined
    const made = await create<{ id: string }>('opportunities', {
      name: `${pick(samples.text)} ${n}`,
      stage: pick(opportunityStages),
      ...(account && { account_id: account.id }),
      ...(random() < 0.7 && { amount: pick(samples.money) }),
      ...(random() < 0.7 && { close_date: pick(samples.date) }),
    })
    opportunities.push({ ...made, ...(account && { account }) })
  }
  const ids = [ada.user_id, accounts[0]!.id]
  await compareAll('opportunities', filterableOpportunities, opportunities as never, ids)
})

test.for(filteredKinds)('every field of %s is described and can be asked whether it is empty', async kind => {
  const { body } = await ada.browser.get(`/api/crm/fields?kind=${kind}`)
  expect(body.fields.length).toBeGreaterThan(5)
  for (const { name, operators } of body.fields) {
    if (!operators.includes('is_empty')) continue
    const filter = { field: name, op: 'is_empty' }
    const { status, text } = await ada.browser.post(`/api/crm/${kind}/query`, { filter })
    expect(status, text).toBe(200)
  }
})
