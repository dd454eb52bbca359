import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { suppress } from '#domains/suppressions/service.ts'
import { colleagueOf } from '#test/colleague.ts'
import { hostileTexts } from '#test/hostile.ts'
import {
  CONVERSATIONS,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  openInbox,
  told,
  type Inbox,
} from './conversations.harness.ts'
import { LABELS_MAX, REPLY_LENGTH_MAX } from './values.ts'

let inbox: Inbox
beforeAll(async () => {
  inbox = await openInbox(new FakeClock())
})
afterAll(() => inbox.close())

const post = (path: string, body: object = {}, headers?: Record<string, string>) =>
  inbox.ada.browser.post(`${CONVERSATIONS}${path}`, body, headers)
const patch = (id: string, body: object, headers?: Record<string, string>) =>
  inbox.ada.browser.patch(`${CONVERSATIONS}/${id}`, body, headers)
const get = async (path: string) => (await inbox.ada.browser.get(`${CONVERSATIONS}${path}`)).body
const write = (lead_id: string, more: object = {}) =>
  post('', { channel: 'email', lead_id, subject: 'Your offer', text: 'Hello {{firstName}}', ...more })

describe('writing to a lead', () => {
  test('begins a conversation, and the email goes out after ten seconds as one person writes to another', async () => {
    const lead = await inbox.lead()
    const { status, body } = await write(lead.id)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      lead_id: lead.id,
      state: 'WAITING',
      channel: 'email',
      subject: 'Your offer',
      last_text: 'Hello Grace',
      last_direction: 'out',
      unread: false,
      participants: [{ address: lead.email, lead_id: lead.id }],
    })
    await inbox.settled()
    expect(inbox.app.mail.lastTo(lead.email)).toBeUndefined()
    expect(await inbox.thread(body.id)).toMatchObject([
      { status: 'DUE', hold_reason: null, author: { kind: 'person', id: inbox.ada.user_id } },
    ])
    await inbox.out()
    const mail = inbox.app.mail.lastTo(lead.email)!
    expect(mail).toMatchObject({ subject: 'Your offer', text: 'Hello Grace' })
    expect(mail.unsubscribe_url).toBeUndefined()
    expect(mail.html).toContain('<p>Hello Grace</p>')
    expect(mail.html).not.toContain('data-read')
    expect(told(await inbox.thread(body.id))).toEqual(['message out email SENT Hello Grace'])
    const timeline = (await inbox.ada.browser.get(`/api/crm/leads/${lead.id}/timeline?type=email.sent`)).body
    expect(timeline.data).toMatchObject([{ cause: { kind: 'person', id: inbox.ada.user_id } }])
  })

  test('an answer opens it again, and our answer names the email that it answers', async () => {
    const lead = await inbox.lead()
    const { body } = await write(lead.id)
    await inbox.out()
    const first = inbox.app.mail.lastTo(lead.email)!
    await inbox.mail({
      from: lead.email,
      answers: [first.message_id],
      subject: 'Re: Your offer',
      text: 'How much?',
      message_id: '<a1@navy.example>',
    })
    expect(await get(`/${body.id}`)).toMatchObject({
      state: 'OPEN',
      unread: true,
      last_direction: 'in',
      last_text: 'How much?',
    })
    expect(
      await post(`/${body.id}/messages`, {
        kind: 'reply',
        text: 'It is <b>free</b>.\nhttps://x.example/a?b=1&c=2.',
      }),
    ).toMatchObject({
      status: 201,
      body: { channel: 'email', subject: 'Re: Your offer', direction: 'out' },
    })
    await inbox.out()
    const second = inbox.app.mail.lastTo(lead.email)!
    expect(second.thread).toEqual([first.message_id, '<a1@navy.example>'])
    expect(second.html).toContain(
      '<p>It is &lt;b&gt;free&lt;/b&gt;.<br>\n<a href="https://x.example/a?b=1&amp;c=2">https://x.example/a?b=1&amp;c=2</a>.</p>',
    )
    expect(await get(`/${body.id}`)).toMatchObject({ state: 'WAITING', unread: false })
    expect(told(await inbox.thread(body.id))).toEqual([
      'message out email SENT Hello Grace',
      'message in email How much?',
      'message out email SENT It is <b>free</b>.\nhttps://x.example/a?b=1&c=2.',
    ])
  })

  test('a second message to the same lead continues the conversation, on another channel too', async () => {
    const lead = await inbox.lead()
    const first = await write(lead.id)
    const second = await post('', {
      channel: 'sms',
      lead_id: lead.id,
      text: 'Did you get it?',
      send_anyway: true,
    })
    expect(second.body.id).toBe(first.body.id)
    expect(second.body).toMatchObject({ channel: 'sms', subject: 'Your offer' })
    await inbox.out()
    expect(inbox.ports.sms.lastTo(lead.phone)).toMatchObject({ text: 'Did you get it?' })
  })

  test('an address that nobody knows becomes a lead when somebody writes to it, and is found when it is known', async () => {
    const { body } = await post('', {
      channel: 'email',
      to: 'New.One@stranger.example',
      subject: 'Hi',
      text: 'Hello',
    })
    const lead = (await inbox.ada.browser.get(`/api/crm/leads/${body.lead_id}`)).body
    expect(lead).toMatchObject({
      email: 'new.one@stranger.example',
      source: 'Conversation',
      owner_id: inbox.ada.user_id,
    })
    const again = await post('', { channel: 'email', to: 'new.one@stranger.example', text: 'Hello again' })
    expect(again.body).toMatchObject({ id: body.id, lead_id: lead.id, subject: 'Re: Hi' })
  })

  test('to an address that has become a lead’s since goes to that lead, and makes no second one', async () => {
    await inbox.mail({ from: 'yan@unknown.example', text: 'First' })
    const stray = (await get('?q=yan@')).data[0]
    const lead = await inbox.lead({ email: 'yan@unknown.example' })
    const reply = await post(`/${stray.id}/messages`, { kind: 'reply', text: 'Hello' })
    expect(reply.status).toBe(201)
    expect(await get(`/${stray.id}`)).toMatchObject({ id: stray.id, lead_id: lead.id })
    const all = (await inbox.ada.browser.get('/api/crm/leads?q=yan@unknown.example')).body.data
    expect(all).toHaveLength(1)
  })

  test('to an address of theirs goes there, also when they wrote from another', async () => {
    const lead = await inbox.lead()
    await inbox.mail({ from: 'private@unknown.example', text: 'Hi' })
    const stray = (await get('?q=private@')).data[0]
    await patch(stray.id, { lead_id: lead.id })
    const known = await write(lead.id)
    await post('', { channel: 'email', to: lead.email, text: 'And at work' })
    await inbox.out()
    expect(inbox.app.mail.lastTo('private@unknown.example')).toMatchObject({ text: 'Hello Grace' })
    expect(inbox.app.mail.lastTo(lead.email)).toMatchObject({ text: 'And at work' })
    expect((await inbox.of(lead.id)).id).toBe(known.body.id)
  })

  test('is refused with a reason that helps', async () => {
    const lead = await inbox.lead({ phone: null })
    const none = '0'.repeat(24)
    const refused = async (body: object) => {
      const reply = await post('', body)
      return [reply.status, reply.body.code, reply.body.errors?.[0]?.path]
    }
    const email = { channel: 'email', subject: 'Hi', text: 'Hi' }
    expect(await refused({ ...email })).toEqual([422, 'validation_failed', 'lead_id'])
    expect(await refused({ ...email, lead_id: lead.id, to: lead.email })).toEqual([
      422,
      'validation_failed',
      'lead_id',
    ])
    expect(await refused({ ...email, lead_id: none })).toEqual([422, 'validation_failed', 'lead_id'])
    expect(await refused({ ...email, to: '+4930123456' })).toEqual([422, 'validation_failed', 'to'])
    expect(await refused({ channel: 'email', lead_id: lead.id, text: 'Hi' })).toEqual([
      422,
      'validation_failed',
      'subject',
    ])
    expect(await refused({ channel: 'sms', lead_id: lead.id, text: 'Hi' })).toEqual([
      409,
      'no_address',
      undefined,
    ])
    expect(await refused({ ...email, lead_id: lead.id, text: 'Hi {{company}}' })).toEqual([
      422,
      'validation_failed',
      'text',
    ])
    expect(await refused({ ...email, lead_id: lead.id, text: 'x'.repeat(REPLY_LENGTH_MAX + 1) })).toEqual([
      422,
      'validation_failed',
      'text',
    ])
    expect(await refused({ ...email, lead_id: lead.id, send_at: '2020-01-01T00:00:00Z' })).toEqual([
      422,
      'validation_failed',
      'send_at',
    ])
    await inbox.ada.ctx.transaction(ctx =>
      suppress(ctx, { channel: 'email', address: lead.email, reason: 'unsubscribed', source: 'test' }),
    )
    expect(await refused({ ...email, lead_id: lead.id })).toEqual([409, 'suppressed', undefined])
    const listed = (await get(`?lead_id=${lead.id}`)).data
    expect(listed).toEqual([])
  })
})

describe('what comes in', () => {
  test('from a stranger starts a conversation, which becomes the lead’s by one change', async () => {
    await inbox.mail({ from: 'Zoe@unknown.example', subject: 'Prices', text: 'What does it cost?' })
    const { data } = await get('?q=zoe@')
    expect(data).toMatchObject([
      {
        lead_id: null,
        state: 'OPEN',
        subject: 'Prices',
        unread: true,
        assignee_id: null,
        participants: [{ address: 'zoe@unknown.example' }],
      },
    ])
    const lead = await inbox.lead({ email: 'zoe@unknown.example' })
    expect((await patch(data[0].id, { lead_id: lead.id })).body).toMatchObject({
      id: data[0].id,
      lead_id: lead.id,
    })
    const other = await inbox.lead()
    expect(await patch(data[0].id, { lead_id: other.id })).toMatchObject({
      status: 409,
      body: { code: 'has_lead' },
    })
  })

  test('from an address whose lead has a conversation already goes on there, and the old link leads to it', async () => {
    await inbox.mail({ from: 'zack@unknown.example', text: 'First' })
    const stray = (await get('?q=zack@')).data[0]
    const lead = await inbox.lead()
    const { body: known } = await write(lead.id)
    await inbox.out()
    expect((await patch(stray.id, { lead_id: lead.id })).body.id).toBe(known.id)
    expect(await get(`/${stray.id}`)).toMatchObject({ id: known.id, state: 'OPEN' })
    expect(told(await inbox.thread(stray.id))).toEqual([
      'message in email First',
      'message out email SENT Hello Grace',
    ])
  })

  test('is never a template: placeholders of a stranger stay as they are', async () => {
    const lead = await inbox.lead({ company: 'Navy' })
    await inbox.mail({ from: lead.email, subject: 'For {{company}} and {{nobody}}', text: '{{company}}' })
    const { id } = await inbox.of(lead.id)
    expect(await post(`/${id}/messages`, { kind: 'reply', text: 'Dear {{company}}' })).toMatchObject({
      status: 201,
      body: { subject: 'Re: For {{company}} and {{nobody}}', text: 'Dear Navy' },
    })
  })

  test('with an ID of any length and letters is taken', async () => {
    const lead = await inbox.lead()
    for (const letter of ['a', '\0']) await inbox.mail({ from: lead.email, message_id: letter.repeat(9_000) })
    expect(await inbox.thread((await inbox.of(lead.id)).id)).toHaveLength(2)
  })

  test('from a lead in the trash is kept', async () => {
    const lead = await inbox.lead()
    await write(lead.id)
    await inbox.out()
    const { message_id } = inbox.app.mail.lastTo(lead.email)!
    await inbox.ada.browser.delete(`/api/crm/leads/${lead.id}`)
    await inbox.mail({ from: lead.email, answers: [message_id], text: 'Still here' })
    const { id } = await inbox.of(lead.id)
    expect((await inbox.thread(id))[0]).toMatchObject({ text: 'Still here' })
    expect(await post(`/${id}/messages`, { kind: 'reply', text: 'Hi' })).toMatchObject({
      status: 409,
      body: { code: 'in_trash' },
    })
  })

  test('once, however often it is brought', async () => {
    const lead = await inbox.lead()
    const mail = { from: lead.email, message_id: '<same@navy.example>', text: 'Only once' }
    await inbox.mail(mail)
    await inbox.mail(mail)
    const conversation = await inbox.of(lead.id)
    expect(told(await inbox.thread(conversation.id))).toEqual(['message in email Only once'])
  })

  test('goes to the owner of the lead, who is notified', async () => {
    const lead = await inbox.lead()
    await inbox.mail({ from: lead.email, text: 'Are you there?' })
    const conversation = await inbox.of(lead.id)
    expect(conversation).toMatchObject({ assignee_id: inbox.ada.user_id })
    const { data } = (await inbox.ada.browser.get('/api/notifications?limit=1')).body
    expect(data[0]).toMatchObject({
      text: 'Are you there?',
      link: `/inbox/${conversation.id}`,
      source_kind: 'conversation',
    })
  })

  test('by a machine is shown, and opens nothing', async () => {
    const lead = await inbox.lead()
    await write(lead.id)
    await inbox.out()
    const { message_id } = inbox.app.mail.lastTo(lead.email)!
    await inbox.mail({ from: lead.email, kind: 'automatic', answers: [message_id], text: 'I am away' })
    const conversation = await inbox.of(lead.id)
    expect(conversation).toMatchObject({ state: 'WAITING', answer_due_at: null, last_text: 'Hello Grace' })
    expect((await inbox.thread(conversation.id))[0]).toMatchObject({ automatic: true, text: 'I am away' })
  })

  test('in any words is kept as it is', async () => {
    const lead = await inbox.lead()
    for (const text of hostileTexts.slice(0, 12)) await inbox.mail({ from: lead.email, text, subject: text })
    const conversation = await inbox.of(lead.id)
    const { data } = await get(`/${conversation.id}/messages?limit=200`)
    expect(data.length).toBe(Math.min(12, hostileTexts.length))
  })

  test('from several teams’ installation belongs to nobody unless it answers something', async () => {
    const shared = await openInbox(new FakeClock())
    try {
      await shared.app.person()
      await shared.mail({ from: 'who@unknown.example' })
      expect((await shared.ada.browser.get(CONVERSATIONS)).body.data).toEqual([])
    } finally {
      await shared.close()
    }
  })
})

describe('a reply', () => {
  const begun = async () => {
    const lead = await inbox.lead()
    await inbox.hears(lead.email, 'How much?')
    return { lead, conversation: await inbox.of(lead.id) }
  }
  const etag = async (id: string) =>
    (await inbox.ada.browser.get(`${CONVERSATIONS}/${id}`)).headers.get('etag')!

  test('can be taken back before it goes, and then the message waits for an answer again', async () => {
    const { lead, conversation } = await begun()
    const { body } = await post(`/${conversation.id}/messages`, { kind: 'reply', text: 'Wrong' })
    expect(body).toMatchObject({
      status: 'DUE',
      held_until: new Date(inbox.clock.now() + 10_000).toISOString(),
    })
    expect(await get(`/${conversation.id}`)).toMatchObject({ state: 'WAITING', last_text: 'Wrong' })
    const cancelled = await post(`/${conversation.id}/messages/${body.id}/cancel`)
    expect(cancelled).toMatchObject({ status: 200, body: { id: body.id, status: 'CANCELLED' } })
    expect(await get(`/${conversation.id}`)).toMatchObject({
      state: 'OPEN',
      last_text: 'How much?',
      last_direction: 'in',
    })
    await inbox.out()
    expect(inbox.app.mail.lastTo(lead.email)).toBeUndefined()
    expect(await post(`/${conversation.id}/messages/${body.id}/cancel`)).toMatchObject({ status: 409 })
  })

  test('of two people at once one wins, and the other hears that somebody has written', async () => {
    const { conversation } = await begun()
    const headers = { 'if-match': await etag(conversation.id) }
    const path = `${CONVERSATIONS}/${conversation.id}/messages`
    const eve = await colleagueOf(inbox.app, inbox.ada, 'MEMBER')
    const replies = await Promise.all([
      inbox.ada.browser.post(path, { kind: 'reply', text: 'Mine' }, headers),
      eve.browser.post(path, { kind: 'reply', text: 'Hers' }, headers),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 412])
    await inbox.out()
    expect((await inbox.thread(conversation.id)).filter(({ direction }) => direction === 'out')).toHaveLength(
      1,
    )
  })

  test('is sent later, at the time that was asked for', async () => {
    const { lead, conversation } = await begun()
    const send_at = new Date(inbox.clock.now() + 2 * HOUR_MS).toISOString()
    const { body } = await post(`/${conversation.id}/messages`, { kind: 'reply', text: 'Later', send_at })
    expect(body).toMatchObject({ held_until: send_at, hold_reason: 'send_later' })
    await inbox.pass(2 * HOUR_MS - 1_000)
    expect(inbox.app.mail.lastTo(lead.email)).toBeUndefined()
    await inbox.pass(1_000)
    expect(inbox.app.mail.lastTo(lead.email)).toMatchObject({ text: 'Later' })
  })

  test('by text message waits for the end of the quiet hours, unless an admin says otherwise', async () => {
    const lead = await inbox.lead({ timezone: 'Asia/Tokyo' })
    await inbox.hears(lead.phone, 'Call me')
    const conversation = await inbox.of(lead.id)
    const clock = new Date(inbox.clock.now())
    const tokyo = (clock.getUTCHours() + 9) % 24
    const untilNight = ((22 - tokyo + 24) % 24) * HOUR_MS
    await inbox.pass(untilNight)
    const check = await get(`/${conversation.id}/sending`)
    expect(check).toMatchObject({ channel: 'sms', to: lead.phone, hold_reason: 'quiet_hours', refusal: null })
    const eve = await colleagueOf(inbox.app, inbox.ada, 'MEMBER')
    const path = `${CONVERSATIONS}/${conversation.id}/messages`
    const anyway = { kind: 'reply', text: 'Now', send_anyway: true }
    expect(await eve.browser.post(path, anyway)).toMatchObject({ status: 403 })
    const held = await eve.browser.post(path, { kind: 'reply', text: 'Tomorrow' })
    expect(held.body).toMatchObject({ hold_reason: 'quiet_hours', held_until: check.held_until })
    expect((await post(`/${conversation.id}/messages`, anyway)).body).toMatchObject({ hold_reason: null })
    await inbox.out()
    expect(inbox.ports.sms.sent.filter(({ to }) => to === lead.phone).map(({ text }) => text)).toEqual([
      'Now',
    ])
    await inbox.pass(10 * HOUR_MS)
    expect(inbox.ports.sms.sent.filter(({ to }) => to === lead.phone).map(({ text }) => text)).toEqual([
      'Now',
      'Tomorrow',
    ])
  })

  test('that cannot be delivered answers nothing: its writer hears of it, and the message waits again', async () => {
    const { lead, conversation } = await begun()
    inbox.ports.mail.faults.push(Object.assign(new Error('refused'), {}))
    await post(`/${conversation.id}/messages`, { kind: 'reply', text: 'Free' })
    await inbox.out()
    expect(await get(`/${conversation.id}`)).toMatchObject({ state: 'WAITING' })
    await inbox.ada.ctx.transaction(ctx =>
      suppress(ctx, { channel: 'email', address: lead.email, reason: 'complained', source: 'test' }),
    )
    await inbox.pass(HOUR_MS)
    expect(await get(`/${conversation.id}`)).toMatchObject({ state: 'OPEN', last_text: 'How much?' })
    expect((await inbox.thread(conversation.id))[0]).toMatchObject({ status: 'CANCELLED' })
    const { data } = (await inbox.ada.browser.get('/api/notifications?limit=1')).body
    expect(data[0].title).toContain('Not sent')
  })
})

describe('a note', () => {
  test('is for the team, and notifies the people it mentions', async () => {
    const lead = await inbox.lead()
    const { body } = await write(lead.id)
    const eve = await colleagueOf(inbox.app, inbox.ada, 'MEMBER')
    const note = { kind: 'note', text: 'She is the boss', mentions: [eve.user_id] }
    expect(await post(`/${body.id}/messages`, note)).toMatchObject({
      status: 201,
      body: {
        kind: 'note',
        direction: null,
        mentions: [eve.user_id],
        author: { kind: 'person', id: inbox.ada.user_id },
      },
    })
    const { data } = (await eve.browser.get('/api/notifications')).body
    expect(data[0]).toMatchObject({ text: 'She is the boss', link: `/inbox/${body.id}` })
    await inbox.out()
    expect(inbox.app.mail.sent.every(({ text }) => !text?.includes('boss'))).toBe(true)
    const wrong = await post(`/${body.id}/messages`, { ...note, mentions: ['0'.repeat(24)] })
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: 'mentions[0]' }] } })
    expect(await post(`/${body.id}/messages`, { kind: 'note', text: 'x', channel: 'sms' })).toMatchObject({
      status: 422,
    })
  })
})

describe('the state of a conversation', () => {
  const begun = async () => {
    const lead = await inbox.lead()
    await inbox.hears(lead.email)
    return { lead, id: (await inbox.of(lead.id)).id }
  }

  test('is closed and reopened by hand, and opened by whatever comes in', async () => {
    const { lead, id } = await begun()
    expect((await patch(id, { state: 'CLOSED' })).body).toMatchObject({
      state: 'CLOSED',
      answer_due_at: null,
    })
    expect((await patch(id, { state: 'OPEN' })).body).toMatchObject({ state: 'OPEN' })
    await patch(id, { state: 'CLOSED' })
    await inbox.hears(lead.email, 'One more thing')
    expect(await get(`/${id}`)).toMatchObject({ state: 'OPEN' })
  })

  test('sleeps until a time, or until something comes in', async () => {
    const { lead, id } = await begun()
    const snoozed_until = new Date(inbox.clock.now() + DAY_MS).toISOString()
    expect((await patch(id, { snoozed_until })).body).toMatchObject({ state: 'SNOOZED', snoozed_until })
    await inbox.pass(DAY_MS)
    expect(await get(`/${id}`)).toMatchObject({ state: 'OPEN', snoozed_until: null })
    const later = new Date(inbox.clock.now() + DAY_MS).toISOString()
    await patch(id, { state: 'SNOOZED', snoozed_until: later })
    await inbox.hears(lead.email)
    expect(await get(`/${id}`)).toMatchObject({ state: 'OPEN', snoozed_until: null })
    expect(await patch(id, { state: 'SNOOZED' })).toMatchObject({ status: 422 })
    expect(await patch(id, { snoozed_until: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 422 })
  })

  test('assignee and labels change by hand; the assignee is notified, and a stranger is refused', async () => {
    const { id } = await begun()
    const eve = await colleagueOf(inbox.app, inbox.ada, 'MEMBER')
    const changed = await patch(id, { assignee_id: eve.user_id, labels: ['Billing', 'VIP'] })
    expect(changed.body).toMatchObject({ assignee_id: eve.user_id, labels: ['Billing', 'VIP'] })
    const { data } = (await eve.browser.get('/api/notifications?limit=1')).body
    expect(data[0]).toMatchObject({ link: `/inbox/${id}` })
    expect((await get('?label=VIP')).data.map(({ id }: { id: string }) => id)).toEqual([id])
    expect((await get(`?assignee_id=${eve.user_id}`)).data).toHaveLength(1)
    expect(await patch(id, { assignee_id: '0'.repeat(24) })).toMatchObject({ status: 422 })
    const many = Array.from({ length: LABELS_MAX + 1 }, (_, at) => `l${at}`)
    expect(await patch(id, { labels: many })).toMatchObject({ status: 422 })
  })

  test('an old version is refused', async () => {
    const { id } = await begun()
    const headers = {
      'if-match': (await inbox.ada.browser.get(`${CONVERSATIONS}/${id}`)).headers.get('etag')!,
    }
    expect((await patch(id, { labels: ['a'] }, headers)).status).toBe(200)
    expect((await patch(id, { labels: ['b'] }, headers)).status).toBe(412)
  })

  test('is read by each person alone', async () => {
    const { lead, id } = await begun()
    const eve = await colleagueOf(inbox.app, inbox.ada, 'VIEWER')
    expect((await post(`/${id}/read`)).status).toBe(204)
    expect(await get(`/${id}`)).toMatchObject({ unread: false })
    expect((await eve.browser.get(`${CONVERSATIONS}/${id}`)).body).toMatchObject({ unread: true })
    await inbox.pass(MINUTE_MS)
    await inbox.hears(lead.email)
    expect(await get(`/${id}`)).toMatchObject({ unread: true })
  })
})
