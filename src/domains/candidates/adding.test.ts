import { afterAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { grantCredits, readCredits, useCredits } from '#domains/credits/service.ts'
import { startApp, type Person } from '#test/app.ts'
import type { Reply } from '#test/client.ts'
import { expectProblem } from '#test/problem.ts'
import { REFUSED_SHOWN_MAX } from './add-candidates.ts'
import { ADDRESSES_MAX, ADDRESS_LENGTH_MAX } from './values.ts'

const PATH = '/api/crm/candidates'
const clock = new FakeClock('2026-03-31T09:00:00.000Z')
// Without a worker: what is asked for stays asked for.
const app = await startApp({ role: 'api', clock })
afterAll(() => app.close())

/** Somebody whose team has so many credits left. */
async function personWith(credits: number): Promise<Person> {
  const person = await app.person()
  const { balance } = await readCredits(person.ctx)
  if (balance > credits)
    await useCredits(person.ctx, { amount: balance - credits, reference: 'before', note: null })
  if (balance < credits)
    await grantCredits(person.ctx, { amount: credits - balance, reference: 'before', note: null })
  return person
}

const candidatesOf = ({ team_id }: Person) =>
  app.database.query<{ id: string; domain: string; status: string; origin: string; crawls: number }>(
    'select id, domain, status, origin, crawls from candidates where team_id = $1 order by id',
    [team_id],
  )

const jobsOf = ({ team_id }: Person) =>
  app.database.query<{ data: { candidate_id: string; crawl: number }; outgoing: boolean }>(
    `select data, outgoing from jobs where team_id = $1 and kind = 'candidates.crawl' order by data ->> 'candidate_id'`,
    [team_id],
  )

const balanceOf = async ({ ctx }: Person) => (await readCredits(ctx)).balance

/** Each candidate has the one job and the one credit of its crawl. */
async function expectSound(person: Person, count: number): Promise<void> {
  const candidates = await candidatesOf(person)
  expect(candidates).toHaveLength(count)
  expect((await jobsOf(person)).map(({ data }) => data)).toEqual(
    candidates.map(({ id }) => ({ candidate_id: id, crawl: 1 })),
  )
  const used = await app.database.query<{ reference: string }>(
    `select distinct reference from credit_entries where team_id = $1 and kind = 'use' and reference <> 'before' order by 1`,
    [person.team_id],
  )
  expect(used.map(({ reference }) => reference)).toEqual(candidates.map(({ id }) => `crawl:${id}:1`))
}

test('a site is added by its domain: it is queued, has a job, and costs a credit', async () => {
  const person = await app.person()
  const reply = await person.browser.post(PATH, { address: 'https://www.Acme.com/about' })
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body).toEqual({
    id: expect.any(String),
    url: 'https://acme.com/',
    domain: 'acme.com',
    status: 'QUEUED',
    name: null,
    email: null,
    phone: null,
    description: null,
    facts_count: 0,
    score: 0,
    crawled_at: null,
    changed_at: null,
    next_crawl_at: null,
    failures: 0,
    error: null,
    origin: 'added',
    lead_id: null,
    created_at: '2026-03-31T09:00:00.000Z',
    updated_at: '2026-03-31T09:00:00.000Z',
    deleted_at: null,
    data: { facts: [], score: [] },
  })
  expect((await person.browser.get(`${PATH}/${reply.body.id}`)).body).toEqual(reply.body)
  expect(await jobsOf(person)).toMatchObject([{ outgoing: true }])
  const { balance, entries } = await readCredits(person.ctx)
  expect(balance).toBe(99)
  expect(entries[0]).toMatchObject({ kind: 'use', amount: -1, note: 'acme.com' })
  await expectSound(person, 1)
  const [event] = await app.database.query<{ data: object; actor_id: string }>(
    `select data, actor_id from events where type = 'candidate.created' and subject_id = $1`,
    [reply.body.id],
  )
  expect(event).toMatchObject({ data: { candidate: { domain: 'acme.com' } }, actor_id: person.user_id })
  expect(event!.data).not.toHaveProperty('candidate.data')
})

test('of a hundred at once with ten credits left ten are crawled, and ninety learn how to get more', async () => {
  const person = await personWith(10)
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, n) => person.browser.post(PATH, { address: `site${n}.example` })),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = replies.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(90)
  for (const reply of refused)
    expect(expectProblem(reply, 402, 'out_of_credits').detail).toMatch(
      /the team has none left\. .* 2026-04-30\. To get more sooner, buy credits/,
    )
  expect(await balanceOf(person)).toBe(0)
  await expectSound(person, 10)
})

test('ten who add one domain at once make one candidate for one credit, and are told of it', async () => {
  const person = await personWith(10)
  const spellings = ['one.example', 'https://WWW.one.example/', 'ada@one.example', 'http://one.example:80']
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) => person.browser.post(PATH, { address: spellings[n % 4] })),
  )
  const [made, ...more] = replies.filter(({ status }) => status === 201) as [Reply]
  expect(more).toEqual([])
  for (const reply of replies.filter(reply => reply !== made)) {
    const { detail, errors } = expectProblem(reply, 409, 'candidate_exists')
    expect(detail).toBe('one.example is already a candidate.')
    expect(errors).toEqual([{ path: 'address', message: `belongs to candidate ${made.body.id}` }])
  }
  expect(await balanceOf(person)).toBe(9)
  await expectSound(person, 1)
})

test.for([
  ['ada@gmail.com', 'is at gmail.com, a public provider rather than a company domain'],
  ['nonsense', 'is not a domain, URL or email address: write it like acme.com'],
  ['http://127.0.0.1/', 'is not a domain, URL or email address: write it like acme.com'],
])('%s is refused, and costs nothing', async ([address, message]) => {
  const person = await personWith(1)
  const { errors } = expectProblem(await person.browser.post(PATH, { address }), 422, 'validation_failed')
  expect(errors).toEqual([{ path: 'address', message }])
  expect(await balanceOf(person)).toBe(1)
  await expectSound(person, 0)
})

test('a lead leads to its company: by its mail, else by its website, and the candidate stands on its timeline', async () => {
  const person = await personWith(10)
  const lead = async (fields: object) =>
    (await person.browser.post('/api/crm/leads', fields)).body.id as string
  const grace = await lead({ email: 'grace@navy.example', website: 'https://other.example/' })
  const made = await person.browser.post(PATH, { lead_id: grace })
  expect(made).toMatchObject({
    status: 201,
    body: { domain: 'navy.example', origin: 'lead', lead_id: grace },
  })
  const timeline = await person.browser.get(`/api/crm/leads/${grace}/timeline`)
  expect(timeline.body.data[0]).toMatchObject({ type: 'candidate.created' })

  const ann = await lead({ email: 'ann@gmail.com', website: 'https://ann.example/' })
  expect((await person.browser.post(PATH, { lead_id: ann })).body).toMatchObject({ domain: 'ann.example' })

  const bob = await lead({ email: 'bob@gmail.com' })
  const nowhere = await person.browser.post(PATH, { lead_id: bob })
  expect(expectProblem(nowhere, 422).errors).toEqual([
    { path: 'lead_id', message: 'has no company email address and no website' },
  ])
  const again = await person.browser.post(PATH, { lead_id: grace })
  expect(expectProblem(again, 409, 'candidate_exists').errors).toMatchObject([{ path: 'lead_id' }])
})

test('a lead of a company that is a candidate already gets that one, for nothing', async () => {
  const person = await personWith(2)
  const known = (await person.browser.post(PATH, { address: 'known.example' })).body
  const lead_id = (await person.browser.post('/api/crm/leads', { email: 'a@known.example' })).body.id
  const linked = await person.browser.post(PATH, { lead_id })
  expect(linked).toMatchObject({ status: 201, body: { id: known.id, lead_id, origin: 'added' } })
  expect(await balanceOf(person)).toBe(1)
  await expectSound(person, 1)
  // It stays with that lead, until it is gone.
  const other = (await person.browser.post('/api/crm/leads', { email: 'b@known.example' })).body.id
  expectProblem(await person.browser.post(PATH, { lead_id: other }), 409, 'candidate_exists')
  await person.browser.delete(`/api/crm/leads/${lead_id}`)
  expect((await person.browser.post(PATH, { lead_id: other })).body).toMatchObject({ lead_id: other })
})

test('it is either an address or a lead of the own team', async () => {
  const person = await personWith(5)
  const stranger = await app.person()
  const foreign = (await stranger.browser.post('/api/crm/leads', { email: 'a@foreign.example' })).body.id
  const own = (await person.browser.post('/api/crm/leads', { email: 'a@own.example' })).body.id
  const told = async (body: object) => expectProblem(await person.browser.post(PATH, body), 422).errors
  expect(await told({})).toEqual([
    { path: 'address', message: 'Send either address or lead_id, but not both' },
  ])
  expect(await told({ address: 'a.example', lead_id: own })).toEqual([
    { path: 'lead_id', message: 'Send either address or lead_id, but not both' },
  ])
  expect(await told({ lead_id: foreign })).toEqual([
    { path: 'lead_id', message: 'is not a lead in this team' },
  ])
  expect(await candidatesOf(person)).toEqual([])
})

test('a list adds each site once, tells what is known and what is none, and pays for what is new', async () => {
  const person = await personWith(10)
  await person.browser.post(PATH, { address: 'known.example' })
  const addresses = [
    'a.example',
    'https://www.A.example/team',
    'x@a.example',
    'b.example:8443',
    'müller.example',
    'https://known.example/',
    'somebody@gmail.com',
    'somebody@gmail.com',
    '<script>alert(1)</script>',
  ]
  const { status, body } = await person.browser.post(`${PATH}/list`, { addresses })
  expect(status).toBe(200)
  expect(body).toEqual({
    added: 3,
    known: 1,
    without_credit: 0,
    refused: [
      {
        address: 'somebody@gmail.com',
        why: 'is at gmail.com, a public provider rather than a company domain',
      },
      { address: '<script>alert(1)</script>', why: expect.stringContaining('is not a domain') },
    ],
    refused_count: 2,
  })
  expect((await candidatesOf(person)).map(({ domain, origin }) => `${domain} ${origin}`).toSorted()).toEqual([
    'a.example list',
    'b.example:8443 list',
    'known.example added',
    'xn--mller-kva.example list',
  ])
  expect(await balanceOf(person)).toBe(6)
  await expectSound(person, 4)
})

test('a list of 1,000 adds as many as there are credits for, from both purses, and counts the rest', async () => {
  const person = await app.person()
  await grantCredits(person.ctx, { amount: 150, reference: 'gift', note: null })
  const addresses = Array.from({ length: ADDRESSES_MAX }, (_, n) => `many${n}.example`)
  const { body } = await person.browser.post(`${PATH}/list`, { addresses })
  expect(body).toEqual({ added: 250, known: 0, without_credit: 750, refused: [], refused_count: 0 })
  expect((await candidatesOf(person)).map(({ domain }) => domain).toSorted()).toEqual(
    addresses.slice(0, 250).toSorted(),
  )
  const { balance, monthly, purchased, used_this_period } = await readCredits(person.ctx)
  expect({ balance, monthly, purchased, used_this_period }).toEqual({
    balance: 0,
    monthly: 0,
    purchased: 0,
    used_this_period: 250,
  })
  await expectSound(person, 250)
  const [ledger] = await app.database.query(
    'select sum(amount)::int as sum, count(*)::int as count, max(place)::int as last from credit_entries where team_id = $1',
    [person.team_id],
  )
  expect(ledger).toEqual({ sum: 0, count: 252, last: 252 })
  // Nothing is lost by sending it again.
  const again = await person.browser.post(`${PATH}/list`, { addresses })
  expect(again.body).toMatchObject({ added: 0, known: 250, without_credit: 750 })
})

test('several lists at once pay for each site once', async () => {
  const person = await personWith(30)
  const lists = Array.from({ length: 8 }, (_, n) =>
    person.browser.post(`${PATH}/list`, {
      addresses: Array.from({ length: 20 }, (_, at) => `shared${(at + n) % 25}.example`),
    }),
  )
  const replies = await Promise.all(lists)
  expect(replies.reduce((sum, { body }) => sum + body.added, 0)).toBe(25)
  expect(await balanceOf(person)).toBe(5)
  await expectSound(person, 25)
})

test('a list has at most 1,000 addresses of 500 characters, and tells of the first 100 that are none', async () => {
  const person = await personWith(0)
  const list = (addresses: string[]) => person.browser.post(`${PATH}/list`, { addresses })
  expectProblem(await list([]), 422, 'validation_failed')
  expectProblem(await list(Array.from({ length: ADDRESSES_MAX + 1 }, (_, n) => `a${n}.example`)), 422)
  expectProblem(await list(['a'.repeat(ADDRESS_LENGTH_MAX + 1)]), 422, 'validation_failed')
  const none = Array.from({ length: REFUSED_SHOWN_MAX + 1 }, (_, n) => `nothing ${n}`)
  const { body } = await list([...none, 'a'.repeat(ADDRESS_LENGTH_MAX)])
  expect(body).toMatchObject({ added: 0, refused_count: REFUSED_SHOWN_MAX + 2 })
  expect(body.refused).toHaveLength(REFUSED_SHOWN_MAX)
})

test('a list that is added tells those who look on once', async () => {
  const person = await personWith(10)
  await person.browser.post(`${PATH}/list`, { addresses: ['l1.example', 'l2.example', 'l3.example'] })
  const count = async (table: string, type: string) =>
    (
      await app.database.query<{ count: number }>(
        `select count(*)::int as count from ${table} where team_id = $1 and ${type}`,
        [person.team_id],
      )
    )[0]!.count
  expect(await count('events', `type = 'candidate.created'`)).toBe(3)
  expect(await count('changes', `message::text like '%candidate.created%'`)).toBe(1)
})

test('a team whose trial is over adds nothing', async () => {
  const person = await personWith(5)
  await app.database.query(`update credit_accounts set plan = 'EXPIRED' where team_id = $1`, [person.team_id])
  expectProblem(await person.browser.post(PATH, { address: 'late.example' }), 403, 'trial_expired')
  expectProblem(await person.browser.post(`${PATH}/list`, { addresses: ['late.example'] }), 403)
  expect(await candidatesOf(person)).toEqual([])
})
