import { expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { DEFAULT_TEXT } from '#domains/agents/values.ts'
import { takeChat } from './chatting.ts'
import { CONVERSATIONS, DAY_MS, HOUR_MS, openInbox, told } from './conversations.harness.ts'
import { AGENT_WAIT_MS } from './values.ts'

test('a week with one lead is one thread, in order, with the right state and clock at each point', async () => {
  const clock = new FakeClock()
  const inbox = await openInbox(clock)
  const { browser, user_id } = inbox.ada
  try {
    await browser.patch(`${CONVERSATIONS}/settings`, {
      first_answer_min: 60,
      next_answer_min: 240,
      hours: [],
    })

    const text = { ...DEFAULT_TEXT, facts: 'Support is answered within two working hours.' }
    const ava = { name: 'Ava', instructions: 'Be kind.', text }
    const agent_id = (await browser.post('/api/voice/agents', ava)).body.id
    await browser.patch(`${CONVERSATIONS}/settings`, { agent_id, agent_mode: 'draft' })

    // Monday: a stranger writes, and becomes a lead.
    await inbox.mail({
      from: 'zoe@navy.example',
      from_name: 'Zoe Hopper',
      subject: 'Prices',
      message_id: '<mon@navy.example>',
    })
    const [stray] = (await browser.get(CONVERSATIONS)).body.data
    expect(stray).toMatchObject({ lead_id: null, state: 'OPEN', participants: [{ name: 'Zoe Hopper' }] })
    expect(Date.parse(stray.answer_due_at) - clock.now()).toBe(HOUR_MS)
    const lead = await inbox.lead({ first_name: 'Zoe', last_name: 'Hopper', email: 'zoe@navy.example' })
    await browser.patch(`${CONVERSATIONS}/${stray.id}`, { lead_id: lead.id })
    const steps = [{ type: 'task', delay_days: 30, description: 'Call' }]
    const sequence = (await browser.post('/api/outreach/sequences', { name: 'Spring', steps })).body
    const enrolled = await browser.post(`/api/outreach/sequences/${sequence.id}/enrolments`, {
      lead_ids: [lead.id],
    })
    const enrolment = async () =>
      (await browser.get(`/api/outreach/enrolments/${enrolled.body.data[0].id}`)).body

    // The agent drafts, and a person edits it: it goes out on Tuesday, and nobody is late meanwhile.
    const what = 'Hi {{firstName}}, what it costs: nothing.'
    await browser.post(`${CONVERSATIONS}/saved-replies`, { name: 'What it costs', text: what })
    await inbox.pass(AGENT_WAIT_MS)
    const draft = (await browser.get(`${CONVERSATIONS}/${stray.id}/draft`)).body
    expect(draft).toMatchObject({
      text: 'Hi Zoe, what it costs: nothing.',
      agent: { name: 'Ava' },
      model: 'rules-1',
    })
    expect(await inbox.of(lead.id)).toMatchObject({ state: 'OPEN', last_direction: 'in' })
    const messages = `${CONVERSATIONS}/${stray.id}/messages`
    const send_at = new Date(clock.now() + DAY_MS).toISOString()
    const edited = draft.text.replace('what it costs: nothing', 'it is free')
    await browser.post(messages, { kind: 'reply', text: edited, send_at })
    expect(await inbox.of(lead.id)).toMatchObject({ state: 'WAITING', answer_due_at: null })
    expect((await browser.get(`${CONVERSATIONS}/${stray.id}/draft`)).body).toMatchObject({ text: null })
    await inbox.pass(DAY_MS)
    const first = inbox.app.mail.lastTo(lead.email)!
    expect(first).toMatchObject({
      subject: 'Re: Prices',
      text: 'Hi Zoe, it is free.',
      thread: ['<mon@navy.example>'],
    })
    expect(await enrolment()).toMatchObject({ stop_reason: null })

    // Wednesday: the lead answers, and the sequence stops.
    await inbox.pass(DAY_MS)
    await inbox.mail({
      from: lead.email,
      answers: [first.message_id],
      subject: 'Re: Prices',
      text: 'And with support?',
    })
    const open = await inbox.of(lead.id)
    expect(open).toMatchObject({ id: stray.id, state: 'OPEN', last_text: 'And with support?' })
    expect(Date.parse(open.answer_due_at!) - clock.now()).toBe(4 * HOUR_MS)
    expect(await enrolment()).toMatchObject({ status: 'CLOSED', stop_reason: 'replied' })

    // A text message, and one back by somebody who asks nothing of ours.
    await browser.post(messages, {
      kind: 'reply',
      channel: 'sms',
      text: 'Can I call you?',
      send_anyway: true,
    })
    await inbox.out()
    expect(inbox.ports.sms.lastTo(lead.phone)).toMatchObject({ text: 'Can I call you?' })
    await inbox.pass(HOUR_MS)
    await inbox.hears(lead.phone, 'Yes')
    expect(await inbox.of(lead.id)).toMatchObject({ channel: 'sms', state: 'OPEN', subject: 'Re: Prices' })

    // Thursday: a chat, which the agent answers until it is asked for a person. Then a call, a note, and done.
    await inbox.pass(DAY_MS)
    await browser.patch(`${CONVERSATIONS}/${stray.id}`, { state: 'CLOSED', agent_mode: 'auto' })
    const visitor = { address: `chat:${'a'.repeat(24)}`, lead_id: lead.id, name: null }
    const chats = async (text: string, key: string) => {
      await takeChat(inbox.ada.ctx, visitor, { text, key, file_ids: [] })
      await inbox.settled()
      await inbox.pass(AGENT_WAIT_MS)
    }
    await chats('How many hours until support answers?', '1')
    expect(await inbox.of(lead.id)).toMatchObject({ channel: 'chat', state: 'WAITING', answer_due_at: null })
    await inbox.pass(HOUR_MS)
    await chats('Can I talk to a person?', '2')
    const taken = await inbox.of(lead.id)
    expect(taken).toMatchObject({ state: 'OPEN', agent_mode: 'off', subject: 'Re: Prices' })
    expect(Date.parse(taken.answer_due_at!) - clock.now()).toBe(4 * HOUR_MS - AGENT_WAIT_MS)
    const { data: notices } = (await browser.get('/api/notifications')).body
    expect(notices.map(({ title }: { title: string }) => title)).toContain('Ava handed over Zoe Hopper')
    const call = { lead_id: lead.id, status: 'ENDED', duration_sec: 300, summary: 'She buys.' }
    expect((await browser.post('/api/voice/calls', call)).status).toBe(201)
    await inbox.pass(HOUR_MS)
    await browser.post(messages, { kind: 'note', text: 'Send the contract', mentions: [user_id] })
    await browser.patch(`${CONVERSATIONS}/${stray.id}`, { state: 'CLOSED' })
    expect(await inbox.of(lead.id)).toMatchObject({ state: 'CLOSED', answer_due_at: null, overdue_at: null })

    expect(told(await inbox.thread(stray.id))).toEqual([
      'message in email What does it cost?',
      'message out email SENT Hi Zoe, it is free.',
      'message in email And with support?',
      'message out sms SENT Can I call you?',
      'message in sms Yes',
      'message in chat How many hours until support answers?',
      'message out chat SENT I am Ava, an AI assistant of the team.\n\nSupport is answered within two working hours.',
      'message in chat Can I talk to a person?',
      'message out chat SENT I am handing this over to a person of the team. They will answer as soon as they can.',
      expect.stringContaining('note Ava handed over: They asked for a person.'),
      'call out She buys.',
      'note Send the contract',
    ])
    const pages = []
    for (let cursor = ''; cursor !== null;) {
      const { data, next_cursor } = (await browser.get(`${messages}?limit=2${cursor && `&cursor=${cursor}`}`))
        .body
      pages.push(...data)
      cursor = next_cursor
    }
    expect(pages).toEqual(await inbox.thread(stray.id))
    // Only the text message was left without an answer for longer than four hours.
    const late = await inbox.app.database.query(`select data from events where type = 'conversation.waiting'`)
    expect(late).toMatchObject([{ data: { channel: 'sms', text: 'Yes' } }])
  } finally {
    await inbox.close()
  }
})
