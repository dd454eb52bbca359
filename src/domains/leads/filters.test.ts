import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conditionOf } from '#platform/filters/conditions.ts'
import type { Filter } from '#platform/filters/filter.ts'
import { matches } from '#platform/filters/matches.ts'
import {
  FILTER_CONDITIONS_MAX,
  FILTER_DEPTH_MAX,
  FILTER_LIST_MAX,
  operatorsOf,
  type FieldType,
} from '#platform/filters/values.ts'
import { FakeClock } from '#platform/clock.ts'
import { idsFrom } from '#platform/ids.ts'
import type { Account } from '#domains/accounts/contract.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Reply } from '#test/client.ts'
import { randomNumbers } from '#test/random.ts'
import { recountLeads } from '#test/records.ts'
import { eventually } from '#test/eventually.ts'
import { full } from '#test/tier.ts'
import { filterableLeads, type FilteredLead } from './filter-fields.ts'
import { countMatching, listLeads, outlineLeads, queryLeads } from './listing.ts'
import { getSettings } from './service.ts'

const NOW = '2026-03-02T09:00:00.000Z'
const DAY_MS = 86_400_000
const LEADS = 150
const FILTERS = full ? 5_000 : 100
/** These ask no database. */
const FILTERS_IN_MEMORY = 5_000

const clock = new FakeClock(NOW)
const random = randomNumbers()
let app: TestApp
let ada: Person
let leads: FilteredLead[]
/** What happened with each lead, and when. */
const happened = new Map<string, { type: string; at: number }[]>()

beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person()
  const custom_fields = [
    { key: 'tier', label: 'Tier', kind: 'choice', options: ['gold', 'silver'] },
    { key: 'note', label: 'Note', kind: 'text' },
    { key: 'seats', label: 'Seats', kind: 'number' },
    { key: 'vip', label: 'VIP', kind: 'checkbox' },
    { key: 'renewal', label: 'Renewal', kind: 'date' },
  ]
  await ada.browser.patch('/api/crm/leads/settings', { custom_fields })
  await fill()
})
afterAll(() => app.close())

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!
}

const WORDS = ['Lift', 'lifts', 'Müller', 'a%b', 'a_b', 'back\\slash', 'O’Neil', 'ÄRGER', 'x']
const MOMENTS = [-400, -31, -30, -14, -7, -1, 0, 1, 3].map(days => Date.parse(NOW) + days * DAY_MS)
const EVENTS = ['email.opened', 'email.replied', 'lead.noted']

async function fill(): Promise<void> {
  const accounts: Account[] = []
  for (const industry of ['Lifts', 'HVAC', null]) {
    const { body } = await ada.browser.post('/api/crm/accounts', { name: `${industry} GmbH`, industry })
    accounts.push(body)
  }
  const trashed = accounts.at(-1)!
  for (let n = 0; n < LEADS; n++) {
    const account = random() < 0.6 ? pick(accounts) : undefined
    const maybe = <Value>(value: Value) => (random() < 0.6 ? value : undefined)
    const custom = {
      tier: maybe(pick(['gold', 'silver'])),
      note: maybe(pick(WORDS)),
      seats: maybe(pick([-1, 0, 0.1, 5, 1e21])),
      vip: maybe(random() < 0.5),
      renewal: maybe(pick(['2026-02-28', '2026-03-02', '2026-12-31'])),
    }
    const lead = {
      first_name: `Lead ${n}`,
      last_name: maybe(pick(WORDS)),
      company: maybe(`${pick(WORDS)} ${pick(WORDS)}`),
      email: maybe(`${pick(['ada', 'Grace'])}${n % 7}@example.test`),
      source: maybe(pick(WORDS)),
      status: maybe(pick(['NEW', 'WORKING', 'CUSTOMER'])),
      pipeline_stage: maybe(pick(['New', 'Qualified'])),
      owner_id: maybe(ada.user_id),
      account_id: account?.id,
      utm: random() < 0.5 ? { source: pick(WORDS) } : {},
      custom: JSON.parse(JSON.stringify(custom)),
    }
    const { status, text } = await ada.browser.post('/api/crm/leads', JSON.parse(JSON.stringify(lead)))
    expect(status, text).toBe(201)
  }
  await app.database.query(
    `update leads set created_at = $1::timestamptz - (('x' || right(id, 4))::bit(16)::int % 40) * interval '1 day'`,
    [NOW],
  )
  await ada.browser.delete(`/api/crm/accounts/${trashed.id}`)
  await recountLeads(app)
  const { data } = await listLeads(ada.ctx, { limit: 200 })
  const living = new Map(accounts.slice(0, -1).map(account => [account.id, account]))
  leads = data.map(lead => {
    const account = living.get(lead.account_id ?? '')
    return { ...lead, ...(account && { account }) }
  })
  expect(leads).toHaveLength(LEADS)
  for (const { id } of leads) await happen(id)
}

const idAt = idsFrom(1)

async function happen(lead_id: string): Promise<void> {
  const events = Array.from({ length: Math.floor(random() * 4) }, () => ({
    type: pick(EVENTS),
    at: pick(MOMENTS),
  }))
  happened.set(lead_id, events)
  for (const { type, at } of events)
    await app.database.query(
      `insert into events (id, team_id, type, subject_kind, subject_id, lead_id, actor_kind, data, at)
       values ($1, $2, $3, 'lead', $4, $4, 'system', '{}', $5)`,
      [idAt(at, ada.team_id), ada.team_id, type, lead_id, new Date(at).toISOString()],
    )
}

// The same question asked of one lead in memory, in the plainest way there is.

function passes(filter: Filter, lead: FilteredLead): boolean {
  if ('and' in filter) return filter.and.every(part => passes(part, lead))
  if ('or' in filter) return filter.or.some(part => passes(part, lead))
  if ('not' in filter) return !passes(filter.not, lead)
  if ('activity' in filter) {
    const [from, until] = filter.within ? around(filter.within) : [-Infinity, Infinity]
    const count = happened
      .get(lead.id)!
      .filter(({ type, at }) => type === filter.activity && at >= from && at <= until).length
    return {
      is: count === filter.value,
      is_not: count !== filter.value,
      lt: count < filter.value,
      lte: count <= filter.value,
      gt: count > filter.value,
      gte: count >= filter.value,
    }[filter.op]
  }
  const { op } = filter
  const type = typeOf(filter.field)
  const value = valueOf(lead, filter.field)
  const wanted = filter.value as never
  const list = [wanted].flat() as never[]
  const isEmpty = value === null || value === undefined
  const same = (other: unknown) => !isEmpty && sameAs(type, value, other)
  switch (op) {
    case 'is':
      return type === 'checkbox' && wanted === false ? value !== true : same(wanted)
    case 'is_not':
      return type === 'checkbox' && wanted === false ? value === true : !same(wanted)
    case 'is_any_of':
      return list.some(same)
    case 'is_none_of':
      return !list.some(same)
    case 'contains':
      return !isEmpty && String(value).toLowerCase().includes(String(wanted).toLowerCase())
    case 'not_contains':
      return isEmpty || !String(value).toLowerCase().includes(String(wanted).toLowerCase())
    case 'begins_with':
      return !isEmpty && String(value).toLowerCase().startsWith(String(wanted).toLowerCase())
    case 'is_empty':
      return isEmpty
    case 'is_not_empty':
      return !isEmpty
  }
  if (isEmpty) return false
  if (type === 'number') {
    const [low, high] = list as number[]
    const number = value as number
    return {
      lt: number < low!,
      lte: number <= low!,
      gt: number > low!,
      gte: number >= low!,
      between: number >= low! && number <= high!,
    }[op as 'lt']
  }
  // Dates are compared as the days they are, times as instants.
  const first = type === 'date' ? Date.parse(`${String(value)}T00:00:00Z`) : Date.parse(String(value))
  if (op === 'within') {
    const [from, until] = around(String(wanted))
    return type === 'date'
      ? String(value) >= new Date(from).toISOString().slice(0, 10) &&
          String(value) <= new Date(until).toISOString().slice(0, 10)
      : first >= from && first <= until
  }
  const begins = (text: string) => Date.parse(text)
  const ends = (text: string) => Date.parse(text) + (text.length === 10 ? DAY_MS : 1)
  if (op === 'before') return first < begins(String(wanted))
  if (op === 'after') return first >= ends(String(wanted))
  return first >= begins(String(list[0])) && first < ends(String(list[1]))
}

function around(within: string): [number, number] {
  const days = Number.parseInt(within)
  const there = Date.parse(NOW) + days * DAY_MS
  return [Math.min(there, Date.parse(NOW)), Math.max(there, Date.parse(NOW))]
}

function sameAs(type: FieldType, value: unknown, other: unknown): boolean {
  if (type === 'text') return String(value).toLowerCase() === String(other).toLowerCase()
  if (type !== 'time') return value === other
  const text = String(other)
  return text.length === 10 ? String(value).startsWith(text) : Date.parse(String(value)) === Date.parse(text)
}

function valueOf(lead: FilteredLead, field: string): unknown {
  const [first, second] = field.split('.') as [keyof FilteredLead, string | undefined]
  return second === undefined ? lead[first] : (lead[first] as Record<string, unknown> | undefined)?.[second]
}

const CHOSEN: [field: string, type: FieldType, values: readonly unknown[]][] = [
  ['last_name', 'text', WORDS],
  ['company', 'text', [...WORDS, 'Lift Müller', '%', '_', '\\']],
  ['email', 'text', ['ADA1@example.test', 'grace2@example.test', '@']],
  ['source', 'text', WORDS],
  ['utm.source', 'text', WORDS],
  ['account.industry', 'text', ['lifts', 'HVAC', 'none']],
  ['status', 'choice', ['NEW', 'WORKING', 'CUSTOMER', 'QUALIFIED']],
  ['pipeline_stage', 'choice', ['New', 'Qualified', 'Won']],
  ['custom.tier', 'choice', ['gold', 'silver']],
  ['custom.note', 'text', WORDS],
  ['custom.seats', 'number', [-1, 0, 0.1, 5, 7, 1e21]],
  ['custom.vip', 'checkbox', [true, false]],
  ['custom.renewal', 'date', ['2026-02-28', '2026-03-01', '2026-03-02', '2026-12-31']],
  [
    'created_at',
    'time',
    [...MOMENTS.map(at => new Date(at).toISOString()), '2026-03-01', '2026-02-20', '2026-02-01'],
  ],
]
const SPANS = ['-400d', '-14d', '-1d', '1d', '300d']

function typeOf(field: string): FieldType {
  return CHOSEN.find(([name]) => name === field)?.[1] ?? 'record'
}

function randomFilter(depth = 1): Filter {
  const kind = random()
  if (depth < 4 && kind < 0.18) return { and: randomParts(depth) }
  if (depth < 4 && kind < 0.36) return { or: randomParts(depth) }
  if (depth < 4 && kind < 0.44) return { not: randomFilter(depth + 1) }
  if (kind < 0.52) {
    const within = random() < 0.6 ? { within: pick(SPANS) } : {}
    return {
      activity: pick(EVENTS),
      op: pick(['is', 'is_not', 'lt', 'lte', 'gt', 'gte']),
      value: pick([0, 1, 2, 5]),
      ...within,
    }
  }
  const [field, type, values] =
    kind < 0.55 ? (['owner_id', 'record', [ada.user_id, '0'.repeat(24)]] as const) : pick(CHOSEN)
  const op = pick(operatorsOf[type])
  return { field, op, ...valueFor(op, values) } as Filter
}

function randomParts(depth: number): Filter[] {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomFilter(depth + 1))
}

function valueFor(op: string, values: readonly unknown[]): { value?: unknown } {
  if (op === 'is_empty' || op === 'is_not_empty') return {}
  if (op === 'within') return { value: pick(SPANS) }
  if (op === 'between') return { value: [pick(values), pick(values)] }
  if (op.endsWith('any_of') || op.endsWith('none_of')) return { value: [pick(values), pick(values)] }
  return { value: pick(values) }
}

test('a filter passes the same leads in memory as a plain look at each of them', async () => {
  const filterable = filterableLeads(await getSettings(ada.ctx))
  for (let n = 0; n < FILTERS_IN_MEMORY; n++) {
    const filter = randomFilter()
    const condition = conditionOf(filter, filterable, { now: Date.parse(NOW), zone: 'UTC' })
    const idsOf = (test: (lead: FilteredLead) => boolean) => leads.filter(test).map(({ id }) => id)
    const inMemory = idsOf(lead => matches(condition, lead, countsOf(lead.id)))
    expect(inMemory, JSON.stringify(filter)).toEqual(idsOf(lead => passes(filter, lead)))
  }
})

test('a filter finds the same leads in list, count, outline and memory as a plain look at each lead', async () => {
  const { ctx } = ada
  const filterable = filterableLeads(await getSettings(ctx))
  let some = 0
  for (let n = 0; n < FILTERS; n++) {
    const filter = randomFilter()
    const text = JSON.stringify(filter)
    const expected = leads.filter(lead => passes(filter, lead)).map(({ id }) => id)
    const condition = conditionOf(filter, filterable, { now: Date.parse(NOW), zone: 'UTC' })
    const inMemory = leads.filter(lead => matches(condition, lead, countsOf(lead.id))).map(({ id }) => id)
    const sort = pick(['created_at', '-last_name', 'email', '-last_activity_at'] as const)
    const [list, asked, outline] = await Promise.all([
      listLeads(ctx, { filter: text, limit: 200, sort }),
      queryLeads(ctx, { filter, limit: 200, count: true }),
      outlineLeads(ctx, { filter: text }),
    ])
    expect(new Set(list.data.map(({ id }) => id)), text).toEqual(new Set(expected))
    expect(list.data).toHaveLength(expected.length)
    expect([asked.count, asked.data.length, outline.count, inMemory], text).toEqual([
      expected.length,
      expected.length,
      expected.length,
      expected,
    ])
    if (expected.length > 0 && expected.length < LEADS) some++
  }
  // Filters that all leads pass, or none, would show nothing.
  expect(some).toBeGreaterThan(FILTERS / 4)
})

function countsOf(lead_id: string) {
  return (activity: string, { from, until }: { from?: string; until?: string }) =>
    happened
      .get(lead_id)!
      .filter(
        ({ type, at }) =>
          type === activity &&
          at >= Date.parse(from ?? NOW.replace('2026', '0001')) &&
          at <= Date.parse(until ?? NOW.replace('2026', '9999')),
      ).length
}

test('pages, export and bulk changes take the same filter', async () => {
  const filter: Filter = {
    or: [
      { field: 'company', op: 'contains', value: 'LIFT' },
      { not: { field: 'account.industry', op: 'is_empty' } },
    ],
  }
  const expected = leads.filter(lead => passes(filter, lead)).map(({ id }) => id)
  expect(expected.length).toBeGreaterThan(20)
  const query = encodeURIComponent(JSON.stringify(filter))

  const found: string[] = []
  let cursor: string | null = null
  do {
    const reply: Reply = await ada.browser.get(
      `/api/crm/leads?filter=${query}&limit=7&sort=company${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    )
    expect(reply.status, reply.text).toBe(200)
    found.push(...reply.body.data.map(({ id }: { id: string }) => id))
    cursor = reply.body.next_cursor
  } while (cursor)
  expect(found.toSorted()).toEqual(expected.toSorted())

  const { text } = await ada.browser.get(`/api/crm/leads/export?columns=id&filter=${query}`)
  expect(text.trimEnd().split('\r\n').slice(1).toSorted()).toEqual(expected.toSorted())

  const { body: started, status } = await ada.browser.post('/api/crm/leads/bulk-changes', {
    filter,
    set: { title: 'Found' },
  })
  expect(status).toBe(201)
  expect(started).toMatchObject({ filter, total: expected.length })
  await eventually(async () => {
    const { body } = await ada.browser.get(`/api/crm/leads/bulk-changes/${started.id}`)
    expect(body).toMatchObject({ status: 'DONE', changed: expected.length })
  })
  expect(await countMatching(ada.ctx, { filter: '{"field":"title","op":"is","value":"found"}' })).toBe(
    expected.length,
  )
})

test('another team finds nothing of it', async () => {
  const other = await app.person()
  const { body } = await other.browser.post('/api/crm/leads/query', {
    filter: { not: { activity: 'email.opened', op: 'gt', value: 500 } },
    count: true,
  })
  expect(body).toEqual({ data: [], next_cursor: null, count: 0 })
})

test('the fields are described, with the team’s own, and each operator of each is taken', async () => {
  const { body } = await ada.browser.get('/api/crm/fields?kind=leads')
  expect(body.fields).toContainEqual({
    name: 'custom.tier',
    label: 'Tier',
    type: 'choice',
    operators: ['is', 'is_not', 'is_any_of', 'is_none_of', 'is_empty', 'is_not_empty'],
    options: ['gold', 'silver'],
  })
  const samples: Record<string, unknown> = {
    text: 'x',
    number: 1,
    money: '1.50',
    checkbox: true,
    date: '2026-03-02',
    time: NOW,
    record: ada.user_id,
  }
  for (const { name, type, operators, options } of body.fields)
    for (const op of operators) {
      const filter = { field: name, op, ...valueFor(op, [options?.[0] ?? samples[type]]) }
      const { status, text } = await ada.browser.post('/api/crm/leads/query', {
        filter: op === 'within' && type === 'date' ? { ...filter, value: '-3d' } : filter,
      })
      expect(status, `${JSON.stringify(filter)}: ${text}`).toBe(200)
    }
})

describe('a filter that is wrong is refused with the path of each fault', () => {
  const leaf = { field: 'company', op: 'is', value: 'x' }
  const nested = (depth: number): unknown => (depth === 1 ? leaf : { not: nested(depth - 1) })
  test.for<[unknown, string, RegExp]>([
    ['x', 'filter', /must be a filter/],
    [{}, 'filter', /one of and, or, not/],
    [{ and: [] }, 'filter.and', /list of filters/],
    [{ and: [leaf, { field: 'team_id', op: 'is', value: 'x' }] }, 'filter.and[1].field', /is not a field/],
    [{ field: 'company', op: 'lt', value: 'x' }, 'filter.op', /must be one of is,/],
    [{ field: 'company', op: 'is', value: 3 }, 'filter.value', /must be text/],
    [{ field: 'company', op: 'is_empty', value: 'x' }, 'filter.value', /left out/],
    [{ field: 'status', op: 'is', value: 'OLD' }, 'filter.value', /must be one of NEW/],
    [{ field: 'created_at', op: 'within', value: '2 weeks' }, 'filter.value', /-14d/],
    [{ field: 'custom.renewal', op: 'within', value: '-3h' }, 'filter.value', /days/],
    [{ field: 'created_at', op: 'between', value: [NOW] }, 'filter.value', /two values/],
    [{ activity: 'team.created', op: 'gte', value: 1 }, 'filter.activity', /not an activity/],
    [{ activity: 'email.opened', op: 'gte', value: 1_001 }, 'filter.value', /0 to 1000/],
    [{ field: 'company', op: 'is', value: 'x', sql: '1' }, 'filter.sql', /not a known field/],
    [{ field: '__proto__', op: 'is', value: 'x' }, 'filter.field', /is not a field/],
    [
      { field: 'company', op: 'is_any_of', value: Array(FILTER_LIST_MAX + 1).fill('x') },
      'filter.value',
      /1 to 100/,
    ],
    [
      { or: Array.from({ length: FILTER_CONDITIONS_MAX + 1 }, () => leaf) },
      'filter',
      /at most 50 conditions/,
    ],
    [nested(FILTER_DEPTH_MAX + 1), 'filter.not.not.not.not.not', /5 deep/],
  ])('%j', async ([filter, path, message]) => {
    const { status, body } = await ada.browser.get(
      `/api/crm/leads?filter=${encodeURIComponent(JSON.stringify(filter))}`,
    )
    expect(status).toBe(422)
    expect(body.errors[0]).toEqual({ path, message: expect.stringMatching(message) })
  })

  test('at the limits it is taken', async () => {
    for (const filter of [
      { or: Array.from({ length: FILTER_CONDITIONS_MAX }, () => leaf) },
      nested(FILTER_DEPTH_MAX),
    ]) {
      const { status } = await ada.browser.post('/api/crm/leads/query', { filter })
      expect(status).toBe(200)
    }
  })

  test('of many faults the first hundred are told', async () => {
    const wrong = (depth: number): unknown =>
      depth === 0 ? 1 : { and: Array.from({ length: 40 }, () => wrong(depth - 1)) }
    const { status, body } = await ada.browser.post('/api/crm/leads/query', { filter: wrong(3) })
    expect([status, body.errors.length]).toEqual([422, 100])
  })

  test('what is no JSON says so', async () => {
    const { status, body } = await ada.browser.get('/api/crm/leads?filter={')
    expect([status, body.errors]).toEqual([422, [{ path: 'filter', message: 'must be JSON' }]])
  })
})
