import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { HITS_PER_KIND_MAX } from './values.ts'

let app: TestApp
let ada: Person

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
  const post = async (path: string, body: object) => {
    const reply = await ada.browser.post(path, body)
    expect(reply).toMatchObject({ status: 201 })
    return reply.body
  }
  await post('/api/crm/leads', {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'grace@navy.example',
    phone: '+493012345678',
    company: 'Navy',
  })
  await post('/api/crm/leads', { first_name: 'Ann', last_name: 'Overhopper', company: 'Beer' })
  await post('/api/crm/accounts', { name: 'Hopper & Sons', domain: 'hopper.example' })
  await post('/api/crm/opportunities', { name: 'Hopper renewal', amount: '500', currency: 'EUR' })
  await post('/api/crm/projects', { name: 'Hopper launch' })
  await post('/api/crm/tasks', { title: 'Ring Hopper', due_at: '2026-05-01T10:00:00Z' })
  await post('/api/crm/forms', { name: 'Ask Hopper' })
  await post('/api/outreach/sequences', { name: 'Hopper news' })
  await post('/api/crm/workflows', {
    name: 'Hopper calls',
    trigger: 'lead.created',
    nodes: [],
    status: 'DRAFT',
  })
})
afterAll(() => app.close())

const search = async (q: string, more = '') =>
  (await ada.browser.get(`/api/crm/search?q=${encodeURIComponent(q)}${more}`)).body.data as {
    kind: string
    title: string
    detail: string | null
  }[]
const found = async (q: string, more = '') =>
  (await search(q, more)).map(({ kind, title }) => `${kind}: ${title}`)

test('one word finds records of every kind, what begins with it first', async () => {
  expect(await search('hopper')).toMatchObject([
    { kind: 'lead', title: 'Grace Hopper', detail: 'Navy · grace@navy.example' },
    { kind: 'lead', title: 'Ann Overhopper', detail: 'Beer' },
    { kind: 'account', title: 'Hopper & Sons', detail: 'hopper.example' },
    { kind: 'opportunity', title: 'Hopper renewal', detail: 'prospecting · 500 EUR' },
    { kind: 'project', title: 'Hopper launch', detail: 'active' },
    { kind: 'task', title: 'Ring Hopper', detail: 'due 2026-05-01' },
    { kind: 'form', title: 'Ask Hopper', detail: '/f/ask-hopper · not published' },
    { kind: 'sequence', title: 'Hopper news', detail: 'draft' },
    { kind: 'workflow', title: 'Hopper calls', detail: 'draft' },
  ])
  expect(await found('hopper', '&kind=task&kind=account')).toEqual([
    'account: Hopper & Sons',
    'task: Ring Hopper',
  ])
})

test.for([
  ['grace hop', 'words of a name in any order of typing'],
  ['GRACE@NAVY', 'the beginning of an address'],
  ['+49 30 1234', 'a phone as it is written'],
  ['030 / 12 34 56', 'a phone as it is dialled at home'],
  ['0049 (30) 12345678', 'a phone with its international prefix'],
  ['grcae hoper', 'a typo'],
] as const)('%s finds the lead: %s', async ([q]) => expect(await found(q)).toContain('lead: Grace Hopper'))

test('signs that mean something to a search mean themselves', async () => {
  expect(await found('100%')).toEqual([])
  expect(await found('_opper')).not.toContain('account: Hopper & Sons')
  expect(await found(' ')).toEqual([])
  expect((await ada.browser.get('/api/crm/search')).body).toEqual({ data: [] })
})

test('each kind is found only by who may read it', async () => {
  const key = await ada.key(['leads:read'])
  const { body } = await key.get('/api/crm/search?q=hopper')
  expect([...new Set(body.data.map(({ kind }: { kind: string }) => kind))]).toEqual(['lead', 'opportunity'])
  const eve = await app.person()
  expect((await eve.browser.get('/api/crm/search?q=hopper')).body.data).toEqual([])
})

test('what is in the trash is not found, and of many only the first few', async () => {
  const eve = await app.person()
  for (let n = 0; n < HITS_PER_KIND_MAX + 3; n++) {
    await eve.browser.post('/api/crm/leads', { last_name: `Quine${n}` })
  }
  const read = async () => (await eve.browser.get('/api/crm/search?q=quine')).body.data
  expect(await read()).toHaveLength(HITS_PER_KIND_MAX)
  const [first] = await read()
  await eve.browser.delete(`/api/crm/leads/${first.id}`)
  expect((await read()).map(({ id }: { id: string }) => id)).not.toContain(first.id)
})
