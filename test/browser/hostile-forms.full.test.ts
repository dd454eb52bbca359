import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileTexts } from '#test/hostile.ts'
import { eventually } from '#test/eventually.ts'
import { tell } from '#test/provider.ts'
import { shareOf } from '#test/tier.ts'
import { GATHERED_SHOWN_MAX } from '#domains/forms/notice-mail.ts'
import { escape } from '#platform/html.ts'
import { inOrder } from '#test/in-order.ts'
import { DRAWN } from './axe.ts'
import { goOn, startStage, type Stage } from './browser.ts'

inOrder()

let stage: Stage
let form: { id: string; slug: string }
let lead: { id: string }

/** Each marks the page if it runs in any of the usual ways. */
const markup = [
  '<script>window.broken=1</script>',
  '<img src=x onerror="window.broken=1">',
  `"><svg/onload=window.broken=1>`,
  "'><iframe srcdoc='<script>parent.broken=1</script>'></iframe>",
  '</textarea><script>window.broken=1</script>',
  '</title></style><script>window.broken=1</script>',
  'javascript:window.broken=1',
  '{{constructor.constructor("window.broken=1")()}}',
  '<a href="javascript:window.broken=1" autofocus onfocus=window.broken=1>x</a>',
  '<form action=javascript:window.broken=1><button autofocus>x</button></form>',
]
const texts = [...new Set([...markup, ...shareOf(hostileTexts, 0, 20)])]

const fields = [
  { key: 'email', type: 'email', label: 'E-mail', required: true },
  { key: 'first', type: 'text', label: 'First name', prefill: true },
  { key: 'last', type: 'text', label: 'Last name', prefill: true },
  { key: 'company', type: 'text', label: 'Company' },
  { key: 'job', type: 'text', label: 'Job' },
  { key: 'site', type: 'text', label: 'Site' },
  { key: 'message', type: 'long_text', label: 'Message', prefill: true },
  { key: 'campaign', type: 'hidden', label: 'Campaign' },
]
const field_mapping = {
  email: 'email',
  first: 'first_name',
  last: 'last_name',
  company: 'company',
  job: 'title',
  site: 'website',
  campaign: 'source',
}

beforeAll(async () => {
  stage = await startStage()
  const made = await stage.api.post('/api/crm/forms', {
    name: markup[1],
    title: markup[0],
    description: markup[1],
    submit_label: markup[2],
    thank_you: markup[0],
    fields: [
      ...fields,
      { key: 'size', type: 'choice', label: markup[1], help: markup[0], options: [markup[2], 'b'] },
    ],
    field_mapping,
    notify: ['sales@example.test'],
    auto_reply: { enabled: true, subject: markup[1], body: `${markup[0]} {{first}} {{message}}` },
    published: true,
  })
  expect(made).toMatchObject({ status: 201 })
  form = made.body
})
afterAll(() => stage.close())

/** What waits for the next notice goes out now instead of in a minute: each text is shown in a mail. */
async function noticesAreOut(): Promise<void> {
  const { query } = stage.app.database
  await eventually(async () =>
    expect(await query(`select from jobs where kind like 'forms.tell%'`)).toEqual([]),
  )
  await query(`update jobs set run_at = now() - interval '1 s' where kind = 'forms.gathered_notice'`)
  await eventually(async () => expect(await query('select from form_notices where waiting > 0')).toEqual([]))
}

/** How many were taken; the others were refused for what they are, which is as good. */
async function submitAll(): Promise<number> {
  const send = async (text: string) => {
    const values = Object.fromEntries(fields.slice(1).map(({ key }) => [key, text]))
    const touch = { utm_source: text, utm_campaign: text, _page: text, _referrer: text, _first_touch: text }
    const body = { email: 'grace@example.test', ...values, ...touch, [text]: text }
    const reply = await fetch(`${stage.app.url}/api/forms/${form.id}/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'curl <script>window.broken=1</script>' },
      body: JSON.stringify(body),
    })
    return reply.status
  }
  const statuses: number[] = []
  for (const [at, text] of texts.entries()) {
    statuses.push(await send(text))
    if (at % GATHERED_SHOWN_MAX === 0 || at === texts.length - 1) await noticesAreOut()
  }
  expect(statuses.filter(status => status !== 201 && status !== 422)).toEqual([])
  return statuses.filter(status => status === 201).length
}

async function expectInert(page: Page, where: string): Promise<void> {
  expect(await page.evaluate('window.broken'), where).toBeUndefined()
  const inside =
    'main img, main script, main svg[onload], main a[href^="javascript:"], dialog img, [role=dialog] img'
  expect(await page.locator(inside).count(), where).toBe(0)
}

test(`${texts.length} hostile strings in every answer and parameter run nowhere: not in lists, details or a timeline`, async () => {
  const taken = await submitAll()
  expect(taken).toBeGreaterThan(texts.length / 2)
  const { body: leads } = await stage.api.get('/api/crm/leads?email=grace@example.test')
  lead = leads.data[0]
  expect(leads.data).toHaveLength(1)
  const { page, complaints } = await stage.visit('/forms')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('link').filter({ hasText: 'onerror' }).first().waitFor()
  await expectInert(page, 'the list of forms')

  const { body: list } = await stage.api.get(`/api/crm/forms/${form.id}/submissions?limit=200`)
  const byMarkup = list.data.filter(({ values }: any) => markup.includes(values.message))
  const addresses = [
    `/forms/${form.id}`,
    `/forms/${form.id}?tab=settings`,
    `/forms/${form.id}?tab=share`,
    `/forms/${form.id}?tab=submissions`,
    ...shareOf<{ id: string }>(byMarkup, 0, 3).map(
      ({ id }) => `/forms/${form.id}?tab=submissions&submission=${id}`,
    ),
    `/leads/${lead.id}`,
    '/leads',
    '/settings/audit',
    '/',
  ]
  for (const address of addresses) {
    await goOn(page, stage.app.url + address)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.evaluate(DRAWN)
    await expectInert(page, address)
  }
  // Everything of the timeline, to its first day.
  await page.goto(`${stage.app.url}/leads/${lead.id}`)
  for (let more = 0; more < 20; more++) {
    const button = page.getByRole('button', { name: /more|earlier|older/i })
    if ((await button.count()) === 0) break
    await button.first().click()
    await page.evaluate(DRAWN)
  }
  await expectInert(page, 'the whole timeline')
  expect(complaints).toEqual([])
})

test('they run in no mail', async () => {
  const sent = () => stage.app.mail.sent.filter(({ to }) => to === 'sales@example.test')
  await eventually(() =>
    expect(
      sent()
        .map(({ html }) => html)
        .join(),
    ).toContain(escape(markup.at(-1)!)),
  )
  const replies = stage.app.mail.sent.filter(({ to }) => to === 'grace@example.test')
  expect(replies).toHaveLength(1)
  // As a mail program without any policy of its own would show them.
  const { page } = await stage.stranger()
  await page.goto('about:blank')
  await page.setContent(
    [...sent(), ...replies].map(({ html }) => html.replace(/^[^]*<body>|<\/body>[^]*$/g, '')).join('<hr>'),
  )
  await page.evaluate(DRAWN)
  expect(await page.evaluate('window.broken')).toBeUndefined()
  expect(
    await page
      .locator('img, script, svg, iframe, form, [onerror], [onfocus], a[href^="javascript:"]')
      .count(),
  ).toBe(0)
  for (const { subject, to } of stage.app.mail.sent) {
    expect(subject).not.toMatch(/[\r\n]/)
    expect(to).not.toMatch(/[\r\n,;]/)
  }
})

test('they run not on the hosted page, whatever its address says', async () => {
  const { page, complaints } = await stage.stranger()
  for (const text of texts.filter(text => text.isWellFormed())) {
    const value = encodeURIComponent(text.slice(0, 100).toWellFormed())
    const query = `first=${value}&message=${value}&campaign=${value}&utm_source=${value}&size=${value}&${value}=${value}`
    const address = `${stage.app.url}/f/${form.slug}?${query}`
    expect([200, 400], text).toContain((await fetch(address)).status)
    // What is no markup cannot become any.
    if (!/[<>"'`{]|script:/.test(text)) continue
    await page.goto(address, { waitUntil: 'domcontentloaded' })
    expect(await page.evaluate('window.broken'), text).toBeUndefined()
  }
  await page.goto(`${stage.app.url}/f/${form.slug}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expectInert(page, 'the hosted page')
  await page.goto(`${stage.app.url}/f/${form.slug}/thanks`)
  await expectInert(page, 'the thanks')
  expect(complaints.filter(complaint => !complaint.includes('400'))).toEqual([])
})

test('they run not in the inbox of events', async () => {
  for (const [at, text] of markup.entries()) {
    const event = { eventId: `${at} ${text}`, type: 'call_ended', data: { callId: text, transcript: text } }
    expect((await tell(stage.app.url, 'voice', event)).status).toBe(200)
  }
  const { page, complaints } = await stage.visit('/settings/webhooks/inbox')
  await page.getByText('onerror').first().waitFor()
  await expectInert(page, 'the inbox')
  const { body: inbox } = await stage.api.get('/api/webhooks/inbox')
  for (const { id } of shareOf<{ id: string }>(inbox.data, 1, 3)) {
    await page.goto(`${stage.app.url}/settings/webhooks/inbox?event=${id}`)
    await page.getByRole('dialog').waitFor()
    await expectInert(page, `event ${id}`)
  }
  expect(complaints).toEqual([])
})
