import { afterAll, expect, test } from 'vitest'
import { everyPage } from '#test/pages.ts'
import { startHunt } from './candidates.harness.ts'
import type { ListedCandidate } from './contract.ts'
import type { CandidateRow } from './store.ts'

const PATH = '/api/crm/candidates'
// Without a worker: nobody reads sites here.
const hunt = await startHunt({ role: 'api' })
const { api, ada } = hunt
afterAll(() => hunt.close())

const lead = (await api.post('/api/crm/leads', { email: 'l@list.example' })).body
const rows = [
  {
    domain: 'alpha.example',
    name: 'Alpha Robotics',
    score: 80,
    status: 'CRAWLED',
    description: 'Builds arms',
  },
  { domain: 'beta.example', name: 'beta', score: 9, status: 'CRAWLED', email: 'hello@betamail.example' },
  { domain: 'gamma.example', score: 100, status: 'BLOCKED' },
  { domain: 'xn--mller-kva.example', name: 'Müller', score: 9, status: 'QUEUED', lead_id: lead.id },
  { domain: 'formula.example', name: '=HYPERLINK("x")', score: 0, status: 'GONE' },
].map((fields, at) => {
  const created_at = new Date(Date.parse(ada.ctx.now()) + at * 1000).toISOString()
  const order = { created_at, updated_at: created_at }
  return hunt.row({ ...(fields as Partial<CandidateRow>), ...order })
})
await hunt.keep(rows)
const found = async (query: string) =>
  (await api.get(`${PATH}?${query}`)).body.data.map(({ domain }: ListedCandidate) => domain[0])

test.for<[string, string]>([
  ['status=CRAWLED&sort=name', 'ab'],
  ['status=BLOCKED&status=GONE&sort=created_at', 'gf'],
  ['domain=https://www.ALPHA.example/x', 'a'],
  ['domain=müller.example', 'x'],
  ['domain=nothing at all', ''],
  ['converted=true', 'x'],
  ['converted=false&sort=created_at', 'abgf'],
  [`lead_id=${lead.id}`, 'x'],
  [`id=${rows[1]!.id}`, 'b'],
  ['score_min=80&sort=created_at', 'ag'],
  ['score_min=81', 'g'],
  ['q=robot', 'a'],
  ['q=builds arms', 'a'],
  ['q=betamail', 'b'],
  ['q=MÜLLER', 'x'],
  ['q=100%', ''],
  ['trashed=true', ''],
])('a list filtered by %s', async ([query, letters]) => {
  expect((await found(encodeURI(query))).join('')).toBe(letters)
})

test.for<[string, string]>([
  ['created_at', 'abgxf'],
  ['updated_at', 'abgxf'],
  ['name', 'fabgx'],
  ['score', 'fbxag'],
])('a list sorted by %s, one way and the other, visits each once', async ([sort, letters]) => {
  const domains = async (by: string) =>
    (await everyPage<ListedCandidate>(api, `${PATH}?sort=${by}&limit=2`)).map(({ domain }) => domain[0])
  expect((await domains(sort)).join('')).toBe(letters)
  expect((await domains(`-${sort}`)).join('')).toBe([...letters].toReversed().join(''))
})

test('a list leaves the facts to the candidate’s own page', async () => {
  const [first] = (await api.get(`${PATH}?limit=1`)).body.data
  expect(first).not.toHaveProperty('data')
  expect(first).not.toHaveProperty('crawls')
  expect((await api.get(`${PATH}/${first.id}`)).body).toHaveProperty('data.facts')
})

test('they are counted by where they stand, those in the trash left out', async () => {
  const counts = { QUEUED: 1, CRAWLING: 0, CRAWLED: 2, BLOCKED: 1, FAILED: 0, GONE: 1 }
  expect((await api.get(`${PATH}/counts`)).body).toEqual(counts)
  await api.delete(`${PATH}/${rows[2]!.id}`)
  expect((await api.get(`${PATH}/counts`)).body).toEqual({ ...counts, BLOCKED: 0 })
  await api.post(`${PATH}/${rows[2]!.id}/restore`)
})

test('they are exported as CSV in which nothing is a formula', async () => {
  const { text, headers } = await api.get(`${PATH}/export?sort=name&score_min=0`)
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="candidates-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const lines = text.trim().split('\r\n')
  expect(lines).toHaveLength(6)
  expect(lines[0]).toMatch(/^id,url,domain,status,name,/)
  expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`)
})

test('candidates are what the search over everything finds, by name, domain and mail', async () => {
  const search = async (q: string) =>
    (await api.get(`/api/crm/search?kind=candidate&q=${encodeURIComponent(q)}`)).body.data
  expect(await search('alph')).toEqual([
    { kind: 'candidate', id: rows[0]!.id, title: 'Alpha Robotics', detail: 'alpha.example' },
  ])
  expect(await search('gamma.ex')).toEqual([
    { kind: 'candidate', id: rows[2]!.id, title: 'gamma.example', detail: null },
  ])
  expect(await search('betamail')).toMatchObject([{ title: 'beta' }])
})
