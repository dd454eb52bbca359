import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inOrder } from '#test/in-order.ts'
import { tell } from '#test/provider.ts'
import { incomingMail } from '#test/incoming-mail.ts'
import { leadConverted, meetingBooked } from './engagement.ts'
import { DAY_MS, email, HOUR_MS, READER, startOutreach, thrice, type Outreach } from './enrolments.harness.ts'

inOrder()

let outreach: Outreach
beforeAll(async () => {
  outreach = await startOutreach()
  // What is in the mailbox before it is read for the first time is nobody's reply.
  await cron('sync')
})
afterAll(() => outreach.close())
beforeEach(() => outreach.beginAgain())

describe('an enrolment ends on all channels', () => {
  async function sentOnce() {
    const id = await outreach.sequence(thrice)
    const enrolled = await outreach.enrol(id)
    await outreach.is(enrolled.id, { status: 'SENT', step_index: 1 })
    return enrolled
  }
  async function nothingMore({ id, email: to }: { id: string; email: string }) {
    outreach.clock.advance(30 * DAY_MS)
    await outreach.settle()
    expect(outreach.mailsTo(to)).toHaveLength(1)
    expect((await outreach.messagesOf(id)).map(({ channel }: { channel: string }) => channel)).toEqual([
      'email',
    ])
    expect((await outreach.read(id)).next_step_at).toBeNull()
  }
  const mailEvent = (type: string, messageId: string, data: object = {}) =>
    providerTells(type, { messageId, ...data })

  test('when the lead replies', async () => {
    const enrolled = await sentOnce()
    outreach.app.ports.mailbox.mails.push(
      incomingMail({
        from: enrolled.email,
        subject: 'Re: hello',
        text: 'Yes please',
        message_id: '<1@leads.example.test>',
        answers: [outreach.mailsTo(enrolled.email)[0]!.message_id],
        at: new Date(outreach.clock.now()).toISOString(),
        kind: 'reply',
      }),
    )
    await cron('sync')
    await outreach.is(enrolled.id, { status: 'CLOSED', stop_reason: 'replied' })
    expect((await outreach.read(enrolled.id)).replied_at).not.toBeNull()
    await nothingMore(enrolled)
  })

  test('but not when a machine answers for the lead', async () => {
    const enrolled = await sentOnce()
    outreach.app.ports.mailbox.mails.push(
      incomingMail({
        from: enrolled.email,
        subject: 'Out of office',
        text: 'I am away',
        message_id: '<2@leads.example.test>',
        answers: [outreach.mailsTo(enrolled.email)[0]!.message_id],
        at: new Date(outreach.clock.now()).toISOString(),
        kind: 'automatic',
      }),
    )
    await cron('sync')
    await outreach.settle()
    expect(await outreach.read(enrolled.id)).toMatchObject({ status: 'SENT', stop_reason: null })
  })

  test('when a mail bounces, also after a meeting was booked, and a hard bounce is remembered', async () => {
    const enrolled = await sentOnce()
    const { message_id } = outreach.mailsTo(enrolled.email)[0]!
    await mailEvent('email.bounced', message_id, { bounce: { type: 'Permanent', message: 'no such user' } })
    await outreach.is(enrolled.id, { status: 'CLOSED', stop_reason: 'bounced' })
    const { body } = await outreach.api.get(`/api/outreach/suppressions?q=${enrolled.email}`)
    expect(body.data).toMatchObject([{ reason: 'bounced' }])
    await nothingMore(enrolled)

    const booked = await sentOnceTo()
    await meetingBooked(outreach.ada.ctx, booked.lead_id)
    await outreach.is(booked.id, { status: 'MEETING_BOOKED', stop_reason: 'meeting_booked' })
    await mailEvent('email.bounced', booked.message_id, { bounce: { type: 'Transient', message: 'full' } })
    await outreach.is(booked.id, { status: 'CLOSED', stop_reason: 'bounced' })
    expect((await outreach.read(booked.id)).booked_at).not.toBeNull()
  })

  async function sentOnceTo() {
    outreach.app.mail.sent.splice(0)
    const enrolled = await sentOnce()
    return { ...enrolled, message_id: outreach.mailsTo(enrolled.email)[0]!.message_id }
  }

  test('when the lead complains: nothing more by mail or phone', async () => {
    const enrolled = await sentOnceTo()
    await mailEvent('email.complained', enrolled.message_id)
    await outreach.is(enrolled.id, { status: 'CLOSED', stop_reason: 'complained' })
    const { body } = await outreach.api.get('/api/outreach/suppressions?reason=complained')
    expect(body.data.map(({ channel }: { channel: string }) => channel).toSorted()).toEqual([
      'email',
      'phone',
    ])
    await nothingMore(enrolled)
  })

  test('when the lead unsubscribes, and by hand, and with the lead itself', async () => {
    const one = await sentOnceTo()
    await outreach.unsubscribe(one.email)
    await outreach.is(one.id, { status: 'CLOSED', stop_reason: 'unsubscribed' })
    await nothingMore(one)

    const two = await sentOnceTo()
    await outreach.api.post(`/api/outreach/enrolments/${two.id}/stop`)
    await outreach.is(two.id, { status: 'CLOSED', stop_reason: 'stopped' })
    await nothingMore(two)

    const three = await sentOnceTo()
    await outreach.api.delete(`/api/crm/leads/${three.lead_id}`)
    await outreach.is(three.id, { status: 'CLOSED', stop_reason: 'lead_trashed' })
    await nothingMore(three)
  })

  test('when the address is put on the list, wherever the lead is enrolled', async () => {
    const one = await sentOnceTo()
    const other = await outreach.sequence([email({ delay_days: 5 })])
    const also = await outreach.api.post(`/api/outreach/sequences/${other}/enrolments`, {
      lead_ids: [one.lead_id],
    })
    await outreach.api.post('/api/outreach/suppressions', { email: one.email })
    await outreach.is(one.id, { stop_reason: 'suppressed' })
    await outreach.is(also.body.data[0].id, { stop_reason: 'suppressed' })
    await nothingMore(one)
  })

  test('and payment is the best end, whatever came before', async () => {
    const one = await sentOnceTo()
    await outreach.api.post(`/api/outreach/enrolments/${one.id}/stop`)
    await leadConverted(outreach.ada.ctx, one.lead_id)
    expect(await outreach.read(one.id)).toMatchObject({ status: 'CONVERTED', stop_reason: 'converted' })
    await mailEvent('email.opened', one.message_id)
    await outreach.settle()
    expect(await outreach.read(one.id)).toMatchObject({ status: 'CONVERTED' })
  })
})

describe('statuses', () => {
  test('an open reported before the send is recorded counts, and stays', async () => {
    const { app, sequence, enrol, is, read, settle } = outreach
    const held = Promise.withResolvers<void>()
    const handed = Promise.withResolvers<string>()
    const send = app.mail.send
    app.mail.send = async (mail, handover) => {
      const sent = await send(mail, handover)
      handed.resolve(mail.message_id)
      await held.promise
      return sent
    }
    const id = await sequence([email(), email({ delay_days: 2, condition: '!opened' })])
    const enrolled = await enrol(id)
    const messageId = await handed.promise
    app.mail.send = send
    await providerTells('email.opened', { messageId, userAgent: READER })
    await is(enrolled.id, { status: 'OPENED' }).finally(held.resolve)
    await is(enrolled.id, { step_index: 1 })
    await settle()
    expect(await read(enrolled.id)).toMatchObject({ status: 'OPENED' })
  })

  test("a machine's open is no open: the next mail goes out", async () => {
    const { clock, sequence, enrol, is, open, mailsTo } = outreach
    const id = await sequence([email(), email({ delay_days: 2, condition: '!opened' })])
    const enrolled = await enrol(id)
    await is(enrolled.id, { step_index: 1 })
    clock.advance(HOUR_MS)
    await open(enrolled.email, 'Barracuda Sentinel (EE)')
    await is(enrolled.id, { status: 'SENT', opened_at: null })
    clock.advance(2 * DAY_MS)
    await is(enrolled.id, { stop_reason: 'finished' })
    expect(mailsTo(enrolled.email)).toHaveLength(2)
  })

  test('a click on the meeting link is distinguished from any other', async () => {
    const { api, ada, sequence, enrol, is, mailsTo, app, clock } = outreach
    await ada.browser.patch('/api/outreach/settings', { meeting_url: 'https://meet.example.test/ada' })
    await api.post('/api/outreach/templates', {
      name: 'links',
      subject: 'Links',
      body: 'Read [this](https://example.test/a) or [meet](https://meet.example.test/ada)',
    })
    const id = await sequence([email({ template: 'links' }), email({ delay_days: 9 })])
    const enrolled = await enrol(id)
    await is(enrolled.id, { step_index: 1 })
    const [plain, meeting] = [...mailsTo(enrolled.email)[0]!.html.matchAll(/href="([^"]+\/t\/c\/[^"]+)"/g)]
    const follow = (url: string) =>
      fetch(url.replace(/^https?:\/\/[^/]+/, app.url), {
        redirect: 'manual',
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
      })
    clock.advance(HOUR_MS)
    expect((await follow(plain![1]!)).headers.get('location')).toBe('https://example.test/a')
    await is(enrolled.id, { status: 'OPENED' })
    clock.advance(HOUR_MS)
    expect((await follow(meeting![1]!)).headers.get('location')).toBe('https://meet.example.test/ada')
    await is(enrolled.id, { status: 'MEETING_LINK_CLICKED' })
    await ada.browser.patch('/api/outreach/settings', { meeting_url: null })
  })
})

async function providerTells(type: string, data: object): Promise<void> {
  const at = new Date(outreach.clock.now())
  expect(await tell(outreach.app.url, 'email', { type, data }, { at })).toMatchObject({ status: 200 })
}

async function cron(job: string) {
  const answer = await fetch(`${outreach.app.url}/api/cron/${job}`, {
    method: 'POST',
    headers: { authorization: 'Bearer cron-secret-of-the-tests' },
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { status: string; processed: Record<string, number> }
}
