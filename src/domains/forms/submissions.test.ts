import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { everyPage } from '#test/pages.ts'
import { openedPage, publishedForm, readSubmission, visitor } from './forms.harness.ts'

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
  await ada.browser.patch('/api/crm/leads/settings', {
    custom_fields: [
      { key: 'size', label: 'Size', kind: 'number' },
      { key: 'plan', label: 'Plan', kind: 'choice', options: ['Small', 'Large'] },
      { key: 'news', label: 'Newsletter', kind: 'checkbox' },
      { key: 'story', label: 'Story', kind: 'text' },
    ],
  })
})
afterAll(() => app.close())

let addresses = 0
const newAddress = () => `visitor${++addresses}@example.com`

async function sent(form: { id: string }, body: object) {
  const reply = await stranger.submit(form, body)
  expect(reply.status, reply.text).toBe(201)
  return readSubmission(key, reply.body.id)
}

const leadOf = async (id: string) => (await key.get(`/api/crm/leads/${id}`)).body
const leadsWith = async (email: string) =>
  (await key.get(`/api/crm/leads?email=${encodeURIComponent(email)}`)).body.data
const eventsOf = (id: string) =>
  app.database.query<{ type: string; lead_id: string | null; actor_kind: string; data: any }>(
    'select type, lead_id, actor_kind, actor_name, data from events where subject_id = $1 order by id',
    [id],
  )

const text = (name: string, more: object = {}) => ({ key: name, type: 'text', label: name, ...more })
const email = { key: 'email', type: 'email', label: 'E-mail' }

describe('a submission', () => {
  test('is kept, makes a lead and is told, all at once', async () => {
    const form = await publishedForm(key, { name: 'Ask us' })
    const address = newAddress()
    const reply = await stranger.submit(form, {
      first_name: 'Grace',
      email: address,
      message: 'Hello\nthere',
      unknown: 'is ignored',
      utm_source: 'newsletter',
      _page: 'https://site.example/pricing',
      _referrer: 'https://search.example/?q=crm',
    })
    expect(reply).toMatchObject({
      status: 201,
      body: { message: 'Thank you. We have received your message.', redirect_url: null },
    })
    const submission = await readSubmission(key, reply.body.id)
    expect(submission).toMatchObject({
      form_id: form.id,
      form_version: 1,
      status: 'RECEIVED',
      reasons: [],
      notes: [],
      values: { first_name: 'Grace', email: address, message: 'Hello\nthere' },
      first_touch: null,
      last_touch: {
        utm: { source: 'newsletter' },
        referrer: 'https://search.example/?q=crm',
        page_url: 'https://site.example/pricing',
      },
    })
    const lead = await leadOf(submission.lead_id)
    expect(lead).toMatchObject({
      first_name: 'Grace',
      last_name: null,
      email: address,
      source: 'Form: Ask us',
      utm: { source: 'newsletter' },
      pipeline_stage: 'New',
      last_activity_at: submission.created_at,
    })
    expect(await eventsOf(submission.id)).toMatchObject([
      {
        type: 'form.submitted',
        lead_id: lead.id,
        actor_kind: 'form',
        actor_name: 'Ask us',
        data: { form_id: form.id, utm: { source: 'newsletter' }, values: { email: address } },
      },
    ])
    const { body: timeline } = await key.get(`/api/crm/leads/${lead.id}/timeline`)
    expect(timeline.data.map((entry: { type: string }) => entry.type).toSorted()).toEqual([
      'form.submitted',
      'lead.created',
    ])
    const read = await key.get(`/api/crm/forms/${form.id}`)
    expect(read.body.submissions).toEqual({ received: 1, quarantined: 0, last_at: submission.created_at })
  })

  test('with faults changes nothing, and every fault is told', async () => {
    const form = await publishedForm(key)
    const reply = await stranger.submit(form, { email: 'nobody' })
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(reply.body.errors.map(({ path }: { path: string }) => path)).toEqual(['first_name', 'email'])
    expect((await key.get(`/api/crm/forms/${form.id}/submissions`)).body.data).toEqual([])
  })

  test('is read by the published version, not by the draft', async () => {
    const form = await publishedForm(key, { fields: [text('a', { required: true })] })
    await key.patch(`/api/crm/forms/${form.id}`, { fields: [text('b', { required: true })] })
    expect((await sent(form, { a: 'yes', b: 'no' })).values).toEqual({ a: 'yes' })
  })

  test('without a mapping makes no lead', async () => {
    const form = await publishedForm(key, { fields: [email] })
    expect(await sent(form, { email: newAddress() })).toMatchObject({ lead_id: null, notes: [] })
  })

  test('that says nothing a lead is known by makes none, and says why', async () => {
    const fields = [text('story')]
    const form = await publishedForm(key, { fields, field_mapping: { story: 'custom.story' } })
    const submission = await sent(form, { story: 'Once' })
    expect(submission).toMatchObject({ lead_id: null, values: { story: 'Once' } })
    expect(submission.notes[0].message).toMatch(/No lead was created/)
  })

  test('keeps what the lead cannot take, with a note', async () => {
    const fields = [email, text('site'), text('size'), text('plan'), { ...text('story'), type: 'long_text' }]
    const field_mapping = {
      email: 'email',
      site: 'website',
      size: 'custom.size',
      plan: 'custom.plan',
      story: 'custom.story',
    }
    const form = await publishedForm(key, { fields, field_mapping })
    const story = 'x'.repeat(2_001)
    const submission = await sent(form, {
      email: newAddress(),
      site: 'not a site',
      size: '12,5',
      plan: 'Medium',
      story,
    })
    expect(submission.values).toMatchObject({ site: 'not a site', plan: 'Medium', story })
    expect(submission.notes.map(({ path }: { path: string }) => path)).toEqual(['site', 'plan', 'story'])
    expect(await leadOf(submission.lead_id)).toMatchObject({ website: null, custom: { size: 12.5 } })
  })
})

describe('a lead that is known', () => {
  const fields = [text('name'), email, { ...text('phone'), type: 'phone' }, text('company'), text('from')]
  const field_mapping = {
    name: 'first_name',
    email: 'email',
    phone: 'phone',
    company: 'company',
    from: 'source',
  }
  const form = (more: object) => publishedForm(key, { fields, field_mapping, ...more })
  async function newLead(more: object) {
    const { body } = await key.post('/api/crm/leads', {
      first_name: 'Old',
      owner_id: ada.user_id,
      status: 'WORKING',
      source: 'Fair',
      utm: { source: 'fair' },
      ...more,
    })
    return body
  }

  test('is found by its e-mail, whatever the case of letters, and its gaps are filled', async () => {
    const address = newAddress()
    const lead = await newLead({ email: address })
    clock.advance(1_000)
    const body = {
      name: 'New',
      email: address.toUpperCase(),
      company: 'Acme',
      from: 'Web',
      utm_source: 'ad',
    }
    const submission = await sent(await form({}), body)
    expect(submission.lead_id).toBe(lead.id)
    expect(await leadOf(lead.id)).toMatchObject({
      first_name: 'Old',
      email: address,
      company: 'Acme',
      source: 'Fair',
      utm: { source: 'fair' },
      owner_id: ada.user_id,
      status: 'WORKING',
      pipeline_stage: lead.pipeline_stage,
      last_activity_at: submission.created_at,
    })
  })

  test('is overwritten where the form says so, but for what nobody was asked', async () => {
    const address = newAddress()
    const lead = await newLead({ email: address, company: 'Before' })
    await sent(await form({ on_existing: 'overwrite' }), {
      name: 'New',
      email: address.toUpperCase(),
      from: 'Web',
    })
    expect(await leadOf(lead.id)).toMatchObject({
      first_name: 'New',
      email: address,
      company: 'Before',
      source: 'Web',
      utm: { source: 'fair' },
      owner_id: ada.user_id,
      status: 'WORKING',
    })
  })

  test('is found by its phone where the e-mail is new', async () => {
    const lead = await newLead({ phone: '+4930999001' })
    const address = newAddress()
    const submission = await sent(await form({}), { phone: '0049 30 999-001', email: address })
    expect(submission.lead_id).toBe(lead.id)
    expect(await leadOf(lead.id)).toMatchObject({ email: address })
  })

  test('is not one that lies in the trash', async () => {
    const address = newAddress()
    const lead = await newLead({ email: address })
    await key.delete(`/api/crm/leads/${lead.id}`)
    const submission = await sent(await form({}), { email: address })
    expect(submission.lead_id).not.toBe(lead.id)
  })

  test('is one, however many send the same new address at once', async () => {
    const [one, other] = [await form({}), await form({})]
    // Several times, so that it is no luck.
    for (const address of Array.from({ length: 8 }, newAddress)) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          stranger.submit(n % 2 ? one : other, { name: `N${n}`, email: address }),
        ),
      )
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
      expect(await leadsWith(address)).toHaveLength(1)
    }
  })
})

describe('where the visitor came from first', () => {
  test('is what a new lead keeps', async () => {
    const form = await publishedForm(key)
    const first = {
      utm: { source: 'ad' },
      referrer: null,
      page_url: 'https://a.example/',
      at: '2026-02-01T00:00:00.000Z',
    }
    const body = { first_name: 'A', email: newAddress(), utm_source: 'mail', _first_touch: first }
    const submission = await sent(form, body)
    expect(submission).toMatchObject({ first_touch: first, last_touch: { utm: { source: 'mail' } } })
    expect((await leadOf(submission.lead_id)).utm).toEqual({ source: 'ad' })
  })
})

describe('the same page', () => {
  test('sent twice, or fifty times at once, is one submission with one answer', async () => {
    const form = await publishedForm(key)
    const _token = await openedPage(app, clock, form)
    const body = { first_name: 'A', email: newAddress(), _token }
    const replies = await Promise.all(Array.from({ length: 50 }, () => stranger.submit(form, body)))
    expect(new Set(replies.map(reply => `${reply.status} ${reply.text}`)).size).toBe(1)
    expect((await key.get(`/api/crm/forms/${form.id}/submissions`)).body.data).toHaveLength(1)
  })
})

describe('the mails of a form', () => {
  const mailed = (to: string) => app.mail.sent.filter(mail => mail.to === to)

  test('thank whoever gave an address, by name, once a day and form', async () => {
    const auto_reply = {
      enabled: true,
      subject: 'Thanks, {{first_name}}',
      body: 'Dear {{first_name}},\n\nsoon.',
    }
    const form = await publishedForm(key, { auto_reply })
    const address = newAddress()
    await sent(form, { first_name: 'Zoë', email: address })
    const [mail] = await eventually(() => {
      expect(mailed(address)).toHaveLength(1)
      return mailed(address)
    })
    expect(mail).toMatchObject({ subject: 'Thanks, Zoë', text: 'Dear Zoë,\n\nsoon.' })
    const other = newAddress()
    await sent(form, { first_name: 'Zoë', email: address.toUpperCase() })
    await sent(form, { first_name: 'win at www.evil.example', email: other })
    await eventually(() => expect(mailed(other)).toHaveLength(1))
    expect(mailed(other)[0]).toMatchObject({ subject: 'Thanks, ', text: 'Dear ,\n\nsoon.' })
    await quiet()
    expect(mailed(address)).toHaveLength(1)
    clock.advance(25 * 3_600_000)
    await sent(form, { first_name: 'Zoë', email: address })
    await eventually(() => expect(mailed(address)).toHaveLength(2))
  })

  test('tell everybody the form names, with what was typed made harmless', async () => {
    const notify = [newAddress(), newAddress()]
    const form = await publishedForm(key, { name: 'Ask us', notify })
    const submission = await sent(form, {
      first_name: '<img src=x onerror=alert(1)>',
      email: newAddress(),
      message: 'one\r\nBcc: victim@example.com',
    })
    for (const to of notify) {
      await eventually(() => expect(mailed(to)).toHaveLength(1))
      const [mail] = mailed(to)
      expect(mail).toMatchObject({ to, subject: 'New submission: Ask us' })
      expect(mail!.html).toContain('&lt;img src=x onerror=alert(1)&gt;')
      expect(mail!.html).not.toContain('<img')
      expect(mail!.html).toContain(`/leads/${submission.lead_id}`)
      expect(mail!.text).toContain(`/forms/${form.id}`)
    }
  })

  test('of a flood come once a minute, and none of it is left out', async () => {
    const [to] = [newAddress()]
    const form = await publishedForm(key, { name: 'Flood', notify: [to] })
    const fill = (name: string) => sent(form, { first_name: name, email: newAddress() })
    await fill('First')
    await eventually(() => expect(mailed(to)).toHaveLength(1))
    for (let number = 1; number <= 23; number++) await fill(`Person ${number}`)
    await quiet()
    expect(mailed(to)).toHaveLength(1)
    clock.advance(60_000)
    await eventually(() => expect(mailed(to)).toHaveLength(2))
    const { subject, text, html } = mailed(to)[1]!
    expect(subject).toBe('23 new submissions: Flood')
    // Jobs tell of them side by side: which of them are named depends on which was quicker.
    expect(new Set(text.match(/Person \d+,/g))).toHaveProperty('size', 20)
    expect(text).toContain('And 3 more.')
    expect(html).toContain(`/forms/${form.id}?tab=submissions&amp;submission=`)
    // Then there is quiet for a minute, and the next is told at once again.
    clock.advance(60_000)
    await quiet()
    expect(mailed(to)).toHaveLength(2)
    await fill('Later')
    await eventually(() => expect(mailed(to)).toHaveLength(3))
    expect(mailed(to)[2]).toMatchObject({ subject: 'New submission: Flood' })
  })

  test('are not sent to an address that is not to be written to', async () => {
    const auto_reply = { enabled: true, subject: 'S', body: 'B' }
    const form = await publishedForm(key, { auto_reply })
    const [address, other] = [newAddress(), newAddress()]
    await key.post('/api/outreach/suppressions', { email: address })
    await sent(form, { first_name: 'A', email: address.toUpperCase() })
    await sent(form, { first_name: 'B', email: other })
    await eventually(() => expect(mailed(other)).toHaveLength(1))
    await quiet()
    expect(mailed(address)).toEqual([])
  })

  test('are not sent where the reply is turned off', async () => {
    const auto_reply = { enabled: false, subject: 'S', body: 'B' }
    const form = await publishedForm(key, { auto_reply })
    const address = newAddress()
    await sent(form, { first_name: 'A', email: address })
    await quiet()
    expect(mailed(address)).toEqual([])
  })

  /** Until nothing is left that is due. */
  const quiet = () =>
    eventually(async () =>
      expect(
        await app.database.query(
          `select kind from jobs where (kind like 'forms.%' or kind = 'mail.send') and (run_at <= $1 or owner is not null)`,
          [new Date(clock.now()).toISOString()],
        ),
      ).toEqual([]),
    )
})

describe('what came in', () => {
  test('is listed newest first, by status and time, page by page', async () => {
    const form = await publishedForm(key)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      clock.advance(60_000)
      ids.push((await sent(form, { first_name: `N${n}`, email: newAddress() })).id)
    }
    const path = `/api/crm/forms/${form.id}/submissions`
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
    expect(idsOf(await everyPage(key, `${path}?limit=2`))).toEqual(ids.toReversed())
    expect(idsOf(await everyPage(key, `${path}?limit=2&sort=created_at`))).toEqual(ids)
    const { created_at } = await readSubmission(key, ids[3]!)
    expect(idsOf(await everyPage(key, `${path}?from=${created_at}`))).toEqual([ids[4], ids[3]])
    expect(idsOf(await everyPage(key, `${path}?until=${created_at}&status=RECEIVED`))).toHaveLength(3)
    expect(await everyPage(key, `${path}?status=QUARANTINED`)).toEqual([])
  })

  test('can be deleted for good; its lead stays', async () => {
    const form = await publishedForm(key)
    const { id, lead_id } = await sent(form, { first_name: 'A', email: newAddress() })
    expect((await key.delete(`/api/crm/submissions/${id}`)).status).toBe(204)
    expect((await key.get(`/api/crm/submissions/${id}`)).status).toBe(404)
    expect((await key.delete(`/api/crm/submissions/${id}`)).status).toBe(404)
    expect((await leadOf(lead_id)).id).toBe(lead_id)
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['form.submitted', 'submission.deleted'])
  })

  test('is a file with a column for every field there ever was, whose cells do nothing', async () => {
    const form = await publishedForm(key, { fields: [text('old'), text('status')] })
    await sent(form, { old: '=1+1', status: 'mine', utm_source: '@x' })
    await key.patch(`/api/crm/forms/${form.id}`, {
      fields: [{ key: 'pick', type: 'choices', label: 'Pick', options: ['A', 'B'] }],
    })
    await key.post(`/api/crm/forms/${form.id}/publish`)
    clock.advance(1_000)
    await sent(form, { pick: ['A', 'B'] })
    const file = await key.get(`/api/crm/forms/${form.id}/submissions/export`)
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, second, first] = file.text.split('\r\n')
    expect(head).toBe(
      'id,created_at,status,lead_id,pick,old,answer.status,utm_source,utm_medium,utm_campaign,utm_term,utm_content,referrer,page_url,reasons',
    )
    expect(second).toContain(',RECEIVED,,"A; B",,,,')
    expect(first).toContain(`,RECEIVED,,,"'=1+1",mine,"'@x",`)
  })
})
