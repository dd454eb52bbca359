import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { CHAT_TEXT_LENGTH_MAX } from './values.ts'

let app: TestApp
let ada: Person

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
})
afterAll(() => app.close())

async function newWidget(fields: object = {}): Promise<{ id: string }> {
  const { status, body, text } = await ada.browser.post('/api/chat/widgets', {
    name: 'Site',
    hours: [],
    ...fields,
  })
  expect(status, text).toBe(201)
  return body
}

/** As the page sends its form. */
async function leave({ id }: { id: string }, fields: Record<string, string>, headers: object = {}) {
  const reply = await fetch(`${app.url}/chat/${id}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields),
  })
  return { status: reply.status, location: reply.headers.get('location'), text: await reply.text() }
}

const conversations = async () => (await ada.browser.get('/api/conversations')).text
const filled = { email: 'dana@example.test', _message: 'Do you inspect lifts?' }

describe('without a script', () => {
  test('a message is kept, and reloading the thanks sends nothing', async () => {
    const widget = await newWidget()
    const { status, location } = await leave(widget, { ...filled, name: 'Dana' })
    expect([status, location]).toEqual([303, `/chat/${widget.id}?sent=yes`])
    const thanks = await (await fetch(app.url + location)).text()
    expect(thanks).toContain('Message sent')
    expect(thanks).not.toContain('<script')
    expect(await conversations()).toContain('Do you inspect lifts?')
  })

  test('what is missing or too long is told beside its field, and what was typed stays', async () => {
    const widget = await newWidget({
      questions: [{ key: 'lifts', type: 'text', label: 'How many lifts?', required: true }],
    })
    const empty = await leave(widget, { _message: '"><script>alert(1)</script>' })
    expect(empty.status).toBe(422)
    for (const key of ['lifts', 'email']) expect(empty.text).toContain(`aria-describedby="e-${key}"`)
    expect(empty.text).not.toContain('aria-describedby="e-_message"')
    expect(empty.text).toContain('&quot;&gt;&lt;script&gt;alert(1)')
    const answers = { lifts: '12', email: 'dana@example.test' }
    const long = await leave(widget, { ...answers, _message: 'x'.repeat(CHAT_TEXT_LENGTH_MAX + 1) })
    expect(long.status).toBe(422)
    expect(long.text).toContain('Use at most 4,000 characters.')
    const whole = await leave(widget, { ...answers, _message: 'x'.repeat(CHAT_TEXT_LENGTH_MAX) })
    expect(whole.status).toBe(303)
  })

  test('programs and pages of other sites leave nothing', async () => {
    const widget = await newWidget({ allowed_domains: ['shop.example'] })
    const trapped = await leave(widget, {
      ...filled,
      _message: 'Buy pills',
      _website: 'https://pills.example',
    })
    expect(trapped.status).toBe(303)
    const foreign = await leave(
      widget,
      { ...filled, _message: 'Buy more' },
      { origin: 'https://shop.example' },
    )
    expect(foreign.status).toBe(403)
    expect(await conversations()).not.toContain('Buy')
    expect((await leave(widget, filled, { origin: app.url })).status).toBe(303)
  })

  test('a chat that is off or was never there is not found, in the language of the visitor', async () => {
    const widget = await newWidget({ is_on: false })
    for (const path of [`/chat/${widget.id}`, `/chat/${'f'.repeat(24)}`, '/chat/any']) {
      const reply = await fetch(app.url + path, { headers: { 'accept-language': 'nl, fr-CH;q=0.8' } })
      expect(reply.status).toBe(404)
      const text = await reply.text()
      expect(text).toContain('<html lang="fr"')
      expect(text).toContain('Chat introuvable')
    }
    expect((await leave(widget, filled)).status).toBe(404)
  })
})

describe('the script', () => {
  const script = (path: string, headers: object = {}) => fetch(app.url + path, { headers: { ...headers } })

  test('is packed for any site, read again soon, and what it opens never again', async () => {
    const reply = await script('/chat.js')
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const text = await reply.text()
    const known = await script('/chat.js', { 'if-none-match': reply.headers.get('etag')! })
    expect(known.status).toBe(304)
    const main = /\/chat\/assets\/main-[\w-]+\.js/.exec(text)![0]
    const opened = await script(main)
    expect(opened.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const plain = await script(main, { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe(await opened.text())
  })

  test('of a page opened before an update gets the module of today', async () => {
    const old = await script('/chat/assets/main-0123456789abcdef.js')
    expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect((await script('/chat/assets/chat.js')).status).toBe(404)
  })
})
