import { afterAll, beforeAll, expect, test } from 'vitest'
import { domains } from '#app'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'

/** What changes nothing here and still matters afterwards: who took what out, who looked at a secret, who was refused. */
const DAY_MS = 86_400_000
const clock = new FakeClock('2026-03-02T09:00:00.000Z')
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person('ada@example.test')
})
afterAll(() => app.close())

const told = async (type: string, browser = ada.browser) =>
  (await browser.get(`/api/team/audit?type=${type}`)).body.data

const exports = domains
  .flatMap(({ endpoints }) => Object.values(endpoints))
  .filter(({ media, path }) => media === 'text/csv' && !path.includes(':'))
  .map(({ path }) => path)

test('there are exports to look at', () => expect(exports.length).toBeGreaterThan(5))

test.for(exports)('%s leaves an entry with who took what, and a look at its head leaves none', async path => {
  const before = await told('export.made')
  expect((await ada.browser.raw('HEAD', path, undefined)).status).toBe(200)
  expect(await told('export.made')).toHaveLength(before.length)
  const reply = await ada.browser.get(path)
  expect(reply.headers.get('content-type')).toContain('text/csv')
  const [entry, ...rest] = await told('export.made')
  expect(rest).toHaveLength(before.length)
  expect(entry).toMatchObject({ actor: { id: ada.user_id }, ip: '127.0.0.1', data: { filters: [] } })
  expect(path).toContain(entry.data.what === 'tasks' ? 'tasks' : entry.data.what)
})

test('an export says what it was filtered by, and not for what', async () => {
  await ada.browser.get('/api/crm/leads/export?q=Initech')
  expect((await told('export.made'))[0].data).toEqual({ what: 'leads', filters: ['q'] })
})

test('who looks at the secret of a webhook is written down', async () => {
  const made = await ada.browser.post('/api/crm/forms', {
    name: 'Contact',
    webhook_url: 'https://receiver.example.test/',
    fields: [{ key: 'email', label: 'E-mail', type: 'email' }],
  })
  expect(made.status, made.text).toBe(201)
  const [endpoint] = (await ada.browser.get('/api/webhooks/endpoints')).body.data
  expect((await ada.browser.get(`/api/webhooks/endpoints/${endpoint.id}/secret`)).status).toBe(200)
  const [entry] = await told('webhook_endpoint.secret_read')
  expect(entry).toMatchObject({ actor: { id: ada.user_id }, subject: { id: endpoint.id } })
  expect(JSON.stringify(entry)).not.toContain('whsec_')
})

test('a new team begins its log with who founded it', async () => {
  const eve = await app.person('eve@example.test')
  const { body: team } = await eve.browser.post('/api/auth/teams', { name: 'Second' })
  await eve.browser.post('/api/auth/team', { teamId: team.id })
  const entry = { actor: { id: eve.user_id }, subject: { id: team.id }, data: { name: 'Second' } }
  await eventually(async () => expect(await told('team.created', eve.browser)).toMatchObject([entry]))
})

test('a key that has expired is refused, and its team learns of it once an hour', async () => {
  const { body } = await ada.browser.post('/api/keys', {
    name: 'Old',
    scopes: ['leads:read'],
    expires_in_days: 1,
  })
  const old = client(app.url, { authorization: `Bearer ${body.key}` })
  clock.advance(DAY_MS)
  for (let times = 0; times < 5; times++) expect((await old.get('/api/crm/leads')).status).toBe(401)
  expect(await told('key.refused')).toMatchObject([
    { subject: { id: body.id }, data: { name: 'Old', reason: 'This key has expired.' } },
  ])
  clock.advance(3_600_000)
  await old.get('/api/crm/leads')
  expect(await told('key.refused')).toHaveLength(2)
})
