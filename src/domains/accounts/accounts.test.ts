import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { hold, waitingForLocks } from '#test/locks.ts'
import { everyPage } from '#test/pages.ts'
import { inOrder } from '#test/in-order.ts'
import { domainOf, domainOfEmail, parentsOf } from './model.ts'
import { purgeAccounts } from './service.ts'

inOrder()

let app: TestApp
let ada: Person
let key: Client
const clock = new FakeClock()

beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person()
  key = await ada.key()
})
afterAll(() => app.close())

async function newAccount(fields: Record<string, unknown>) {
  const { status, body } = await key.post('/api/crm/accounts', fields)
  expect(status).toBe(201)
  return body
}

describe('a domain', () => {
  test('is kept in lower case, without www, and is taken from the website where none is given', async () => {
    expect(await newAccount({ name: 'A', domain: 'WWW.Alpha.Example' })).toMatchObject({
      domain: 'alpha.example',
    })
    expect(await newAccount({ name: 'B', website: 'https://www.beta.example/about' })).toMatchObject({
      domain: 'beta.example',
      website: 'https://www.beta.example/about',
    })
  })

  test('belongs to one living account: a second is told whose it is, and gets it once that one is in the trash', async () => {
    const first = await newAccount({ name: 'Gamma', domain: 'gamma.example' })
    const taken = await key.post('/api/crm/accounts', { name: 'Gamma 2', domain: 'Gamma.example' })
    expect(taken).toMatchObject({
      status: 409,
      body: { code: 'domain_taken', errors: [{ path: 'domain', message: 'belongs to Gamma' }] },
    })
    const other = await newAccount({ name: 'Gamma 3' })
    expect((await key.patch(`/api/crm/accounts/${other.id}`, { domain: 'gamma.example' })).status).toBe(409)
    await key.delete(`/api/crm/accounts/${first.id}`)
    expect((await key.patch(`/api/crm/accounts/${other.id}`, { domain: 'gamma.example' })).status).toBe(200)
    // What comes back does not take it away again.
    const back = await key.post(`/api/crm/accounts/${first.id}/restore`)
    expect(back).toMatchObject({ status: 200, body: { name: 'Gamma', domain: null, deleted_at: null } })
  })

  test('that twenty ask for at once goes to one of them', async () => {
    // Nobody is done before others have asked as well.
    await using others = await hold(app.database, 'lock table accounts in share row exclusive mode')
    const asked = Array.from({ length: 20 }, (_, n) =>
      key.post('/api/crm/accounts', { name: `D${n}`, domain: 'delta.example' }),
    )
    await expect.poll(() => waitingForLocks(app.database)).toBeGreaterThan(1)
    await others.letGo()
    const replies = await Promise.all(asked)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)])
  })

  test('that a website only suggests never stands in the way', async () => {
    await newAccount({ name: 'Epsilon', domain: 'epsilon.example' })
    expect(await newAccount({ name: 'Epsilon Labs', website: 'https://epsilon.example/labs' })).toMatchObject(
      {
        domain: null,
      },
    )
  })
})

describe('matching', () => {
  test.for([
    ['a@acme.com', 'acme.com'],
    ['a@EU.Acme.com', 'eu.acme.com'],
    ['a@gmail.com', null],
    ['a@web.de', null],
    [null, null],
  ] as const)('the mail domain of %s is %s', ([email, domain]) => expect(domainOfEmail(email)).toBe(domain))

  test.for([
    ['https://www.acme.com/x', 'acme.com'],
    ['https://linkedin.com/in/ada', null],
    ['http://10.0.0.1/', null],
    ['http://localhost/', null],
  ] as const)('the domain of %s is %s', ([website, domain]) => expect(domainOf(website)).toBe(domain))

  test('looks at the domain and those above it', () => {
    expect(parentsOf('eu.mail.acme.com')).toEqual(['eu.mail.acme.com', 'mail.acme.com', 'acme.com'])
    expect(parentsOf('')).toEqual([])
  })

  test('proposes by mail first, then by website, then by name, and never by a mailbox provider', async () => {
    const byMail = await newAccount({ name: 'Zeta', domain: 'zeta.example' })
    const bySite = await newAccount({ name: 'Zeta Web', domain: 'zeta-web.example' })
    const byName = await newAccount({ name: 'Zeta Holding' })
    const lead = 'email=ada%40mail.zeta.example&website=https%3A%2F%2Fzeta-web.example&company=zeta%20holding'
    const { body } = await key.get(`/api/crm/accounts/match?${lead}`)
    expect(body.data.map((match: any) => [match.account.id, match.matched_by])).toEqual([
      [byMail.id, 'email'],
      [bySite.id, 'website'],
      [byName.id, 'company'],
    ])
    expect((await key.get('/api/crm/accounts/match?email=ada%40gmail.com')).body.data).toEqual([])
    expect((await key.get('/api/crm/accounts/match')).body.data).toEqual([])
  })
})

test("the team's own fields are checked by their kind, merged, and removed by null", async () => {
  const fields = [{ key: 'tier', label: 'Tier', kind: 'choice', options: ['A', 'B'] }]
  await ada.browser.patch('/api/crm/accounts/settings', { custom_fields: fields })
  const bad = await key.post('/api/crm/accounts', { name: 'Theta', custom: { tier: 'Z', other: 1 } })
  expect(bad.body.errors.map(({ path }: { path: string }) => path)).toEqual(['custom.tier', 'custom.other'])
  const account = await newAccount({ name: 'Theta', custom: { tier: 'A' } })
  expect(
    (await key.patch(`/api/crm/accounts/${account.id}`, { custom: { tier: null } })).body.custom,
  ).toEqual({})
  const twice = await ada.browser.patch('/api/crm/accounts/settings', {
    custom_fields: [...fields, ...fields],
  })
  expect(twice.body.errors).toEqual([{ path: 'custom_fields[1].key', message: 'is a duplicate' }])
})

test('every sort pages through all accounts once, and the search finds parts of names and domains', async () => {
  const eve = await app.person()
  const names = ['Beta', 'alpha', 'Gamma', 'Alpha', 'delta']
  for (const name of names)
    await eve.browser.post('/api/crm/accounts', { name, domain: `${name}.x-y.example` })
  for (const sort of ['name', '-name', 'created_at', '-updated_at']) {
    const rows = await everyPage(eve.browser, `/api/crm/accounts?limit=2&sort=${sort}`)
    const seen = rows.map(({ id }) => id)
    expect(new Set(seen).size).toBe(4)
    expect(seen).toHaveLength(4)
  }
  const found = await eve.browser.get('/api/crm/accounts?q=gam%20x-y')
  expect(found.body.data.map(({ name }: { name: string }) => name)).toEqual(['Gamma'])
})

test('the export is CSV of what the filters match, with nothing a spreadsheet would run', async () => {
  const eve = await app.person()
  await eve.browser.post('/api/crm/accounts', { name: '=1+1', industry: 'Tin' })
  await eve.browser.post('/api/crm/accounts', { name: 'Other', industry: 'Lead' })
  const { text, headers } = await eve.browser.get('/api/crm/accounts/export?industry=Tin')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="accounts-\d{4}-\d\d-\d\d\.csv"$/)
  const [head, row, ...rest] = text.trim().split('\r\n')
  expect(head).toMatch(/^id,name,domain,/)
  expect(row).toContain(`,"'=1+1",`)
  expect(rest).toEqual([])
})

test('a lead belongs to an account, is found by it, and lets go of it when it is purged', async () => {
  const account = await newAccount({ name: 'Eta' })
  const lead = (await key.post('/api/crm/leads', { first_name: 'Ada', account_id: account.id })).body
  const { body } = await key.get(`/api/crm/leads?account_id=${account.id}`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([lead.id])
  await key.delete(`/api/crm/accounts/${account.id}`)
  // In the trash it is no longer something to point at.
  expect((await key.post('/api/crm/leads', { first_name: 'B', account_id: account.id })).status).toBe(422)
  clock.advance(31 * 86_400_000)
  expect(await purgeAccounts(systemContext(app.runtime, ada.team_id))).toBeGreaterThan(0)
  expect((await key.get(`/api/crm/leads/${lead.id}`)).body.account_id).toBe(null)
})
