import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { eventually } from '#test/eventually.ts'
import { hostileTexts } from '#test/hostile.ts'
import { full, further, shareOf } from '#test/tier.ts'
import { axeFaults } from './axe.ts'
import { startStage, type Stage } from './browser.ts'

/** The page's own clock runs; ours stands still, so that a test is as quick or as slow as it says. */
const clock = new FakeClock(Date.now())
let stage: Stage

beforeAll(async () => {
  stage = await startStage({ clock })
})
afterAll(() => stage.close())

const text = (key: string, label: string, more: object = {}) => ({ key, type: 'text', label, ...more })
const fields = [
  text('first_name', 'First name', { required: true }),
  { key: 'email', type: 'email', label: 'E-mail', required: true, help: 'Only for our answer' },
  { key: 'size', type: 'choice', label: 'Size', options: ['Small', 'Large'] },
  { key: 'message', type: 'long_text', label: 'Message' },
]
const field_mapping = { first_name: 'first_name', email: 'email' }

async function newForm(more: object = {}) {
  const { status, body, text } = await stage.api.post('/api/crm/forms', {
    name: 'Contact',
    fields,
    field_mapping,
    published: true,
    ...more,
  })
  expect(status, text).toBe(201)
  return { ...body, address: `${stage.app.url}/f/${body.slug}` }
}

const sentTo = async ({ id }: { id: string }) =>
  (await stage.api.get(`/api/crm/forms/${id}/submissions`)).body.data

test('a visitor is told what is not right, mends it, and is thanked without leaving the page', async () => {
  const form = await newForm({ thank_you: 'We will call you.' })
  const { page, complaints } = await stage.stranger()
  await page.goto(`${form.address}?utm_source=mail`)
  clock.advance(5_000)
  await page.getByLabel('E-mail').fill('nobody')
  await page.getByRole('button', { name: 'Send' }).click()
  const alert = page.getByRole('alert')
  await alert.waitFor()
  await expect
    .poll(() => alert.getByRole('listitem').allInnerTexts())
    .toEqual([
      'First name: Please fill in this field.',
      'E-mail: Please enter an email address, like name@example.com.',
    ])
  expect(await alert.evaluate('document.activeElement?.id')).toBe('faults')
  await alert.getByRole('link', { name: 'E-mail' }).click()
  const email = page.getByRole('textbox', { name: 'E-mail' })
  await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => email.getAttribute('aria-describedby')).toBe('h-email e-email')
  await email.fill('ada@example.com')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Large').check()
  await page.keyboard.press('Enter')
  await page.getByText('We will call you.').waitFor()
  await expect.poll(() => page.url()).toContain(form.slug)
  const [submission] = await sentTo(form)
  expect(submission).toMatchObject({
    status: 'RECEIVED',
    values: { first_name: 'Ada', email: 'ada@example.com', size: 'Large' },
    first_touch: { utm: { source: 'mail' } },
    last_touch: { utm: { source: 'mail' } },
  })
  expect(submission.lead_id).not.toBeNull()
  expect(complaints).toEqual([])
})

further('a visitor whose browser runs no script gets there as well', async () => {
  const form = await newForm({ steps: ['You', 'Your wish'], thank_you: 'We will call you.' })
  const { page } = await stage.stranger({ javaScriptEnabled: false })
  await page.goto(form.address)
  clock.advance(5_000)
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('E-mail').fill('ada@nowhere')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('alert').waitFor()
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ada')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('no-script@example.com')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('We will call you.').waitFor()
  await expect.poll(() => page.url()).toBe(`${form.address}/thanks`)
  await expect.poll(() => sentTo(form)).toMatchObject([{ status: 'RECEIVED' }])
})

test('who is suspected works for it, and does not notice', async () => {
  const form = await newForm()
  const { page } = await stage.stranger()
  await page.goto(form.address)
  await page.getByLabel('First name').fill('Quick')
  await page.getByLabel('E-mail').fill('quick@example.com')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('status').waitFor()
  await expect.poll(() => sentTo(form)).toMatchObject([{ status: 'RECEIVED', reasons: [] }])
})

test('steps come one by one, and a fault leads back to its own', async () => {
  const form = await newForm({
    steps: ['About you', 'Your wish'],
    fields: [
      fields[0],
      { key: 'topics', type: 'choices', label: 'Topics', options: ['A', 'B'], required: true },
      { ...fields[3], step: 1 },
    ],
    field_mapping: {},
  })
  const { page } = await stage.stranger()
  await page.goto(form.address)
  clock.advance(5_000)
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await expect.poll(() => page.getByText('Step 1 of 2').isVisible()).toBe(true)
  await page.getByLabel('First name').fill('Ada')
  await page.keyboard.press('Enter')
  await page.getByText('Step 2 of 2').waitFor()
  await expect.poll(() => page.getByLabel('First name').isVisible()).toBe(false)
  await page.getByLabel('Message').fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('A', { exact: true }).check()
  await next.click()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('status').waitFor()
  await expect.poll(() => sentTo(form)).toMatchObject([{ values: { topics: ['A'], message: 'Hello' } }])
})

test('stands in a page of another site that may show it, as high as it needs, and in no other', async () => {
  const site = createServer((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<h1>Shop</h1><script src="${stage.app.url}/f/embed.js" data-form="${slug}" data-title="Ask us"></script>`,
      ),
  )
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  const form = await newForm({ allowed_domains: [`localhost:${port}`] })
  const { slug } = form
  try {
    const { page } = await stage.stranger()
    await page.goto(`http://localhost:${port}/pricing?utm_campaign=spring`)
    clock.advance(5_000)
    const frame = page.frameLocator('iframe[title="Ask us"]')
    await frame.getByLabel('First name').fill('Ada')
    await frame.getByLabel('E-mail').fill('embedded@example.com')
    const heights = 'const f = document.querySelector("iframe"); f.offsetHeight'
    await eventually(async () => expect(await page.evaluate(heights)).not.toBe(480))
    const inner = await frame.locator('body').evaluate('document.documentElement.scrollHeight')
    expect(await page.evaluate('document.querySelector("iframe").offsetHeight')).toBe(inner)
    await frame.getByRole('button', { name: 'Send' }).click()
    await frame.getByRole('status').waitFor()
    await expect
      .poll(() => sentTo(form))
      .toMatchObject([
        {
          status: 'RECEIVED',
          last_touch: {
            utm: { campaign: 'spring' },
            page_url: `http://localhost:${port}/pricing?utm_campaign=spring`,
          },
          first_touch: { utm: { campaign: 'spring' } },
        },
      ])
    const { page: other, complaints } = await stage.stranger()
    await other.goto(`http://127.0.0.1:${port}/`)
    await eventually(() => expect(complaints.join('\n')).toContain('frame-ancestors'))
    await expect.poll(() => other.frameLocator('iframe').getByLabel('First name').count()).toBe(0)
  } finally {
    site.close()
  }
})

test('whatever a stranger types, or puts into the address, runs nowhere', async () => {
  const form = await newForm({
    fields: [...fields, { key: 'plan', type: 'text', label: 'Plan', prefill: true }],
  })
  const { page, complaints } = await stage.stranger()
  const hostile = hostileTexts.filter(text => /script|onerror|javascript:/i.test(text)).slice(0, full ? 6 : 3)
  for (const text of hostile) {
    const sent = encodeURIComponent(text.toWellFormed())
    await page.goto(`${form.address}?plan=${sent}&utm_source=${sent}`)
    await page.getByLabel('First name').fill(text.toWellFormed())
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').waitFor()
  }
  expect(complaints).toEqual([])
})

test('everybody can read and use it, in the light, in the dark and on a phone', async () => {
  const all = [
    ...fields,
    { key: 'date', type: 'date', label: 'Date', placeholder: 'x' },
    { key: 'phone', type: 'phone', label: 'Phone', placeholder: '+49 30 1' },
    { key: 'topics', type: 'choices', label: 'Topics', options: ['A', 'B'], help: 'Any' },
    { key: 'agree', type: 'checkbox', label: 'I agree', required: true },
  ]
  const form = await newForm({ fields: all, description: 'A few words.', steps: ['One', 'Two'] })
  const looks = [
    { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
  ] as const
  for (const look of shareOf<(typeof looks)[number]>(looks, 1, 2)) {
    const { page, complaints } = await stage.stranger(look)
    const faults = async () => {
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      return [...(await axeFaults(page)), ...(wide ? ['too wide'] : []), ...complaints]
    }
    const paths = [form.slug, `${form.slug}/thanks`, `${form.slug}?embed=1`, 'nothing-here']
    for (const path of shareOf(paths, 0, 2)) {
      await page.goto(`${stage.app.url}/f/${path}`)
      expect(await faults(), path).toEqual([])
    }
    await page.goto(form.address)
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('E-mail').fill('ada@nowhere')
    await page.getByLabel('I agree').check()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Two' }).waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').waitFor()
    expect(await faults()).toEqual([])
    // The same colours the other way round.
    await page.emulateMedia({ colorScheme: look.colorScheme === 'dark' ? 'light' : 'dark' })
    expect(await faults()).toEqual([])
  }
})
