import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { openInbox, type Inbox } from '#domains/conversations/conversations.harness.ts'
import { client } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { asGuest, guestOf, SITE, WIDGETS, widgetOf } from './chat.harness.ts'
import { createWidget } from './widgets.ts'
import { HERE_MS, SESSION_DAYS, SESSIONS_PER_HOUR, WIDGETS_MAX } from './values.ts'

/** Monday, 2 March 2026, 10:00 in Berlin. */
const clock = new FakeClock('2026-03-02T09:00:00Z')
const DAY_MS = 86_400_000
let inbox: Inbox

beforeAll(async () => {
  inbox = await openInbox(clock)
})
afterAll(() => inbox.close())

const api = () => inbox.ada.browser
const onSite = (site = SITE) => client(inbox.app.url, { origin: `https://${site}` })

describe('a widget', () => {
  test('is on, with the hours of the team and no questions, unless told otherwise', async () => {
    const { body } = await api().post(WIDGETS, { name: 'Plain' })
    expect(body).toMatchObject({
      is_on: true,
      allowed_domains: [],
      timezone: 'UTC',
      questions: [],
      field_mapping: {},
      agent_id: null,
      agent_mode: 'auto',
    })
    expect(body.hours).toHaveLength(5)
    expect((await api().get(`${WIDGETS}/${body.id}`)).body).toEqual(body)
  })

  test('is changed by the version that was read, and only by admins', async () => {
    const widget = await widgetOf(inbox)
    const read = await api().get(`${WIDGETS}/${widget.id}`)
    const etag = read.headers.get('etag')!
    const changed = await api().patch(`${WIDGETS}/${widget.id}`, { greeting: 'Hi' }, { 'if-match': etag })
    expect(changed).toMatchObject({ status: 200, body: { greeting: 'Hi' } })
    const late = await api().patch(`${WIDGETS}/${widget.id}`, { greeting: 'Ho' }, { 'if-match': etag })
    expect(late.status).toBe(412)
    const member = await colleagueOf(inbox.app, inbox.ada, 'MEMBER')
    expect((await member.browser.get(`${WIDGETS}/${widget.id}`)).status).toBe(200)
    expect((await member.browser.patch(`${WIDGETS}/${widget.id}`, { is_on: false })).status).toBe(403)
  })

  test('names nothing that the team does not have, and tells every fault at once', async () => {
    const wrong = {
      name: 'Wrong',
      agent_id: 'a'.repeat(24),
      hours: [{ day: 1, from: '17:00', until: '09:00' }],
      questions: [
        { key: 'mail', type: 'email', label: 'Email' },
        { key: 'mail', type: 'text', label: 'Again' },
      ],
      field_mapping: { mail: 'custom.nothing', other: 'email' },
    }
    const { status, body } = await api().post(WIDGETS, wrong)
    expect(status).toBe(422)
    expect(body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'agent_id',
      'field_mapping.mail',
      'field_mapping.other',
      'hours[0].until',
      'questions[1].key',
    ])
  })

  test('is listed in pages, by any of its sorts', async () => {
    const other = await inbox.app.person()
    for (const name of ['b', 'C', 'a']) await widgetOf({ ada: other }, { name })
    const names: string[] = []
    let path = `${WIDGETS}?sort=name&limit=1`
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: any } = await other.browser.get(cursor ? `${path}&cursor=${cursor}` : path)
      names.push(...body.data.map(({ name }: { name: string }) => name))
      cursor = body.next_cursor
    }
    expect(names).toEqual(['a', 'b', 'C'])
    path = WIDGETS
    expect((await other.browser.get(path)).body.data).toHaveLength(3)
  })

  test(`a team has at most ${WIDGETS_MAX}`, async () => {
    const other = await inbox.app.person()
    await Promise.all(
      Array.from({ length: WIDGETS_MAX }, () => createWidget(other.ctx, { name: 'One of many' })),
    )
    expect(await other.browser.post(WIDGETS, { name: 'More' })).toMatchObject({
      status: 409,
      body: { code: 'too_many_widgets' },
    })
  })
})

describe('what a page is shown', () => {
  test('everything it needs, in the language of the visitor, and nothing else of the team', async () => {
    const questions = [{ key: 'mail', type: 'email', label: 'Your email', required: true }]
    const widget = await widgetOf(inbox, { questions, greeting: 'Hello', colour: '#ffc629' })
    const { status, body, headers } = await onSite().get(`/api/chat/${widget.id}?language=de-AT`)
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toMatchObject({ language: 'de', greeting: 'Hello', questions, is_open: true, back_at: null })
    expect(body.words.send).toBe('Senden')
    expect(body.colour).toMatchObject({ fill: '#ffc629', on_fill: '#10191c' })
    expect(JSON.stringify(body)).not.toContain(inbox.ada.team_id)
    expect((await onSite().get(`/api/chat/${widget.id}?language=ja`)).body.language).toBe('en')
    expect((await onSite().get(`/api/chat/${'0'.repeat(24)}`)).status).toBe(404)
  })

  test('says when people are back, in the hours of the widget', async () => {
    const hours = [{ day: 1, from: '12:00', until: '18:00' }]
    const { id } = await widgetOf(inbox, { hours, timezone: 'Europe/Berlin' })
    const shown = async () => (await onSite().get(`/api/chat/${id}`)).body
    expect(await shown()).toMatchObject({ is_open: false, back_at: '2026-03-02T11:00:00.000Z' })
    const open = await widgetOf(inbox, {
      hours: [{ day: 1, from: '09:00', until: '10:00' }],
      timezone: 'UTC',
    })
    expect((await onSite().get(`/api/chat/${open.id}`)).body).toMatchObject({ is_open: true, back_at: null })
  })
})

describe('a session', () => {
  test('is begun by pages of the sites of the widget and by ours, and by nobody else', async () => {
    const widget = await widgetOf(inbox, { allowed_domains: ['*.shop.example', 'shop.example'] })
    const begin = async (headers: Record<string, string>) =>
      (await client(inbox.app.url, headers).post(`/api/chat/${widget.id}/sessions`, {})).status
    expect(await begin({ origin: 'https://shop.example' })).toBe(201)
    expect(await begin({ origin: 'https://www.shop.example' })).toBe(201)
    expect(await begin({ origin: inbox.app.runtime.settings.baseUrl })).toBe(201)
    expect(await begin({ origin: 'https://shop.example.evil.example' })).toBe(403)
    expect(await begin({ origin: 'null' })).toBe(403)
    expect(await begin({})).toBe(403)
  })

  test('a token is of no use to pages of other sites', async () => {
    const guest = await guestOf(inbox.app.url, await widgetOf(inbox))
    const elsewhere = { origin: 'https://evil.example' }
    expect((await guest.get('/api/chat/messages', elsewhere)).body).toMatchObject({
      code: 'origin_not_allowed',
    })
    expect((await guest.get('/api/chat/live', elsewhere)).status).toBe(403)
    expect((await guest.get('/api/chat/messages')).status).toBe(200)
  })

  test('ends with its widget; a token that is not ours is refused', async () => {
    const widget = await widgetOf(inbox)
    const guest = await guestOf(inbox.app.url, widget)
    await guest.say('Hello')
    const forged = asGuest(inbox.app.url, `${guest.token.slice(0, -2)}AA`)
    expect(await forged.get('/api/chat/messages')).toMatchObject({
      status: 401,
      body: { code: 'invalid_token' },
    })
    expect((await client(inbox.app.url).get('/api/chat/messages')).status).toBe(401)
    await api().delete(`${WIDGETS}/${widget.id}`)
    expect(await guest.get('/api/chat/messages')).toMatchObject({ status: 401, body: { code: 'chat_ended' } })
    expect((await onSite().get(`/api/chat/${widget.id}`)).status).toBe(404)
    const { body } = await api().get('/api/conversations?channel=chat')
    expect(body.data.map(({ last_text }: any) => last_text)).toContain('Hello')
  })

  test('of a widget that is off, none is begun', async () => {
    const widget = await widgetOf(inbox)
    const guest = await guestOf(inbox.app.url, widget)
    await api().patch(`${WIDGETS}/${widget.id}`, { is_on: false })
    const begun = await onSite().post(`/api/chat/${widget.id}/sessions`, {})
    expect(begun).toMatchObject({ status: 409, body: { code: 'chat_off' } })
    await guest.say('I was here before')
  })

  test('pages of other sites may send everything that a visitor needs to', async () => {
    const asked = { 'access-control-request-method': 'PATCH', origin: 'https://shop.example' }
    const paths = [
      'session',
      'messages',
      'live',
      'files',
      'seen',
      'writing',
      'person',
      `${'0'.repeat(24)}/sessions`,
    ]
    for (const path of paths) {
      const { status, headers } = await onSite().raw('OPTIONS', `/api/chat/${path}`, undefined, asked)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-headers')).toContain('authorization')
      expect(headers.get('access-control-allow-headers')).toContain('content-disposition')
    }
    const { headers } = await onSite().raw('OPTIONS', '/api/chat/session', undefined, asked)
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
  })

  test('tells the team how its visitor came, and whether they are there', async () => {
    const questions = [{ key: 'topic', type: 'text', label: 'What is it about?' }]
    const widget = await widgetOf(inbox, { questions })
    const guest = await guestOf(inbox.app.url, widget, {
      page: 'https://shop.example/prices',
      referrer: 'javascript:alert(1)',
      utm: { utm_source: 'news\tletter', 'not a name': 'x' },
      language: 'fr-CA',
      timezone: 'Nowhere/At all',
      answers: { topic: 'Shipping', phone: '+49301234567' },
    })
    await guest.say('Hello', { page: 'https://shop.example/cart' })
    const { body } = await api().get('/api/conversations?channel=chat&sort=-last_message_at&limit=1')
    const [conversation] = body.data
    const visit = () => api().get(`/api/conversations/${conversation.id}/visit`)
    expect(await visit()).toMatchObject({
      status: 200,
      body: {
        widget_id: widget.id,
        widget: 'Shop',
        page: 'https://shop.example/cart',
        first_page: 'https://shop.example/prices',
        referrer: null,
        utm: { source: 'news letter' },
        language: 'fr',
        answers: { 'What is it about?': 'Shipping', Phone: '+49301234567' },
        is_here: true,
      },
    })
    clock.advance(HERE_MS)
    expect((await visit()).body.is_here).toBe(false)
    const other = await inbox.app.person()
    expect((await other.browser.get(`/api/conversations/${conversation.id}/visit`)).status).toBe(404)
    await inbox.hears('nobody@elsewhere.example')
    const [email] = (await api().get('/api/conversations?channel=email')).body.data
    expect((await api().get(`/api/conversations/${email.id}/visit`)).status).toBe(404)
  })
})

test(`one network begins at most ${SESSIONS_PER_HOUR} an hour, and each lasts ${SESSION_DAYS} days`, async () => {
  const clock = new FakeClock('2026-03-02T09:00:00Z')
  const limited = await openInbox(clock, { config: { rateLimit: true } })
  const widget = await widgetOf(limited)
  const begin = () =>
    client(limited.app.url, { origin: `https://${SITE}` }).post(`/api/chat/${widget.id}/sessions`, {})
  const guest = asGuest(limited.app.url, (await begin()).body.token)
  for (let begun = 1; begun < SESSIONS_PER_HOUR; begun++) expect((await begin()).status).toBe(201)
  const refused = await begin()
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers.get('retry-after')).toBe('3600')
  clock.advance(SESSION_DAYS * DAY_MS - 1)
  expect((await guest.get('/api/chat/messages')).status).toBe(200)
  clock.advance(1)
  expect(await guest.get('/api/chat/messages')).toMatchObject({ status: 401, body: { code: 'chat_ended' } })
  await limited.close()
})
