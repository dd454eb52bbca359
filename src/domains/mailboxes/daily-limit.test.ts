import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { CONVERSATIONS, HOUR_MS } from '#domains/conversations/conversations.harness.ts'
import { colleagueOf } from '#test/colleague.ts'
import { MAILBOXES, openPostRoom, type PostRoom } from './mailboxes.harness.ts'

/** Monday, 2 March 2026, 10:00 in Berlin. */
const clock = new FakeClock('2026-03-02T09:00:00Z')
let room: PostRoom
let boxes = 0

beforeAll(async () => {
  room = await openPostRoom(clock)
})
afterAll(() => room.close())

const api = () => room.ada.browser
const fresh = () => `limited${++boxes}@team.example`
const sentBy = (address: string) => room.ports.mailboxServers.at(address).sent
const figures = async (id: string) => (await api().get(`${MAILBOXES}/${id}/sending`)).body

async function limited(daily_limit: number, more: object = {}) {
  const address = fresh()
  const { id } = await room.connect(address)
  const change = { daily_limit, timezone: 'Europe/Berlin', ...more }
  const changed = await api().patch(`${MAILBOXES}/${id}`, change)
  expect(changed, changed.text).toMatchObject({ status: 200, body: { daily_limit } })
  return { id, address }
}

async function write(mailbox_id: string, more: object = {}) {
  const lead = await room.lead()
  const body = { channel: 'email', lead_id: lead.id, mailbox_id, subject: 'Offer', text: 'Ten?', ...more }
  const reply = await api().post(CONVERSATIONS, body)
  expect(reply.status, reply.text).toBe(201)
  const [entry] = await room.thread(reply.body.id)
  return { lead, entry: entry!, conversation_id: reply.body.id as string }
}

test('what is over the limit of a day waits for the next one, is said before it is sent, and goes out then', async () => {
  const { id, address } = await limited(2)
  const first = await write(id)
  expect(first.entry).toMatchObject({ hold_reason: null })
  const query = `lead_id=${first.lead.id}&channel=email&mailbox_id=${id}`
  const check = async () => (await api().get(`${CONVERSATIONS}/sending?${query}`)).body
  expect(await check()).toMatchObject({ hold_reason: null, detail: null })
  await write(id)
  const held = {
    held_until: '2026-03-03T07:00:00.000Z',
    hold_reason: 'daily_limit',
    detail: `${address} sends 2 emails a day, and that day is full. It is sent on Tuesday 3 March at 08:00 (Europe/Berlin).`,
  }
  expect(await check()).toMatchObject(held)
  const own = `${CONVERSATIONS}/${first.conversation_id}/sending?channel=email`
  expect((await api().get(own)).body).toMatchObject(held)
  expect((await api().get(`${own}&mailbox_id=none`)).body).toMatchObject({ hold_reason: null })
  const third = await write(id)
  expect(third.entry).toMatchObject({ hold_reason: 'daily_limit', held_until: held.held_until })
  await room.out()
  expect(sentBy(address)).toHaveLength(2)
  expect(await figures(id)).toEqual({
    daily_limit: 2,
    sent_today: 2,
    sent_30_days: 2,
    bounced_30_days: 0,
  })
  await room.pass(22 * HOUR_MS)
  expect(sentBy(address)).toHaveLength(3)
  expect(await figures(id)).toMatchObject({ sent_today: 1, sent_30_days: 3 })
  clock.set('2026-03-04T09:00:00Z')
})

test('a day begins at midnight of the mailbox, and the day after a full one has room for as many again', async () => {
  const { id } = await limited(1)
  clock.set('2026-03-04T22:59:40Z')
  expect((await write(id)).entry.hold_reason).toBeNull()
  const days = [(await write(id)).entry.held_until, (await write(id)).entry.held_until]
  expect(days).toEqual(['2026-03-05T07:00:00.000Z', '2026-03-06T07:00:00.000Z'])
  // Midnight in Berlin: that day has its one email already.
  clock.set('2026-03-04T23:00:00Z')
  expect((await write(id)).entry.held_until).toBe('2026-03-07T07:00:00.000Z')
  const later = await write(id, { send_at: '2026-03-09T12:00:00Z' })
  expect(later.entry).toMatchObject({ hold_reason: 'send_later', held_until: '2026-03-09T12:00:00.000Z' })
  const moved = await write(id, { send_at: '2026-03-09T13:00:00Z' })
  expect(moved.entry).toMatchObject({ hold_reason: 'daily_limit', held_until: '2026-03-10T07:00:00.000Z' })
})

test('of those who write at once, as many as there is room for go today; what is cancelled makes room', async () => {
  const { id } = await limited(3)
  const written = await Promise.all(Array.from({ length: 5 }, () => write(id)))
  const free = written.filter(({ entry }) => entry.hold_reason === null)
  expect(free).toHaveLength(3)
  const [{ conversation_id, entry }] = free as [(typeof written)[number]]
  const cancelled = await api().post(`${CONVERSATIONS}/${conversation_id}/messages/${entry.id}/cancel`)
  expect(cancelled.status).toBe(200)
  expect((await write(id)).entry.hold_reason).toBeNull()
  expect((await write(id)).entry.hold_reason).toBe('daily_limit')
})

test('without a limit nothing waits, and what bounces is counted', async () => {
  const address = fresh()
  const { id, daily_limit } = await room.connect(address)
  expect(daily_limit).toBeNull()
  const { lead } = await write(id)
  await write(id)
  room.ports.mailboxServers.at(address).refuses.push(lead.email)
  await room.out()
  expect(await figures(id)).toMatchObject({ sent_today: 2, sent_30_days: 2, bounced_30_days: 1 })
})

test('a limit is a number of 1 to 10,000, set by an admin of a shared mailbox', async () => {
  const { id } = await limited(1)
  for (const daily_limit of [0, 10_001, 1.5])
    expect((await api().patch(`${MAILBOXES}/${id}`, { daily_limit })).status).toBe(422)
  expect((await api().patch(`${MAILBOXES}/${id}`, { daily_limit: 10_000 })).status).toBe(200)
  const member = await colleagueOf(room.app, room.ada, 'MEMBER')
  expect((await member.browser.patch(`${MAILBOXES}/${id}`, { daily_limit: null })).status).toBe(403)
})

test('a signature is the same in its preview, in a test and in the email: bold, italic, links and who writes', async () => {
  const address = fresh()
  const { id } = await room.connect(address)
  const signature = '**{{senderName}}**, *sales*  \n[Book a time](https://team.example/book)'
  const preview = await api().post(`${MAILBOXES}/${id}/signature`, { signature })
  expect(preview.status, preview.text).toBe(200)
  const html = /<strong>[^<{]+<\/strong>, <em>sales<\/em>/.exec(preview.body.html)?.[0]
  expect(html, preview.body.html).toBeDefined()
  expect(preview.body.html).toContain('href="https://team.example/book"')
  expect(preview.body.text).toContain('https://team.example/book')
  expect(preview.body.text).not.toContain('**')

  const tested = await api().post(`${MAILBOXES}/${id}/test`, { signature })
  expect(tested, tested.text).toMatchObject({ status: 200 })
  const test = sentBy(address).at(-1)!.mail
  expect(test.to).toBe(tested.body.to)
  await api().patch(`${MAILBOXES}/${id}`, { signature })
  await write(id)
  await room.out()
  const sent = sentBy(address).at(-1)!.mail
  for (const mail of [test, sent]) {
    expect(mail.html).toContain(html)
    expect(mail.text).toContain(preview.body.text)
  }
  // The name of the mailbox, where it has one; and nothing in a signature runs.
  await api().patch(`${MAILBOXES}/${id}`, { name: 'Brightwater' })
  const wild = { signature: '**{{senderName}}** <script>alert(1)</script> [x](javascript:alert(1))' }
  const shown = (await api().post(`${MAILBOXES}/${id}/signature`, wild)).body.html
  expect(shown).toContain('<strong>Brightwater</strong>')
  expect(shown).not.toContain('<script>alert')
  expect(shown).not.toContain('javascript:')
})

test('a test that the server refuses says why, and only who may set a mailbox up sends one', async () => {
  const address = fresh()
  const { id } = await room.connect(address)
  const member = await colleagueOf(room.app, room.ada, 'MEMBER')
  expect((await member.browser.post(`${MAILBOXES}/${id}/test`, {})).status).toBe(403)
  expect((await api().post(`${MAILBOXES}/${'f'.repeat(24)}/test`, {})).status).toBe(404)
  room.ports.mailboxServers.at(address).isDown = true
  expect(await api().post(`${MAILBOXES}/${id}/test`, {})).toMatchObject({
    status: 409,
    body: { code: 'test_not_sent', detail: expect.stringContaining('ECONNREFUSED') },
  })
})
