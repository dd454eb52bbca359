import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'

let app: TestApp
let ada: Person
let bob: Person

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
  bob = await colleagueOf(app, ada, 'MEMBER')
})
afterAll(() => app.close())

const view = { kind: 'leads', name: 'Hot', query: 'pipeline_stage=Qualified&sort=-last_activity_at' }

test('a view is private until it is shared', async () => {
  const { body } = await ada.browser.post('/api/crm/views', {
    ...view,
    columns: [{ key: 'email', width: 240 }],
  })
  expect(body).toMatchObject({
    ...view,
    shared: false,
    owner_id: ada.user_id,
    columns: [{ key: 'email', width: 240 }],
  })
  expect((await bob.browser.get('/api/crm/views')).body.data).toEqual([])
  expect((await bob.browser.patch(`/api/crm/views/${body.id}`, { name: 'Mine' })).status).toBe(404)
  await ada.browser.patch(`/api/crm/views/${body.id}`, { shared: true })
  expect((await bob.browser.get('/api/crm/views?kind=leads')).body.data).toHaveLength(1)
})

test("a colleague's shared view can be seen but not changed, except by an ADMIN", async () => {
  const { body } = await bob.browser.post('/api/crm/views', { ...view, shared: true })
  const carol = await colleagueOf(app, ada, 'MEMBER')
  expect((await carol.browser.delete(`/api/crm/views/${body.id}`)).status).toBe(403)
  expect((await ada.browser.delete(`/api/crm/views/${body.id}`)).status).toBe(204)
})

test('a VIEWER saves views, but shares none', async () => {
  const viewer = await colleagueOf(app, ada, 'VIEWER')
  expect((await viewer.browser.post('/api/crm/views', view)).status).toBe(201)
  expect((await viewer.browser.post('/api/crm/views', { ...view, shared: true })).status).toBe(403)
})

test('a stale change is refused', async () => {
  const { body, headers } = await ada.browser.post('/api/crm/views', view)
  const tag = { 'if-match': headers.get('etag')! }
  expect((await ada.browser.patch(`/api/crm/views/${body.id}`, { name: 'Warm' }, tag)).status).toBe(200)
  expect((await ada.browser.patch(`/api/crm/views/${body.id}`, { name: 'Cold' }, tag)).status).toBe(412)
})
