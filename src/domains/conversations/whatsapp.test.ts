import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { WhatsAppUncertain } from '#platform/ports/whatsapp.ts'
import { client } from '#test/client.ts'
import { CONVERSATIONS, DAY_MS, HOUR_MS, MINUTE_MS } from './conversations.harness.ts'
import { UNDO_MS } from './values.ts'
import { openWhatsApp, settings, WEBHOOK, type WhatsAppInbox } from './whatsapp.harness.ts'

let inbox: WhatsAppInbox
const clock = new FakeClock()
beforeAll(async () => (inbox = await openWhatsApp(clock)))
afterAll(() => inbox.close())

const REENGAGE = { errors: [{ code: 131047, title: 'Re-engagement message' }] }

/** A lead who has just written by WhatsApp. */
async function heard() {
  const lead = await inbox.lead()
  const wamid = await inbox.writes(lead.phone)
  const { id } = await inbox.of(lead.id)
  return { lead, id, wamid }
}
const reply = (id: string, body: object = { text: 'Nothing at all.' }) =>
  inbox.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', channel: 'whatsapp', ...body })
/** A reply that has been handed over: its entry, and what WhatsApp got. */
async function sentTo({ id }: { id: string }, body?: object) {
  const { body: entry } = await reply(id, body)
  await inbox.out()
  return { entry, message: inbox.ports.whatsapp.sent.at(-1)! }
}
const shown = async (id: string, entry_id: string) =>
  (await inbox.ada.browser.get(`${CONVERSATIONS}/${id}/messages/${entry_id}`)).body
const stateOf = async (id: string) => (await inbox.ada.browser.get(`${CONVERSATIONS}/${id}`)).body.state
const notices = async () =>
  (await inbox.ada.browser.get('/api/notifications')).body.data.map(({ title }: any) => title)

describe('the webhook', () => {
  test('is verified by the token, and by nothing else', async () => {
    const stranger = client(inbox.app.url)
    const ask = (query: Record<string, string>) =>
      stranger.raw('GET', `${WEBHOOK}?${new URLSearchParams(query)}`, undefined)
    const right = {
      'hub.mode': 'subscribe',
      'hub.challenge': '1158201444',
      'hub.verify_token': settings.verifyToken,
    }
    const reply = await ask(right)
    expect([reply.status, reply.text]).toEqual([200, '1158201444'])
    expect(reply.headers.get('content-type')).toContain('text/plain')
    for (const wrong of [
      { 'hub.verify_token': 'x' },
      { 'hub.mode': 'x' },
      { 'hub.challenge': '<script>' },
    ] as object[])
      expect((await ask({ ...right, ...wrong })).status).toBe(403)
    expect((await ask({})).status).toBe(403)
  })

  test('believes only what is signed over these bytes, for this number', async () => {
    const lead = await inbox.lead()
    const message = {
      from: lead.phone.slice(1),
      id: 'wamid.x',
      timestamp: '1',
      type: 'text',
      text: { body: 'Hi' },
    }
    for (const signature of ['', 'sha256=', `sha256=${'0'.repeat(64)}`])
      expect(await inbox.tells({ messages: [message] }, { signature })).toBe(403)
    expect(await inbox.tells({ messages: [message] }, { phone_number_id: '10556' })).toBe(200)
    expect((await inbox.ada.browser.get(`${CONVERSATIONS}?lead_id=${lead.id}`)).body.data).toEqual([])
    const stranger = client(inbox.app.url)
    const raw = await stranger.raw('POST', WEBHOOK, '{"entry":[]}', { 'content-type': 'application/json' })
    expect(raw.status).toBe(403)
  })
})

describe('what comes in', () => {
  test('is in the conversation of the lead with this number, once, and is answered by WhatsApp', async () => {
    const { lead, id, wamid } = await heard()
    await inbox.writes(lead.phone, { id: wamid })
    expect(await inbox.of(lead.id)).toMatchObject({
      channel: 'whatsapp',
      state: 'OPEN',
      last_text: 'What does it cost?',
    })
    expect(await inbox.thread(id)).toMatchObject([
      { kind: 'message', direction: 'in', channel: 'whatsapp', address: lead.phone },
    ])
    const { body } = await inbox.ada.browser.get(`${CONVERSATIONS}/${id}/sending`)
    expect(body).toMatchObject({ channel: 'whatsapp', to: lead.phone, refusal: null })
    expect(Date.parse(body.window_closes_at)).toBeGreaterThan(clock.now() + DAY_MS - MINUTE_MS)
  })

  test('shows what it is, and fetches its file', async () => {
    const { lead, id } = await heard()
    inbox.ports.whatsapp.files.set('M1', { type: 'image/png', bytes: Buffer.from('a picture') })
    const image = { id: 'M1', mime_type: 'image/png', caption: 'Our roof' }
    await inbox.writes(lead.phone, { type: 'image', image })
    await inbox.writes(lead.phone, {
      type: 'document',
      document: { id: 'M2', filename: 'plan.pdf', mime_type: 'application/pdf' },
    })
    await inbox.writes(lead.phone, { type: 'reaction', reaction: { message_id: 'x', emoji: '👍' } })
    await inbox.writes(lead.phone, {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: '1', title: 'Yes' } },
    })
    await inbox.writes(lead.phone, { type: 'hologram', hologram: {} })
    const entries = await inbox.thread(id)
    expect(
      entries
        .map(({ text }) => text)
        .toReversed()
        .slice(1),
    ).toEqual([
      'Our roof',
      '[Document]\n[plan.pdf is missing: it is larger than 25 MiB, or WhatsApp no longer has it]',
      '[Reacted with 👍]',
      'Yes',
      '[A WhatsApp message of the kind "hologram"]',
    ])
    const [file] = entries.find(({ text }) => text === 'Our roof')!.files
    expect(file).toMatchObject({ name: 'image.png', type: 'image/png', size: 9 })
  })

  test('from somebody who hides their number can be answered', async () => {
    const value = {
      contacts: [{ user_id: 'DE.77', profile: { name: 'Hidden' } }],
      messages: [
        {
          from_user_id: 'DE.77',
          id: 'wamid.hidden',
          timestamp: String(Math.floor(clock.now() / 1_000)),
          type: 'text',
          text: { body: 'Hi' },
        },
      ],
    }
    await inbox.tells(value)
    const { body } = await inbox.ada.browser.get(`${CONVERSATIONS}?channel=whatsapp`)
    const [row] = body.data
    expect(row).toMatchObject({
      lead_id: null,
      participants: [{ name: 'Hidden', address: 'whatsapp:DE.77' }],
    })
    const { message } = await sentTo(row)
    expect(message.to).toBe('whatsapp:DE.77')
  })

  test('STOP suppresses the number everywhere, START allows it again', async () => {
    const { lead, id } = await heard()
    await sentTo({ id })
    await inbox.writes(lead.phone, { text: { body: 'Stop.' } })
    expect((await reply(id)).body).toMatchObject({ code: 'suppressed' })
    await inbox.writes(lead.phone, { text: { body: 'START' } })
    expect((await reply(id)).status).toBe(201)
    expect((await inbox.thread(id)).filter(({ direction }) => direction === 'in')).toHaveLength(1)
  })
})

describe('24 hours', () => {
  test('free text is refused from the moment they are over, and a template is not', async () => {
    const { lead, id } = await heard()
    // The message leaves ten seconds after it is written.
    await inbox.pass(DAY_MS - UNDO_MS - 1_000)
    expect((await reply(id)).status).toBe(201)
    await inbox.pass(1_000)
    const late = await reply(id)
    expect(late).toMatchObject({ status: 409, body: { code: 'window_closed' } })
    await inbox.pass(HOUR_MS)
    expect((await reply(id)).body.detail).toMatch(
      /^WhatsApp allows free text for 24 hours .* it closed on 3 Mar.*\(Europe\/Berlin\)/,
    )
    const { body } = await inbox.ada.browser.get(`${CONVERSATIONS}/${id}/sending`)
    expect(body).toMatchObject({ refusal: 'window_closed', to: lead.phone })
    await inbox.ada.browser.post(`${CONVERSATIONS}/whatsapp-templates`, {
      name: 'after_hours',
      language: 'en',
      body: 'Hello {{1}}, shall we call on {{2}}? {{1}}!',
      footer: 'Rapport',
    })
    const template = { name: 'after_hours', language: 'en', values: ['Grace', 'Monday'] }
    const { message, entry } = await sentTo({ id }, { template })
    expect(entry.text).toBe('Hello Grace, shall we call on Monday? Grace!\n\nRapport')
    expect(message).toMatchObject({
      to: lead.phone,
      template: {
        name: 'after_hours',
        language: 'en',
        values: [
          { part: 'body', name: null, value: 'Grace' },
          { part: 'body', name: null, value: 'Monday' },
        ],
      },
    })
    for (const [wrong, path] of [
      [{ template: { ...template, values: ['Grace'] } }, 'template.values'],
      [{ template: { ...template, language: 'de' } }, 'template.name'],
      [{ template, text: 'x' }, 'text'],
      [{}, 'text'],
    ] as [object, string][])
      expect((await reply(id, wrong)).body.errors[0].path).toBe(path)
  })

  test('somebody who never wrote by WhatsApp is written to by template only', async () => {
    const lead = await inbox.lead()
    const first = (body: object) =>
      inbox.ada.browser.post(CONVERSATIONS, { channel: 'whatsapp', lead_id: lead.id, ...body })
    expect((await first({ text: 'Hello' })).body).toMatchObject({ code: 'window_closed' })
    await inbox.ada.browser.post(`${CONVERSATIONS}/whatsapp-templates`, {
      name: 'hello',
      language: 'en',
      body: 'Hello!',
    })
    expect(await first({ template: { name: 'hello', language: 'en' } })).toMatchObject({ status: 201 })
    expect(await inbox.of(lead.id)).toMatchObject({ channel: 'whatsapp', last_text: 'Hello!' })
  })

  test('a message for later is refused beyond them, and not sent where it only goes after them', async () => {
    const { id, lead } = await heard()
    const end = Date.parse(
      (await inbox.ada.browser.get(`${CONVERSATIONS}/${id}/sending`)).body.window_closes_at,
    )
    const at = (ms: number) => ({ text: 'Later', send_at: new Date(ms).toISOString() })
    expect((await reply(id, at(end))).body).toMatchObject({
      code: 'window_closed',
      detail: expect.stringContaining('before this is sent'),
    })
    const { body: entry } = await reply(id, at(end - 1_000))
    expect(entry).toMatchObject({ hold_reason: 'send_later' })
    // Nothing works until the window is closed, as in an outage.
    await inbox.pass(end - clock.now())
    expect(inbox.ports.whatsapp.sent.filter(({ to }) => to === lead.phone)).toEqual([])
    expect(await shown(id, entry.id)).toMatchObject({
      status: 'CANCELLED',
      reason: expect.stringContaining('More than 24 hours'),
    })
    expect(await stateOf(id)).toBe('OPEN')
    expect(await notices()).toContainEqual(expect.stringMatching(/^Not sent: your message/))
  })
})

describe('what was accepted', () => {
  test('is not sent until WhatsApp says so', async () => {
    const { id } = await heard()
    const { entry, message } = await sentTo({ id })
    expect(await shown(id, entry.id)).toMatchObject({
      status: 'SENDING',
      accepted_at: expect.any(String),
      delivered_at: null,
    })
    expect(await stateOf(id)).toBe('WAITING')
    await inbox.becomes(message, 'sent')
    expect(await shown(id, entry.id)).toMatchObject({ status: 'SENT', delivered_at: null })
    await inbox.becomes(message, 'read')
    expect(await shown(id, entry.id)).toMatchObject({
      status: 'SENT',
      delivered_at: expect.any(String),
      opened_at: expect.any(String),
    })
  })

  test('and not confirmed for a day is unknown, is not sent again, and may still be confirmed', async () => {
    const { id } = await heard()
    const { entry, message } = await sentTo({ id })
    const sent = inbox.ports.whatsapp.sent.length
    await inbox.pass(DAY_MS - 1_000)
    expect(await shown(id, entry.id)).toMatchObject({ status: 'SENDING' })
    await inbox.pass(1_000)
    expect(await shown(id, entry.id)).toMatchObject({
      status: 'UNKNOWN',
      reason: expect.stringContaining('has not confirmed'),
    })
    expect(await stateOf(id)).toBe('OPEN')
    expect(await notices()).toContainEqual(expect.stringMatching(/^Unknown whether it was sent/))
    await inbox.pass(DAY_MS)
    expect(inbox.ports.whatsapp.sent).toHaveLength(sent)
    await inbox.becomes(message, 'delivered')
    expect(await shown(id, entry.id)).toMatchObject({ status: 'SENT', reason: null })
    expect(await stateOf(id)).toBe('WAITING')
  })

  test('and fails is not sent: its author hears why, and the conversation is open again', async () => {
    const { id } = await heard()
    const { entry, message } = await sentTo({ id })
    await inbox.becomes(message, 'failed', REENGAGE)
    await inbox.becomes(message, 'failed', REENGAGE)
    expect(await shown(id, entry.id)).toMatchObject({
      status: 'FAILED',
      reason: 'More than 24 hours have passed since their last WhatsApp message. Use a template.',
    })
    expect(await stateOf(id)).toBe('OPEN')
    const told = (await notices()).filter((title: string) => title.startsWith('Not sent'))
    // What is still told of the first attempt does not touch the second.
    clock.advance(1_000)
    await inbox.ada.browser.post(`/api/outreach/messages/${entry.id}/retry`)
    await inbox.settled()
    await inbox.becomes(message, 'failed', REENGAGE)
    expect(await shown(id, entry.id)).toMatchObject({ status: 'SENDING', accepted_at: expect.any(String) })
    expect((await notices()).filter((title: string) => title.startsWith('Not sent'))).toEqual(told)
  })

  test.for<[string[], object]>([
    [['sent', 'delivered', 'read', 'failed'], { status: 'SENT', opened_at: expect.any(String) }],
    [['read', 'failed', 'delivered', 'sent'], { status: 'SENT', opened_at: expect.any(String) }],
    [['failed', 'sent', 'read', 'read'], { status: 'SENT', opened_at: expect.any(String) }],
    [['failed', 'delivered'], { status: 'SENT', opened_at: null, reason: null }],
    [['delivered', 'failed'], { status: 'SENT', opened_at: null, reason: null }],
    [['sent', 'failed'], { status: 'FAILED', delivered_at: null }],
    [['failed', 'sent', 'failed'], { status: 'FAILED', delivered_at: null }],
  ])('comes to the same end in whatever order it is told: %j', async ([statuses, end]) => {
    const { id } = await heard()
    const { entry, message } = await sentTo({ id })
    for (const status of statuses) await inbox.becomes(message, status, status === 'failed' ? REENGAGE : {})
    expect(await shown(id, entry.id)).toMatchObject(end)
    expect(await stateOf(id)).toBe((end as { status: string }).status === 'SENT' ? 'WAITING' : 'OPEN')
    expect(inbox.ports.whatsapp.sent.at(-1)).toBe(message)
  })

  test('a call that may have been heard is unknown and never repeated; a limit is waited out', async () => {
    const { id } = await heard()
    const sent = inbox.ports.whatsapp.sent.length
    inbox.ports.whatsapp.faults.push(new WhatsAppUncertain('WhatsApp did not answer within 15 seconds'))
    const { body: lost } = await reply(id)
    await inbox.out()
    await inbox.pass(HOUR_MS)
    expect(await shown(id, lost.id)).toMatchObject({ status: 'UNKNOWN' })
    expect(inbox.ports.whatsapp.sent).toHaveLength(sent)
    inbox.ports.whatsapp.faults.push(new Error('WhatsApp answered 429: too many messages'))
    const { body: limited } = await reply(id)
    await inbox.out()
    expect(await shown(id, limited.id)).toMatchObject({ status: 'DUE' })
    await inbox.pass(MINUTE_MS)
    expect(await shown(id, limited.id)).toMatchObject({ status: 'SENDING', accepted_at: expect.any(String) })
    expect(inbox.ports.whatsapp.sent).toHaveLength(sent + 1)
  })

  test('an answer names the message it is to, which proves that it arrived', async () => {
    const { lead, id } = await heard()
    const { entry, message } = await sentTo({ id })
    await inbox.writes(lead.phone, { context: { id: inbox.wamidOf(message) } })
    expect(await shown(id, entry.id)).toMatchObject({ status: 'SENT' })
    const types = await inbox.app.database.query(
      `select type from events where subject_id = $1 and type like 'whatsapp.%' order by id`,
      [entry.id],
    )
    expect(types.map(({ type }: any) => type)).toEqual(['whatsapp.sent', 'whatsapp.replied'])
  })
})

describe('files and templates', () => {
  test('one file goes along, of a kind and size that WhatsApp takes', async () => {
    const { id } = await heard()
    const upload = async (name: string, type: string, bytes = 'bytes') =>
      (
        await inbox.ada.browser.raw('POST', '/api/files', bytes, {
          'content-type': type,
          'content-disposition': `attachment; filename="${name}"`,
        })
      ).text
    const idOf = async (...args: Parameters<typeof upload>) => JSON.parse(await upload(...args)).id
    const [pdf, other, zip] = [
      await idOf('plan.pdf', 'application/pdf'),
      await idOf('b.pdf', 'application/pdf'),
      await idOf('a.zip', 'application/zip'),
    ]
    expect((await reply(id, { text: 'x', file_ids: [pdf, other] })).body.errors[0].path).toBe('file_ids')
    expect((await reply(id, { text: 'x', file_ids: [zip] })).body.errors[0].path).toBe('file_ids[0]')
    expect((await reply(id, { text: 'x'.repeat(1_025), file_ids: [pdf] })).body.errors[0].path).toBe('text')
    expect((await reply(id, { text: 'x'.repeat(4_097) })).body.errors[0].path).toBe('text')
    expect((await reply(id, { text: 'x'.repeat(4_096) })).status).toBe(201)
    await inbox.out()
    const { message } = await sentTo({ id }, { text: 'x'.repeat(1_024), file_ids: [pdf] })
    expect(message.file).toMatchObject({ name: 'plan.pdf', type: 'application/pdf' })
    expect(Buffer.from(message.file!.bytes).toString()).toBe('bytes')
  })

  test('are synced: new ones come, changed ones change, gone ones go, entered ones stay', async () => {
    const { browser } = inbox.ada
    const path = `${CONVERSATIONS}/whatsapp-templates`
    const listed = (name: string, body: string) => ({
      name,
      language: 'en',
      status: 'APPROVED',
      category: 'MARKETING',
      header: 'For {{name}}',
      body,
      footer: null,
    })
    await browser.post(path, { name: 'entered', language: 'en', body: 'Mine' })
    inbox.ports.whatsapp.listed.push(listed('one', 'Old {{day}}'), listed('two', 'Two'))
    expect((await browser.post(`${path}/sync`)).body).toEqual({ count: 2, skipped: 0 })
    clock.advance(1_000)
    inbox.ports.whatsapp.listed.splice(0, 2, listed('one', 'New {{day}}'))
    expect((await browser.post(`${path}/sync`)).body).toEqual({ count: 1, skipped: 0 })
    const names = (await browser.get(path)).body.data.map(({ name }: any) => name)
    expect(names).toContain('entered')
    expect(names).not.toContain('two')
    const one = (await browser.get(path)).body.data.find(({ name }: any) => name === 'one')
    expect(one).toMatchObject({
      body: 'New {{day}}',
      source: 'synced',
      parameters: [
        { part: 'header', name: 'name' },
        { part: 'body', name: 'day' },
      ],
    })
    expect((await browser.delete(`${path}/${one.id}`)).status).toBe(204)
    expect((await browser.get(`${path}/${one.id}`)).status).toBe(404)
  })
})
