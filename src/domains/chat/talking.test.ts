import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { DEFAULT_TEXT } from '#domains/agents/values.ts'
import { openInbox, type Inbox } from '#domains/conversations/conversations.harness.ts'
import { AGENT_WAIT_MS } from '#domains/conversations/values.ts'
import { startApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { asGuest, guestOf, widgetOf, type Guest } from './chat.harness.ts'
import { countMessage } from './limits.ts'
import {
  CHAT_FILE_BYTES_MAX,
  CHAT_PAGE_MAX,
  MESSAGES_PER_HOUR,
  UNSEEN_MS,
  USUAL_ANSWERS_MIN,
  USUAL_DAYS,
} from './values.ts'

const clock = new FakeClock('2026-03-02T09:00:00Z')
let inbox: Inbox

beforeAll(async () => {
  inbox = await openInbox(clock)
})
afterAll(() => inbox.close())

const api = () => inbox.ada.browser
const mails = () => inbox.app.mail.sent

/** The conversation of what was said last in a chat. */
async function latest() {
  const { body } = await api().get('/api/conversations?channel=chat&limit=1')
  return body.data[0]
}

async function answer(id: string, text: string, more: object = {}) {
  const reply = await api().post(`/api/conversations/${id}/messages`, {
    kind: 'reply',
    channel: 'chat',
    text,
    ...more,
  })
  expect(reply.status, reply.text).toBe(201)
  clock.advance(1)
  return reply.body
}

async function open(fields: object = {}, beginning: object = {}): Promise<Guest> {
  return guestOf(inbox.app.url, await widgetOf(inbox, fields), beginning)
}

const said = (entries: { by: string; text: string }[]) => entries.map(({ by, text }) => `${by}: ${text}`)

describe('a visitor and the team', () => {
  test('write to each other, and each reads it all', async () => {
    const guest = await open()
    const sent = await guest.say('Do you ship to Norway?')
    expect(sent).toMatchObject({ by: 'visitor', name: null, files: [], key: expect.any(String) })
    const conversation = await latest()
    expect(conversation).toMatchObject({
      channel: 'chat',
      state: 'OPEN',
      last_text: 'Do you ship to Norway?',
    })
    clock.advance(1)
    await answer(conversation.id, 'Yes, in three days.')
    await api().post(`/api/conversations/${conversation.id}/messages`, { kind: 'note', text: 'Secret' })
    const { data, state, after } = await guest.history()
    expect(said(data)).toEqual(['visitor: Do you ship to Norway?', 'person: Yes, in three days.'])
    expect(data[0]!.key).toBe(sent.key)
    expect(state).toMatchObject({ by: 'person', name: data[1]!.name, is_open: true, asked_for_person: false })
    expect((await guest.history(after!)).data).toEqual([])
  })

  test('the same message twice is one, also when both come at once', async () => {
    const guest = await open()
    const body = { key: 'the-very-same', text: 'Once' }
    const replies = await Promise.all([1, 2, 3].map(() => guest.post('/api/chat/messages', body)))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect((await guest.history()).data).toHaveLength(1)
  })

  test('what was seen is marked for the team', async () => {
    const guest = await open()
    await guest.say('Hello')
    const { id } = await latest()
    const { id: entry_id } = await answer(id, 'Seen?')
    await guest.post('/api/chat/seen', { until: new Date(clock.now()).toISOString() })
    const read = await api().get(`/api/conversations/${id}/messages/${entry_id}`)
    expect(read.body.opened_at).toBe(new Date(clock.now()).toISOString())
  })

  test('a long talk is given in pages', async () => {
    const guest = await open()
    await guest.say('0')
    const { id } = await latest()
    await inbox.app.database.query(
      `insert into conversation_entries (team_id, id, conversation_id, kind, channel, address, text, automatic, mentions, at, created_at)
       select team_id, lpad(to_hex(n), 24, '0'), conversation_id, kind, channel, address, n::text, false, mentions,
         at + n * interval '1 ms', created_at
       from conversation_entries, generate_series(1, $2::integer) as n where conversation_id = $1`,
      [id, CHAT_PAGE_MAX],
    )
    const first = await guest.history()
    expect(first.data).toHaveLength(CHAT_PAGE_MAX)
    expect((await guest.history(first.after!)).data.map(({ text }) => text)).toEqual([`${CHAT_PAGE_MAX}`])
    expect((await guest.get('/api/chat/messages?after=nonsense')).status).toBe(400)
  })

  test('the team links a visitor to a lead, and the talk continues there', async () => {
    const guest = await open()
    await guest.say('Hello')
    const stray = await latest()
    const lead = await inbox.lead()
    await api().patch(`/api/conversations/${stray.id}`, { lead_id: lead.id })
    clock.advance(1)
    await guest.say('Still me')
    expect(await inbox.of(lead.id)).toMatchObject({ last_text: 'Still me', channel: 'chat' })
    expect(said((await guest.history()).data)).toEqual(['visitor: Hello', 'visitor: Still me'])
  })
})

describe('the stream', () => {
  test('tells what is said as it is said, by whichever process, and nothing of others', async () => {
    const { sessionSecrets } = inbox.app.runtime.settings
    const other = await startApp({ clock, database: inbox.app.database, config: { sessionSecrets } })
    const [guest, stranger] = [await open(), await open()]
    await guest.say('Hello')
    const { id } = await latest()
    const stream = await guest.listen({ url: other.url })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.headers.get('access-control-allow-origin')).toBe('*')
    await eventually(() => expect(stream.texts()).toEqual(['Hello']))
    clock.advance(1)
    await stranger.say('Not for you')
    await answer(id, 'Hi there')
    await eventually(() => expect(stream.texts()).toEqual(['Hello', 'Hi there']))
    await eventually(() => expect(stream.of('state').at(-1)).toMatchObject({ by: 'person' }))
    await api().post(`/api/conversations/${id}/writing`)
    await eventually(() => expect(stream.of('writing')).toEqual([{ name: expect.any(String) }]))
    stream.leave()
    await other.close()
  })

  test('whoever comes back is told what was said meanwhile, each once', async () => {
    const guest = await open()
    await guest.say('One')
    const { id } = await latest()
    const stream = await guest.listen()
    await eventually(() => expect(stream.texts()).toEqual(['One']))
    const place = stream.messages.findLast(({ event }) => event === 'entry')!.id!
    stream.leave()
    clock.advance(10_000)
    await answer(id, 'Two')
    const { after } = await guest.history()
    const again = await guest.listen({ after: place })
    await eventually(() => expect(again.texts()).toContain('Two'))
    clock.advance(10_000)
    await answer(id, 'Three')
    await eventually(() => expect(again.texts().filter(text => text !== 'One')).toEqual(['Two', 'Three']))
    const lost = await guest.listen({ after: 'nonsense' })
    await eventually(() => expect(lost.messages.map(({ event }) => event)).toContain('reset'))
    expect(after).toEqual(expect.any(String))
  })

  test('nothing is lost that is said while it begins', async () => {
    const guest = await open()
    await guest.say('First')
    const { id } = await latest()
    const opening = guest.listen()
    const texts: string[] = []
    for (let n = 0; n < 10; n++) {
      await answer(id, `Answer ${n}`)
      texts.push(`Answer ${n}`)
    }
    const stream = await opening
    await eventually(() => expect(stream.texts()).toEqual(['First', ...texts]))
  })

  test('ends with the session', async () => {
    const widget = await widgetOf(inbox)
    const guest = await guestOf(inbox.app.url, widget)
    await guest.say('Hello')
    const { id } = await latest()
    const stream = await guest.listen()
    await eventually(() => expect(stream.of('state')).toHaveLength(1))
    await api().delete(`/api/chat/widgets/${widget.id}`)
    await answer(id, 'Anybody there?')
    await stream.ended
    expect(stream.texts()).toEqual(['Hello'])
  })
})

describe('who chats', () => {
  const questions = [
    { key: 'mail', type: 'email', label: 'Your email', required: true },
    { key: 'called', type: 'text', label: 'Your name' },
  ]
  const field_mapping = { mail: 'email', called: 'first_name' }

  test('becomes a lead by their answers, with where they came from', async () => {
    const beginning = { utm: { source: 'ad' }, answers: { mail: 'Eve@New.example', called: 'Eve' } }
    const guest = await open({ questions, field_mapping }, beginning)
    await guest.say('Hello')
    const { lead_id } = await latest()
    const { body } = await api().get(`/api/crm/leads/${lead_id}`)
    expect(body).toMatchObject({
      email: 'Eve@New.example',
      first_name: 'Eve',
      source: 'Chat: Shop',
      utm: { source: 'ad' },
    })
  })

  test('may answer later: what they said before is then the lead’s', async () => {
    const guest = await open({ questions: [], field_mapping: {} })
    await guest.say('Who I am comes later')
    expect((await latest()).lead_id).toBeNull()
    const later = await open({
      questions: [{ ...questions[0], required: false }],
      field_mapping: { mail: 'email' },
    })
    await later.say('Hello')
    const stray = await latest()
    const state = await later.patch('/api/chat/session', { answers: { mail: 'late@new.example' } })
    expect(state).toMatchObject({ status: 200, body: { email: 'late@new.example' } })
    const { body } = await api().get(`/api/conversations/${stray.id}`)
    expect(body.lead_id).not.toBeNull()
    expect(said((await later.history()).data)).toEqual(['visitor: Hello'])
  })

  test('is asked before the first message, in the words of each field', async () => {
    const widget = await widgetOf(inbox, { questions })
    const guest = await guestOf(inbox.app.url, widget)
    const early = await guest.post('/api/chat/messages', { key: 'too-early-to-say', text: 'Hello' })
    expect(early).toMatchObject({ status: 422, body: { errors: [{ path: 'answers.mail' }] } })
    const wrong = await guest.patch('/api/chat/session', { answers: { mail: 'no address' } })
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: 'answers.mail' }] } })
    await guest.patch('/api/chat/session', { answers: { mail: 'right@new.example' } })
    await guest.say('Hello')
  })

  test('claims to be somebody else and learns nothing of them: not their name, nor what they wrote', async () => {
    const lead = await inbox.lead({
      first_name: 'Grace',
      last_name: 'Secretname',
      email: 'grace@secret.example',
    })
    await inbox.hears('grace@secret.example', 'My private question')
    const before = await inbox.of(lead.id)
    await api().post(`/api/conversations/${before.id}/messages`, { kind: 'reply', text: 'A private answer' })
    const claim = { answers: { mail: 'grace@secret.example' } }
    const guest = await open({ questions, field_mapping }, claim)
    const stream = await guest.listen()
    await eventually(() => expect(stream.of('state')).toHaveLength(1))
    const first = await guest.say('What do you know about me?')
    clock.advance(1)
    // The team sees it under the lead.
    expect(await inbox.of(lead.id)).toMatchObject({ id: before.id, last_text: 'What do you know about me?' })
    await api().post(`/api/conversations/${before.id}/messages`, {
      kind: 'reply',
      channel: 'email',
      text: 'By email',
    })
    await inbox.hears('grace@secret.example', 'Another private question')
    await api().post(`/api/conversations/${before.id}/writing`)
    clock.advance(1)
    await answer(before.id, 'Only this')
    await eventually(() => expect(stream.texts()).toContain('Only this'))
    const told = [first, await guest.history(), stream.messages, (await guest.post('/api/chat/person')).body]
    expect(said((await guest.history()).data)).toEqual([
      'visitor: What do you know about me?',
      'person: Only this',
      expect.stringContaining('system: '),
    ])
    for (const secret of [
      'Grace',
      'Secretname',
      'private',
      'By email',
      lead.id,
      before.id,
      inbox.ada.team_id,
    ])
      expect(JSON.stringify(told)).not.toContain(secret)
    expect(stream.of('writing')).toEqual([])
    const kept = (await api().get(`/api/crm/leads/${lead.id}`)).body
    expect(kept).toMatchObject({ first_name: 'Grace', last_name: 'Secretname' })
  })
})

describe('an agent', () => {
  test('is seen writing, says that it is one, and answers from what it was told', async () => {
    const agent = await api().post('/api/voice/agents', {
      name: 'Robo',
      instructions: 'Help.',
      text: { ...DEFAULT_TEXT, facts: 'Delivery of a machine takes nine working days.' },
    })
    expect(agent.status, agent.text).toBe(201)
    const guest = await open({ agent_id: agent.body.id, agent_mode: 'auto' })
    const stream = await guest.listen()
    await guest.say('How long does the delivery of a machine take?')
    await inbox.pass(AGENT_WAIT_MS)
    await eventually(() => expect(stream.of('entry').map(({ by }) => by)).toEqual(['visitor', 'agent']))
    // It may be read after the answer that is there already.
    await eventually(() => expect(stream.of('writing')).toEqual([{ name: 'Robo' }]))
    expect(stream.texts()[1]).toMatch(/\bAI\b/)
    expect(stream.texts()[1]).toContain('nine working days')
    stream.leave()
  })

  test('names what it answered from; a person does not have to', async () => {
    const { browser } = inbox.ada
    const agent = await browser.post('/api/voice/agents', {
      name: 'Robo',
      instructions: 'Help.',
      text: { ...DEFAULT_TEXT, facts: 'The workshop in Leeds opens at seven.' },
    })
    await browser.post('/api/conversations/saved-replies', {
      name: 'Inspection plans',
      text: 'Every lift has an inspection interval of its own.',
    })
    const guest = await open({ agent_id: agent.body.id, agent_mode: 'auto' }, { language: 'de' })
    await guest.say('Which inspection interval does a lift have?')
    await inbox.pass(AGENT_WAIT_MS)
    await guest.say('When does the workshop in Leeds open?')
    await inbox.pass(AGENT_WAIT_MS)
    await answer((await latest()).id, 'Seven it is.')
    const { data } = await guest.history()
    const sources = data.filter(({ by }) => by !== 'visitor').map(({ by, sources }) => [by, sources])
    expect(sources).toEqual([
      ['agent', ['Inspection plans']],
      ['agent', ['unsere Angaben']],
      ['person', []],
    ])
  })

  test('answers from the first message, until the visitor wants a person', async () => {
    const agent = await api().post('/api/voice/agents', { name: 'Robo', instructions: 'x' })
    expect(agent.status, agent.text).toBe(201)
    const guest = await open({ agent_id: agent.body.id, agent_mode: 'auto' }, { language: 'de' })
    expect((await guest.history()).state).toMatchObject({ by: 'agent', name: 'Robo' })
    await guest.say('Hello')
    const conversation = await latest()
    expect(conversation).toMatchObject({ agent_id: agent.body.id, agent_mode: 'auto', state: 'OPEN' })
    await api().patch(`/api/conversations/${conversation.id}`, { state: 'CLOSED' })
    clock.advance(1)
    const asked = await guest.post('/api/chat/person')
    expect(asked).toMatchObject({ status: 200, body: { by: 'nobody', asked_for_person: true } })
    await guest.post('/api/chat/person')
    expect(await latest()).toMatchObject({ id: conversation.id, agent_mode: 'off', state: 'OPEN' })
    const { data } = await guest.history()
    expect(data.map(({ by }) => by)).toEqual(['visitor', 'system'])
    expect(data[1]!.text).toContain('Menschen')
    const thread = await inbox.thread(conversation.id)
    expect(thread[0]).toMatchObject({ author: { kind: 'system' }, text: 'Asked for a person' })
    const { body } = await api().get('/api/notifications')
    const told = body.data.filter(({ title }: any) => title === 'A visitor wants to talk to a person')
    expect(told).toHaveLength(1)
    const events = await inbox.app.database.query(
      `select data from events where type = 'chat.person_asked' and subject_id = $1`,
      [conversation.id],
    )
    expect(events).toHaveLength(1)
  })
})

test('the usual answer time is shown once the last weeks have enough answers', async () => {
  const other = await openInbox(clock)
  const widget = await widgetOf(other)
  const guest = await guestOf(other.app.url, widget)
  await guest.say('Hello')
  const { query } = other.app.database
  const told = async () => {
    const [{ state }, shown] = await Promise.all([guest.history(), guest.get(`/api/chat/${widget.id}`)])
    expect(shown.body.answers_within_min).toBe(state.answers_within_min)
    return state.answers_within_min
  }
  const answered = (count: number, minutes: number) =>
    query(
      `insert into conversation_answers (team_id, id, conversation_id, is_answer, is_first, waited_since, ended_at, open_sec, channel,
         author_kind)
       select team_id, lpad(to_hex(n + $3 * 1000), 24, 'e'), id, true, true, $1, $1, $3 * 60, 'chat', 'person'
       from conversations, generate_series(1, $2::integer) as n`,
      [new Date(clock.now()).toISOString(), count, minutes],
    )
  await answered(USUAL_ANSWERS_MIN - 2, 3)
  await answered(1, 60)
  expect(await told()).toBeNull()
  // Four of five within three minutes: told as five.
  await answered(1, 600)
  expect(await told()).toBe(5)
  await query('update conversation_answers set open_sec = 86400')
  expect(await told()).toBe(1_440)
  await query('update conversation_answers set open_sec = 86401')
  expect(await told()).toBeNull()
  await query(`update conversation_answers set open_sec = 30, author_kind = 'agent'`)
  expect(await told()).toBeNull()
  await query(`update conversation_answers set author_kind = 'person'`)
  expect(await told()).toBe(1)
  await query(`update conversation_answers set ended_at = ended_at - $1 * interval '24 hours'`, [USUAL_DAYS])
  expect(await told()).toBeNull()
  await other.close()
})

describe('a visitor who has left', () => {
  const email = { answers: { email: 'left@guest.example', name: 'Lena' } }

  test('gets by email what they have not seen: all of it, once', async () => {
    const guest = await open({}, email)
    await guest.say('I have to go')
    const { id } = await latest()
    await answer(id, 'First answer')
    await inbox.pass(UNSEEN_MS / 2)
    await answer(id, 'Second answer')
    expect(mails().filter(({ to }) => to === 'left@guest.example')).toEqual([])
    await inbox.pass(UNSEEN_MS / 2)
    await inbox.out()
    await inbox.pass(2 * UNSEEN_MS)
    await inbox.out()
    const sent = mails().filter(({ to }) => to === 'left@guest.example')
    expect(sent).toHaveLength(1)
    expect(sent[0]!.subject).toMatch(/^Your chat with /)
    expect(sent[0]!.text).toContain('First answer')
    expect(sent[0]!.text).toContain('Second answer')
    const conversation = await latest()
    expect(conversation).toMatchObject({ state: 'WAITING', channel: 'chat', last_text: 'Second answer' })
    expect(conversation.lead_id).not.toBeNull()
    // Their answer to it comes to the same conversation.
    await inbox.mail({ from: 'left@guest.example', answers: [`<${sent[0]!.message_id}>`], text: 'Thanks' })
    expect(await inbox.of(conversation.lead_id)).toMatchObject({
      id: conversation.id,
      state: 'OPEN',
      channel: 'email',
      last_text: 'Thanks',
    })
    expect((await guest.history()).data.map(({ text }) => text)).not.toContain('Thanks')
  })

  test('gets none for what they saw, nor while their page is open', async () => {
    const guest = await open({}, { answers: { email: 'here@guest.example' } })
    await guest.say('Hello')
    const { id } = await latest()
    await answer(id, 'Seen at once')
    await guest.post('/api/chat/seen', { until: new Date(clock.now()).toISOString() })
    await inbox.pass(UNSEEN_MS)
    await answer(id, 'Not looked at yet')
    clock.advance(UNSEEN_MS - 1_000)
    await guest.say('I am here')
    await inbox.pass(1_000)
    await inbox.out()
    const sent = () => mails().filter(({ to }) => to === 'here@guest.example')
    expect(sent()).toEqual([])
    await inbox.pass(2 * UNSEEN_MS)
    await inbox.out()
    expect(sent().map(({ text }) => text.includes('Seen at once'))).toEqual([false])
  })

  test('without an address nothing is sent, and it waits for them', async () => {
    const guest = await open()
    await guest.say('Hello')
    const { id } = await latest()
    const before = mails().length
    await answer(id, 'Where are you?')
    await inbox.pass(UNSEEN_MS)
    await inbox.out()
    expect(mails()).toHaveLength(before)
    expect((await guest.history()).data.at(-1)!.text).toBe('Where are you?')
  })

  test('to a suppressed address nothing is sent', async () => {
    const guest = await open({}, { answers: { email: 'stop@guest.example' } })
    await guest.say('Hello')
    const { id } = await latest()
    const listed = await api().post('/api/outreach/suppressions', { email: 'stop@guest.example' })
    expect(listed.status).toBe(201)
    await answer(id, 'Never sent')
    await inbox.pass(UNSEEN_MS)
    await inbox.out()
    expect(mails().filter(({ to }) => to === 'stop@guest.example')).toEqual([])
  })
})

describe('files', () => {
  const upload = (guest: Guest, bytes: string | Uint8Array<ArrayBuffer> = 'hello', type = 'text/plain') =>
    guest.raw('POST', '/api/chat/files', bytes, {
      'content-type': type,
      'content-disposition': `attachment; filename="hello.txt"`,
    })

  test('are sent with a message, and read by this visitor and the team only, as a download', async () => {
    const [guest, other] = [await open(), await open()]
    const { status, body: file } = await upload(guest)
    expect(status).toBe(201)
    expect(file).toEqual({ id: expect.any(String), name: 'hello.txt', type: 'text/plain', size: 5 })
    const stolen = await other.post('/api/chat/messages', {
      key: 'not-my-file',
      text: 'x',
      file_ids: [file.id],
    })
    expect(stolen).toMatchObject({ status: 422, body: { errors: [{ path: 'file_ids[0]' }] } })
    const entry = await guest.say('See', { file_ids: [file.id] })
    expect(entry.files).toEqual([file])
    const read = await guest.get(`/api/chat/files/${file.id}`)
    expect(read).toMatchObject({ status: 200, text: 'hello' })
    expect(read.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(read.headers.get('content-security-policy')).toContain('sandbox')
    expect((await other.get(`/api/chat/files/${file.id}`)).status).toBe(404)
    const { id } = await latest()
    const theirs = await api().raw('POST', '/api/files', 'answer', { 'content-type': 'text/plain' })
    clock.advance(1)
    expect((await guest.get(`/api/chat/files/${theirs.body.id}`)).status).toBe(404)
    await answer(id, 'Here', { file_ids: [theirs.body.id] })
    expect(await guest.get(`/api/chat/files/${theirs.body.id}`)).toMatchObject({
      status: 200,
      text: 'answer',
    })
    expect((await other.get(`/api/chat/files/${theirs.body.id}`)).status).toBe(404)
  })

  test('are of some types, of a size, and only where the widget takes them', async () => {
    const guest = await open()
    expect((await upload(guest, 'MZ', 'application/x-msdownload')).status).toBe(415)
    expect((await upload(guest, new Uint8Array(CHAT_FILE_BYTES_MAX), 'image/png')).status).toBe(201)
    expect((await upload(guest, new Uint8Array(CHAT_FILE_BYTES_MAX + 1), 'image/png')).status).toBe(413)
    expect((await upload(await open({ takes_files: false }))).status).toBe(403)
  })
})

test(`one session sends at most ${MESSAGES_PER_HOUR} messages an hour`, async () => {
  const limited = await openInbox(new FakeClock('2026-03-02T09:00:00Z'), { config: { rateLimit: true } })
  const guest = await guestOf(limited.app.url, await widgetOf(limited))
  await guest.say('The first')
  const [session] = await limited.app.database.query<{ id: string }>('select id from chat_sessions')
  for (let n = 2; n < MESSAGES_PER_HOUR; n++) await countMessage(limited.ada.ctx, session!.id)
  await guest.say('The last')
  const refused = await asGuest(limited.app.url, guest.token).post('/api/chat/messages', {
    key: 'one-too-many',
    text: 'More',
  })
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after')
  await limited.close()
})
