import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client, Reply } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { hiddenValue, openedPage, publishedForm, readSubmission, visitor } from './forms.harness.ts'
import { PAGE_MAX_MS, PAGE_MIN_MS } from './page-token.ts'
import { leadingZeroBits, PROOF_BITS, PROOF_LIFE_MS } from './proof.ts'
import { HONEYPOT, LINKS_SUSPICIOUS, SUBMISSIONS_PER_MINUTE_MAX } from './spam.ts'

let app: TestApp
let ada: Person
let key: Client
let stranger: ReturnType<typeof visitor>
const clock = new FakeClock()

beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person()
  key = await ada.key()
  stranger = visitor(app)
})
afterAll(() => app.close())

let addresses = 0
const answers = () => ({ first_name: 'Ada', email: `spam${++addresses}@example.com` })

/** What was made of it: why it is suspected, or nothing. */
async function reasonsFor(reply: Reply): Promise<string[]> {
  expect(reply.status, reply.text).toBe(201)
  const { status, reasons, lead_id } = await readSubmission(key, reply.body.id)
  expect(status).toBe(reasons.length > 0 ? 'QUARANTINED' : 'RECEIVED')
  expect(lead_id === null).toBe(reasons.length > 0)
  return reasons
}

async function reasonsOfPage(form: { slug: string }, ageMs: number, change = (token: string) => token) {
  const page = await stranger.open(form)
  clock.advance(ageMs)
  const _token = change(hiddenValue(page, '_token')!)
  return reasonsFor(await stranger.submit(form as never, { ...answers(), _token }))
}

describe('a submission is suspected', () => {
  test('when what people do not see is filled in', async () => {
    const form = await publishedForm(key)
    expect(await reasonsFor(await stranger.submit(form, { ...answers(), [HONEYPOT]: 'x' }))).toEqual([
      'honeypot',
    ])
    expect(await reasonsFor(await stranger.submit(form, { ...answers(), [HONEYPOT]: '' }))).toEqual([])
  })

  test('when it comes faster than anybody types, or from a page of yesterday', async () => {
    const form = await publishedForm(key)
    expect(await reasonsOfPage(form, PAGE_MIN_MS - 1)).toEqual(['too_quick'])
    expect(await reasonsOfPage(form, PAGE_MIN_MS)).toEqual([])
    expect(await reasonsOfPage(form, PAGE_MAX_MS)).toEqual([])
    expect(await reasonsOfPage(form, PAGE_MAX_MS + 1)).toEqual(['bad_token'])
  })

  test('when its page is forged, of another form, or missing where ours always has one', async () => {
    const form = await publishedForm(key)
    const forged = (token: string) => `${token.slice(0, -6)}AAAAAA`
    expect(await reasonsOfPage(form, 5_000, forged)).toEqual(['bad_token'])
    const other = await openedPage(app, clock, await publishedForm(key))
    expect(await reasonsOfPage(form, 5_000, () => other)).toEqual(['bad_token'])
    expect((await stranger.send(form, answers())).status).toBe(303)
    const { data } = (await key.get(`/api/crm/forms/${form.id}/submissions?limit=1`)).body
    expect(data[0].reasons).toEqual(['bad_token'])
  })

  test('not because a program has no page', async () => {
    expect(await reasonsFor(await stranger.submit(await publishedForm(key), answers()))).toEqual([])
  })

  test('when it is full of links', async () => {
    const form = await publishedForm(key)
    const message = (links: number) =>
      Array.from({ length: links }, (_, n) => `https://a${n}.example`).join(' ')
    const withLinks = (links: number) => stranger.submit(form, { ...answers(), message: message(links) })
    expect(await reasonsFor(await withLinks(LINKS_SUSPICIOUS - 1))).toEqual([])
    expect(await reasonsFor(await withLinks(LINKS_SUSPICIOUS))).toEqual(['many_links'])
  })

  test('when too many come from one network within a minute', async () => {
    const busy = await startApp({ clock, database: app.database, config: { rateLimit: true } })
    try {
      const [form, other] = [await publishedForm(key), await publishedForm(key)]
      const { submit } = visitor(busy)
      for (let n = 0; n < SUBMISSIONS_PER_MINUTE_MAX; n++)
        expect(await reasonsFor(await submit(form, answers()))).toEqual([])
      expect(await reasonsFor(await submit(form, answers()))).toEqual(['too_many'])
      expect(await reasonsFor(await submit(other, answers()))).toEqual([])
      clock.advance(60_000)
      expect(await reasonsFor(await submit(form, answers()))).toEqual([])
    } finally {
      await busy.close()
    }
  })
})

describe('a suspected submission', () => {
  test('is answered like any other, and nobody hears of it', async () => {
    const notify = ['quarantine@example.com']
    const form = await publishedForm(key, { notify })
    const body = { ...answers(), [HONEYPOT]: 'x' }
    const reply = await stranger.submit(form, body)
    expect(Object.keys(reply.body).toSorted()).toEqual(['id', 'message', 'redirect_url'])
    const events = await app.database.query('select type from events where subject_id = $1', [reply.body.id])
    expect(events).toEqual([{ type: 'form.quarantined' }])
    expect((await key.get(`/api/crm/leads?email=${body.email}`)).body.data).toEqual([])
    const { submissions } = (await key.get(`/api/crm/forms/${form.id}`)).body
    expect(submissions).toMatchObject({ received: 0, quarantined: 1 })
  })

  test('that is released is like any other from then on, once', async () => {
    const notify = ['released@example.com']
    const form = await publishedForm(key, { notify })
    const body = { ...answers(), [HONEYPOT]: 'x' }
    const { id } = (await stranger.submit(form, body)).body
    // As it was mapped when it was sent.
    await key.patch(`/api/crm/forms/${form.id}`, { field_mapping: {}, published: true })
    const released = await Promise.all(
      [1, 2, 3].map(() => ada.browser.post(`/api/crm/submissions/${id}/release`)),
    )
    expect(released.map(({ status }) => status)).toEqual([200, 200, 200])
    const submission = await readSubmission(key, id)
    expect(submission).toMatchObject({
      status: 'RECEIVED',
      reasons: ['honeypot'],
      released_at: expect.any(String),
    })
    expect((await key.get(`/api/crm/leads/${submission.lead_id}`)).body.email).toBe(body.email)
    const events = await app.database.query<{ type: string; actor_kind: string }>(
      'select type, actor_kind from events where subject_id = $1 order by id',
      [id],
    )
    expect(events).toEqual([
      { type: 'form.quarantined', actor_kind: 'form' },
      { type: 'submission.released', actor_kind: 'person' },
      { type: 'form.submitted', actor_kind: 'form' },
    ])
    await eventually(() => expect(app.mail.sent.filter(mail => mail.to === notify[0])).toHaveLength(1))
  })
})

describe('who is able to work', () => {
  const suspicious = () => ({ ...answers(), message: 'https://a https://b https://c' })

  async function challengeOf(form: { id: string }): Promise<string> {
    const asked = await stranger.submit(form, { ...suspicious(), _proof: 'able' })
    expect(asked).toMatchObject({ status: 403, body: { code: 'proof_required' } })
    expect(asked.headers.get('proof-bits')).toBe(String(PROOF_BITS))
    expect(asked.headers.get('access-control-expose-headers')).toContain('proof-challenge')
    return asked.headers.get('proof-challenge')!
  }

  function proofOf(challenge: string, enough = (bits: number) => bits >= PROOF_BITS): string {
    for (let n = 0; ; n++) {
      const proof = `${challenge}.${n}`
      if (enough(leadingZeroBits(hash('sha256', proof, 'buffer')))) return proof
    }
  }

  test('is asked to, is trusted afterwards, and nothing was kept meanwhile', async () => {
    const form = await publishedForm(key)
    const challenge = await challengeOf(form)
    expect((await key.get(`/api/crm/forms/${form.id}/submissions`)).body.data).toEqual([])
    const _proof = proofOf(challenge)
    expect(await reasonsFor(await stranger.submit(form, { ...suspicious(), _proof }))).toEqual([])
  })

  test('is not asked where nothing is suspected', async () => {
    const form = await publishedForm(key)
    expect(await reasonsFor(await stranger.submit(form, { ...answers(), _proof: 'able' }))).toEqual([])
  })

  test('cannot do with too little, with an old challenge, or with that of another form', async () => {
    const form = await publishedForm(key)
    const challenge = await challengeOf(form)
    const refused = async (_proof: string) =>
      reasonsFor(await stranger.submit(form, { ...suspicious(), _proof }))
    const lazy = proofOf(challenge, bits => bits < PROOF_BITS)
    expect(await refused(lazy)).toEqual(['many_links'])
    expect(await refused('nonsense.1')).toEqual(['many_links'])
    expect(await refused(proofOf(await challengeOf(await publishedForm(key))))).toEqual(['many_links'])
    const good = proofOf(challenge)
    clock.advance(PROOF_LIFE_MS + 1)
    expect(await refused(good)).toEqual(['many_links'])
  })

  test('does not get out of the trap', async () => {
    const form = await publishedForm(key)
    const trapped = { ...suspicious(), [HONEYPOT]: 'x' }
    expect(await reasonsFor(await stranger.submit(form, { ...trapped, _proof: 'able' }))).toEqual([
      'honeypot',
      'many_links',
    ])
    const _proof = proofOf(await challengeOf(form))
    expect(await reasonsFor(await stranger.submit(form, { ...trapped, _proof }))).toContain('honeypot')
  })
})
