import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { hostileTexts } from '#test/hostile.ts'
import { assets } from './assets.ts'
import { hiddenValue, openedPage, publishedForm, visitor } from './forms.harness.ts'

const PAGE_BYTES_MAX = 40_000

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

const field = (type: string, more: object = {}) => ({ key: type, type, label: `Your ${type}`, ...more })
const options = ['A', 'B']
const every = [
  field('text', { help: 'As in your passport', placeholder: 'Ada', required: true }),
  field('long_text'),
  field('email'),
  field('phone'),
  field('number'),
  field('choice', { options }),
  field('choices', { options }),
  field('date'),
  field('checkbox', { required: true }),
  field('hidden', { default_value: 'web' }),
]
const submissionsOf = async (form: { id: string }) =>
  (await key.get(`/api/crm/forms/${form.id}/submissions`)).body.data

describe('a hosted page', () => {
  test('has a labelled field for everything that is asked, and no script of its own', async () => {
    const form = await publishedForm(key, {
      title: 'All kinds',
      fields: every,
      field_mapping: { text: 'first_name' },
    })
    const { text } = await stranger.open(form)
    expect(text).toContain('<label for="f-text">Your text</label>')
    expect(text).toMatch(/<input type="text" id="f-text"[^>]* aria-describedby="h-text" required/)
    expect(text).toMatch(/autocomplete="given-name"/)
    expect(text).toMatch(/type="email"[^>]* autocomplete="email"/)
    expect(text).toMatch(/type="tel"[^>]* autocomplete="tel"/)
    expect(text).toMatch(/<fieldset[^>]*>\s*<legend>Your choices/)
    expect(hiddenValue({ text } as never, 'hidden')).toBe('web')
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(text).not.toMatch(/ style=| on\w+=/)
  })

  test('is small, with everything it loads', async () => {
    const { text } = await stranger.open(await publishedForm(key, { fields: every }))
    expect(Buffer.byteLength(text) + assets.bytes).toBeLessThan(PAGE_BYTES_MAX)
  })

  test('loads its style and script from us, to be kept for ever', async () => {
    const { text } = await stranger.open(await publishedForm(key))
    for (const path of text.match(/\/f\/assets\/[\w.-]+/g)!) {
      const asset = await stranger.get(path)
      expect(asset.status).toBe(200)
      expect(asset.headers.get('cache-control')).toContain('immutable')
      expect(asset.headers.get('content-type')).toMatch(path.endsWith('.css') ? /css/ : /javascript/)
      const again = await stranger.get(path, { 'if-none-match': asset.headers.get('etag')! })
      expect(again.status).toBe(304)
    }
    expect((await stranger.get('/f/assets/older.css')).headers.get('cache-control')).toBe('no-store')
    expect((await stranger.get('/f/assets/..%2fcontract.ts')).status).toBe(404)
    const embed = await stranger.get('/f/embed.js')
    expect(embed).toMatchObject({ status: 200, text: expect.stringContaining('data-form') })
  })

  test('fills in what the address says, where the field takes it', async () => {
    const fields = [
      field('text', { prefill: true }),
      field('email'),
      field('hidden'),
      field('choice', { options }),
    ]
    const form = await publishedForm(key, { fields })
    const { text } = await stranger.open(form, '?text=%3CAda%22&email=a@b.example&hidden=x&utm_source=mail')
    expect(text).toContain('value="&lt;Ada&quot;"')
    expect(text).not.toContain('a@b.example')
    expect(hiddenValue({ text } as never, 'hidden')).toBe('x')
    expect(hiddenValue({ text } as never, 'utm_source')).toBe('mail')
  })

  test.for(hostileTexts.slice(0, 40))('shows %j as text and nothing else', async hostile => {
    const fields = [field('text', { prefill: true })]
    const form = await publishedForm(key, { fields })
    const query = `?text=${encodeURIComponent(hostile.toWellFormed())}&utm_source=${encodeURIComponent(hostile.toWellFormed())}`
    const { status, text } = await stranger.open(form, query)
    expect(status).toBe(200)
    expect(text.match(/<(?:script|img|svg|iframe|object)/gi)).toHaveLength(1)
    expect(text).not.toMatch(/<[^>]* on\w+=/i)
  })

  test('without a form has plain words', async () => {
    const { status, text, headers } = await stranger.get('/f/nothing-here')
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('Form not found')
  })
})

describe('the policy of a page', () => {
  const policyOf = async (form: { slug: string }) => {
    const { headers } = await stranger.open(form)
    return {
      policy: headers.get('content-security-policy')!,
      frame: headers.get('x-frame-options'),
    }
  }

  test('allows no foreign script, no other target and no foreign frame', async () => {
    const { policy, frame } = await policyOf(await publishedForm(key))
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("form-action 'self';")
    expect(policy).toMatch(/frame-ancestors 'self'$/)
    expect(frame).toBe('SAMEORIGIN')
  })

  test('names the sites that may show it, and where it leads', async () => {
    const { policy, frame } = await policyOf(
      await publishedForm(key, {
        allowed_domains: ['example.com', '*.example.org'],
        redirect_url: 'https://thanks.example/a?b=c',
      }),
    )
    expect(policy).toMatch(/frame-ancestors 'self' example\.com \*\.example\.org$/)
    expect(policy).toContain("form-action 'self' https://thanks.example;")
    expect(frame).toBeNull()
  })

  test('of every other page of ours stays as it was', async () => {
    const { headers } = await stranger.get('/f/nothing-here')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/)
  })
})

describe('a page that is sent without a script', () => {
  test('leads to the thanks', async () => {
    const form = await publishedForm(key, { thank_you: 'You are <great>' })
    const _token = await openedPage(app, clock, form)
    const reply = await stranger.send(form, { first_name: 'Ada', email: 'no-script@example.com', _token })
    expect(reply.status).toBe(303)
    expect(reply.headers.get('location')).toBe(`/f/${form.slug}/thanks`)
    const thanks = await stranger.get(`/f/${form.slug}/thanks`)
    expect(thanks.text).toContain('You are &lt;great&gt;')
    expect(await submissionsOf(form)).toMatchObject([
      { status: 'RECEIVED', values: { first_name: 'Ada', email: 'no-script@example.com' } },
    ])
    expect((await submissionsOf(form))[0].lead_id).not.toBeNull()
  })

  test('leads elsewhere where the form says so', async () => {
    const redirect_url = 'https://thanks.example/a'
    const form = await publishedForm(key, { redirect_url })
    const _token = await openedPage(app, clock, form)
    const reply = await stranger.send(form, { first_name: 'A', email: 'elsewhere@example.com', _token })
    expect(reply.headers.get('location')).toBe(redirect_url)
  })

  test('comes back with its faults and everything that was typed', async () => {
    const form = await publishedForm(key, { fields: every })
    const _token = await openedPage(app, clock, form)
    const reply = await stranger.send(form, [
      ['email', 'not "an" <address>'],
      ['choices', 'A'],
      ['choices', 'B'],
      ['choice', 'B'],
      ['utm_source', 'mail'],
      ['_token', _token],
    ])
    expect(reply.status).toBe(422)
    expect(reply.text).toMatch(/<div class="faults"[^>]* role="alert"/)
    expect(reply.text).toContain('<a href="#f-email">Your email</a>')
    expect(reply.text).toMatch(/id="f-text"[^>]* aria-describedby="h-text e-text" aria-invalid="true"/)
    expect(reply.text).toMatch(/<p class="wrong" id="e-checkbox">/)
    expect(reply.text).toContain('value="not &quot;an&quot; &lt;address&gt;"')
    expect(reply.text.match(/ checked/g)).toHaveLength(3)
    expect(hiddenValue(reply, 'utm_source')).toBe('mail')
    // The same page still, so that mending it is not too quick.
    expect(hiddenValue(reply, '_token')).toBe(_token)
    expect(await submissionsOf(form)).toEqual([])
  })

  test('from another site is answered with a page as well', async () => {
    const form = await publishedForm(key, { allowed_domains: ['shop.example'] })
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      origin: 'https://shop.example',
    }
    const path = `/api/forms/${form.id}/submissions`
    const wrong = await stranger.raw('POST', path, 'first_name=A', headers)
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('<!doctype html>')
    const right = await stranger.raw('POST', path, 'first_name=A&email=shop%40example.com', headers)
    expect(right.status).toBe(303)
    const asJson = { ...headers, accept: 'application/json' }
    expect((await stranger.raw('POST', path, 'first_name=A&email=s2%40example.com', asJson)).status).toBe(201)
    expect(await submissionsOf(form)).toMatchObject([{ status: 'RECEIVED' }, { status: 'RECEIVED' }])
  })
})

describe('a page of another site', () => {
  const from = (origin: string) => ({ origin })
  const body = { first_name: 'A', email: 'origin@example.com' }

  test('may send only where the form allows it', async () => {
    const form = await publishedForm(key, { allowed_domains: ['shop.example', '*.docs.example'] })
    for (const origin of ['https://shop.example', 'https://a.docs.example'])
      expect((await stranger.submit(form, body, from(origin))).status).toBe(201)
    for (const origin of [
      'https://evil.example',
      'https://docs.example',
      'null',
      'https://shop.example:81',
    ]) {
      const refused = await stranger.submit(form, body, from(origin))
      expect(refused).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
    }
    expect((await stranger.send(form, body, from('https://evil.example'))).status).toBe(403)
  })

  test('is told so by any page of ours', async () => {
    const form = await publishedForm(key)
    expect((await stranger.submit(form, body, from('https://evil.example'))).status).toBe(403)
    expect((await stranger.submit(form, body, from(app.url))).status).toBe(201)
    expect((await stranger.submit(form, body)).status).toBe(201)
  })

  test('may ask its browser first', async () => {
    const form = await publishedForm(key)
    const reply = await stranger.raw('OPTIONS', `/api/forms/${form.id}/submissions`, undefined, {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
    })
    expect(reply.headers.get('access-control-allow-headers')).toContain('content-type')
  })
})

describe('nonsense', () => {
  test('is refused, and changes nothing', async () => {
    const form = await publishedForm(key)
    for (const body of [[], 'text', 7, null, true]) {
      const reply = await stranger.submit(form, body)
      expect([400, 422]).toContain(reply.status)
    }
    expect((await stranger.submit({ id: 'f'.repeat(24) }, {})).status).toBe(404)
    expect((await stranger.submit({ id: 'x' }, {})).status).toBe(404)
    expect((await stranger.get('/f/%00')).status).toBe(404)
    expect(await submissionsOf(form)).toEqual([])
  })

  test('in hidden fields and parameters is left out', async () => {
    const form = await publishedForm(key)
    const reply = await stranger.submit(form, {
      first_name: 'A',
      email: 'nonsense@example.com',
      utm_source: '\u0007bell',
      _page: ['x'],
      _referrer: { a: 1 },
      _first_touch: '{"utm":{"source":"\\u0000zero"}}',
      _proof: { a: 1 },
    })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('location')).toBe(`/api/crm/submissions/${reply.body.id}`)
    const [{ last_touch, first_touch }] = await submissionsOf(form)
    expect(last_touch).toMatchObject({ utm: { source: 'bell' }, page_url: null, referrer: null })
    expect(first_touch.utm).toEqual({ source: 'zero' })
  })
})
