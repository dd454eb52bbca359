import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { newId } from '#platform/ids.ts'

let app: TestApp
let ada: Person

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
  const custom_fields = [
    { key: 'tier', label: 'Tier', kind: 'text' },
    { key: 'seats', label: 'Seats', kind: 'number' },
  ]
  await ada.browser.patch('/api/crm/leads/settings', { custom_fields })
})
afterAll(() => app.close())

/** Straight into the table: thousands, of two moments only. */
async function fill(team_id: string, count: number): Promise<void> {
  await app.database.query(
    `insert into leads (team_id, id, first_name, status, call_status, pipeline_stage, utm, custom, created_at, updated_at)
     select $1, substr($2, 1, 14) || lpad(to_hex(n), 10, '0'), 'Lead ' || n, case when n % 2 = 0 then 'NEW' else 'WORKING' end,
       'NONE', 'New', '{}', '{}', '2026-03-02'::timestamptz + n % 2 * interval '1.5 seconds', now() from generate_series(1, $3::int) as n`,
    [team_id, newId(), count],
  )
}

async function namesOf(person: Person, query = ''): Promise<string[]> {
  const { text } = await person.browser.get(`/api/crm/leads/export?columns=first_name${query}`)
  const [head, ...rows] = text.trimEnd().split('\r\n')
  expect(head).toBe('first_name')
  return rows
}

test('columns come in the order asked for, with own fields, and nothing in them runs in a spreadsheet', async () => {
  const custom = { tier: '=HYPERLINK("x")', seats: -5 }
  await ada.browser.post('/api/crm/leads', { first_name: '+49', last_name: 'Müller, J', custom })
  const columns = ['custom.seats', 'last_name', 'custom.tier', 'first_name', 'status', 'company']
  const query = columns.map(column => `columns=${column}`).join('&')
  const { text } = await ada.browser.get(`/api/crm/leads/export?${query}`)
  expect(text).toBe(`${columns.join(',')}\r\n-5,"Müller, J","'=HYPERLINK(""x"")","'+49",NEW,\r\n`)
  // What a search finds is the same file.
  expect((await ada.browser.get(`/api/crm/leads/export?${query}&q=ller`)).text).toBe(text)
  const refused = await ada.browser.get('/api/crm/leads/export?columns=team_id')
  expect(refused.body.errors).toEqual([{ path: 'columns', message: 'team_id is not a lead field' }])
})

test.for([999, 1_000, 1_001, 2_500])('each of %i leads is in the file once, in order', async count => {
  const person = await app.person()
  await fill(person.team_id, count)
  const every = Array.from({ length: count }, (_, n) => `Lead ${n + 1}`)
  const names = await namesOf(person, '&sort=created_at')
  expect(names).toEqual([...every.filter((_, n) => n % 2 === 1), ...every.filter((_, n) => n % 2 === 0)])
  expect(await namesOf(person)).toEqual(names.toReversed())
  expect(await namesOf(person, '&status=WORKING&sort=last_name')).toEqual(
    every.filter((_, n) => n % 2 === 0).toSorted(),
  )
})
