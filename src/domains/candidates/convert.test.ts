import { afterAll, expect, test } from 'vitest'
import { expectProblem } from '#test/problem.ts'
import { startHunt } from './candidates.harness.ts'
import type { Conversion, Fact } from './contract.ts'
import type { CandidateRow } from './store.ts'
import { CONVERT_MAX } from './values.ts'

const PATH = '/api/crm/candidates'
// Without a worker: nobody reads sites here.
const hunt = await startHunt({ role: 'api' })
const { api, ada } = hunt
afterAll(() => hunt.close())

let count = 0

/** One whose site was read. */
async function crawled(
  fields: Partial<CandidateRow> = {},
  facts: Pick<Fact, 'kind' | 'label' | 'value'>[] = [],
) {
  const domain = fields.domain ?? `c${++count}.example`
  const at = ada.ctx.now()
  const row = hunt.row({
    domain,
    status: 'CRAWLED',
    crawled_at: at,
    name: `Company ${domain}`,
    data: { facts: facts.map(fact => ({ ...fact, url: `https://${domain}/`, at })), score: [] },
    ...fields,
  })
  await hunt.keep([row])
  return row
}

const convert = async (id: string): Promise<Conversion> => {
  const reply = await api.post(`${PATH}/${id}/convert`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const read = async (kind: 'leads' | 'accounts' | 'candidates', id: string | null) =>
  (await api.get(`/api/crm/${kind}/${id}`)).body

test('a lead is made of what is known, with a new account of the company', async () => {
  const candidate = await crawled(
    { domain: 'acme.example', name: 'Acme Ltd', email: 'info@acme.example', phone: '+49 30 123456' },
    [
      { kind: 'industry', label: null, value: 'Rockets' },
      { kind: 'person', label: 'CEO', value: 'Jane Doe' },
    ],
  )
  const { lead_id, account_id, ...rest } = await convert(candidate.id)
  expect(rest).toEqual({ id: candidate.id, made: true, account_made: true })
  expect(await read('leads', lead_id)).toMatchObject({
    first_name: null,
    last_name: null,
    title: null,
    email: 'info@acme.example',
    phone: '+4930123456',
    company: 'Acme Ltd',
    website: 'https://acme.example/',
    source: 'Candidate',
    account_id,
  })
  expect(await read('accounts', account_id)).toMatchObject({
    name: 'Acme Ltd',
    domain: 'acme.example',
    website: 'https://acme.example/',
    industry: 'Rockets',
    phone: '+4930123456',
  })
  expect(await read('candidates', candidate.id)).toMatchObject({ lead_id })
  expect(await hunt.timeline(lead_id)).toEqual(['candidate.converted', 'lead.created'])
  expect(await hunt.events(candidate.id, 'candidate.converted')).toEqual([
    { lead_id, data: { domain: 'acme.example', name: 'Acme Ltd', lead_id, made: true } },
  ])
})

test('the account is the one of the site, before those of the mail and of the name', async () => {
  const account = async (fields: object) => (await api.post('/api/crm/accounts', fields)).body.id as string
  const bySite = await account({ name: 'The one', domain: 'one.example' })
  const byMail = await account({ name: 'The agency that made the site', domain: 'agency.example' })
  const byName = await account({ name: 'Two GmbH' })
  const one = await crawled({ domain: 'shop.one.example', name: 'Two GmbH', email: 'x@agency.example' })
  expect(await convert(one.id)).toMatchObject({ account_id: bySite, made: true, account_made: false })
  const two = await crawled({ domain: 'two.example', name: 'Two GmbH', email: 'y@agency.example' })
  expect(await convert(two.id)).toMatchObject({ account_id: byMail })
  const three = await crawled({ domain: 'three.example', name: 'two gmbh' })
  expect(await convert(three.id)).toMatchObject({ account_id: byName })
})

test('a living lead with the same mail is taken as it is, and none is doubled', async () => {
  const known = await hunt.lead({ email: 'Sales@known.example', company: 'As it was' })
  const candidate = await crawled({ domain: 'known.example', email: 'sales@known.example' })
  expect(await convert(candidate.id)).toEqual({
    id: candidate.id,
    lead_id: known.id,
    account_id: null,
    made: false,
    account_made: false,
  })
  expect(await read('leads', known.id)).toMatchObject({ company: 'As it was', account_id: null })
  expect(await hunt.timeline(known.id)).toEqual(['candidate.converted', 'lead.created'])
})

test('the lead that it came of is the one, and one that is gone is not', async () => {
  const lead = await hunt.lead({ email: 'x@origin.example' })
  const candidate = await crawled({ domain: 'origin.example', lead_id: lead.id })
  expect(await convert(candidate.id)).toMatchObject({
    lead_id: lead.id,
    made: false,
    account_made: false,
  })
  expect(await hunt.events(candidate.id, 'candidate.converted')).toEqual([])
  await api.delete(`/api/crm/leads/${lead.id}`)
  const anew = await convert(candidate.id)
  expect(anew.made).toBe(true)
  expect(anew.lead_id).not.toBe(lead.id)
})

test('of ten at once one makes the lead and the account', async () => {
  const candidate = await crawled({ domain: 'ten.example', email: 'info@ten.example' })
  // Every connection is open already, so that they really run side by side.
  await Promise.all(Array.from({ length: 40 }, () => api.get(PATH)))
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => api.post<Conversion>(`${PATH}/${candidate.id}/convert`)),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(replies.filter(({ body }) => body.made)).toHaveLength(1)
  expect(replies.filter(({ body }) => body.account_made)).toHaveLength(1)
  expect(new Set(replies.map(({ body }) => body.lead_id)).size).toBe(1)
  expect((await api.get('/api/crm/leads?email=info@ten.example')).body.data).toHaveLength(1)
  expect((await api.get('/api/crm/accounts?domain=ten.example')).body.data).toHaveLength(1)
})

test('candidates with one mail address become one lead, also at once', async () => {
  const twins = [await crawled({ email: 'both@twin.example' }), await crawled({ email: 'BOTH@twin.example' })]
  const made = await Promise.all(twins.map(({ id }) => convert(id)))
  expect(new Set(made.map(({ lead_id }) => lead_id)).size).toBe(1)
  expect(made.filter(({ made }) => made)).toHaveLength(1)
})

test.for([
  ['jane.doe@p1.example', 'Jane', 'Doe', 'Head of Sales'],
  ['JDoe@p2.example', 'Jane', 'Doe', 'Head of Sales'],
  ['ludwig.vanbeethoven@p3.example', 'Ludwig', 'van Beethoven', null],
  ['jose-garcia@p4.example', 'José', 'García', null],
  ['jane@p5.example', null, null, null],
  ['office@p6.example', null, null, null],
] as const)('%s belongs to whom its name says', async ([email, first_name, last_name, title]) => {
  const candidate = await crawled({ email }, [
    { kind: 'person', label: 'Head of Sales', value: 'Jane Doe' },
    { kind: 'person', label: null, value: 'Ludwig van Beethoven' },
    { kind: 'person', label: null, value: 'José García' },
    { kind: 'person', label: null, value: 'Cher' },
  ])
  const { lead_id } = await convert(candidate.id)
  expect(await read('leads', lead_id)).toMatchObject({ first_name, last_name, title })
})

test('what a lead could not have is left out', async () => {
  const candidate = await crawled({
    domain: 'odd.example:8443',
    name: null,
    email: 'ä@odd.example',
    phone: '030 123456',
  })
  const { lead_id, account_id } = await convert(candidate.id)
  expect(await read('leads', lead_id)).toMatchObject({
    email: null,
    phone: null,
    company: 'odd.example:8443',
    website: 'https://odd.example:8443/',
  })
  expect(await read('accounts', account_id)).toMatchObject({
    name: 'odd.example:8443',
    domain: 'odd.example',
  })
})

test('one of which nothing is known is not converted, and one in the trash is not either', async () => {
  for (const status of ['QUEUED', 'CRAWLING', 'BLOCKED', 'FAILED', 'GONE'] as const) {
    const nothing = await crawled({ status, name: null, crawled_at: null })
    expectProblem(await api.post(`${PATH}/${nothing.id}/convert`), 409, 'nothing_known')
    const named = await crawled({ status, name: 'Known by name', crawled_at: null })
    expect(await convert(named.id)).toMatchObject({ made: true })
  }
  const trashed = await crawled({ deleted_at: ada.ctx.now() })
  expectProblem(await api.post(`${PATH}/${trashed.id}/convert`), 404, 'in_trash')
})

test('who may write leads but no accounts finds accounts, and makes none', async () => {
  const key = await ada.key(['leads:read', 'leads:write'])
  const stranger = await crawled({ domain: 'noaccount.example' })
  expect((await key.post(`${PATH}/${stranger.id}/convert`)).body).toMatchObject({
    account_id: null,
    made: true,
    account_made: false,
  })
  expect((await api.get('/api/crm/accounts?domain=noaccount.example')).body.data).toEqual([])
  const { id } = (await api.post('/api/crm/accounts', { name: 'Has one', domain: 'hasone.example' })).body
  const known = await crawled({ domain: 'hasone.example' })
  expect((await key.post(`${PATH}/${known.id}/convert`)).body).toMatchObject({ account_id: id })
})

test('many are converted in one go, and each that cannot be is told', async () => {
  const good = [await crawled(), await crawled({ email: 'info@bulk.example' })]
  const nothing = await crawled({ status: 'FAILED', name: null })
  const trashed = await crawled({ deleted_at: ada.ctx.now() })
  const ids = [good[0]!.id, nothing.id, trashed.id, good[1]!.id]
  for (const headers of [{ 'idempotency-key': 'bulk' }, undefined]) {
    const { status, body } = await api.post(`${PATH}/convert`, { ids }, headers)
    expect(status).toBe(200)
    expect(body.data).toMatchObject(good.map(({ id }) => ({ id, made: headers !== undefined })))
    expect(body.refused).toEqual([
      { id: nothing.id, why: expect.stringContaining('There is no data on') },
      { id: trashed.id, why: 'This candidate is in the trash. Restore it to use it.' },
    ])
  }
})

test('at most 200 are converted in one go, and all of them must be the team’s own', async () => {
  const rows = Array.from({ length: CONVERT_MAX + 1 }, () =>
    hunt.row({ status: 'CRAWLED', crawled_at: ada.ctx.now() }),
  )
  await hunt.keep(rows)
  const ids = rows.map(({ id }) => id)
  expectProblem(await api.post(`${PATH}/convert`, { ids }), 422, 'validation_failed')
  const foreign = 'f'.repeat(24)
  const strange = await api.post(`${PATH}/convert`, { ids: [ids[0], foreign] })
  expect(expectProblem(strange, 422).errors).toEqual([
    { path: 'ids[1]', message: 'is not a candidate in this team' },
  ])
  expect(await read('candidates', ids[0]!)).toMatchObject({ lead_id: null })
  const { body } = await api.post(`${PATH}/convert`, { ids: ids.slice(0, CONVERT_MAX) })
  expect(body.data).toHaveLength(CONVERT_MAX)
  expect(body.refused).toEqual([])
})
