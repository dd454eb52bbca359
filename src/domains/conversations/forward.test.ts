import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { CONVERSATIONS, openInbox, type Inbox } from './conversations.harness.ts'

const clock = new FakeClock()
let inbox: Inbox
beforeAll(async () => {
  inbox = await openInbox(clock)
})
afterAll(() => inbox.close())

/** An email from a lead, with a file and a page. */
async function received() {
  const lead = await inbox.lead()
  await inbox.mail({
    from: lead.email,
    from_name: 'Grace',
    subject: 'Plans',
    text: 'See the plans.',
    whole: 'See the plans.\n\n> Which plans?',
    html: '<html><head><style>p{}</style></head><body onload="x()"><p>See the <b>plans</b>.</p><script>x()</script></body></html>',
    files: [{ name: 'plans.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF'), content_id: null }],
  })
  const { id } = await inbox.of(lead.id)
  const [entry] = await inbox.thread(id)
  return { lead, id, entry: entry!, path: `${CONVERSATIONS}/${id}/messages` }
}

test('an email is passed on with its head, its text and its files, and nobody has been answered', async () => {
  const { id, entry, path } = await received()
  const before = await inbox.ada.browser.get(`${CONVERSATIONS}/${id}`)
  const sent = await inbox.ada.browser.post(path, {
    kind: 'forward',
    to: 'otto@works.example',
    message_id: entry.id,
    text: 'Otto, can we build this? {{firstName}}',
  })
  expect(sent).toMatchObject({
    status: 201,
    body: { direction: 'out', subject: 'Fwd: Plans', is_forward: true, address: 'otto@works.example' },
  })
  await inbox.out()
  const mail = inbox.app.mail.lastTo('otto@works.example')!
  expect(mail.text).toContain('Otto, can we build this? {{firstName}}')
  expect(mail.text).toContain('From: Grace <')
  expect(mail.text).toContain('> Which plans?')
  expect(mail.html).toContain('See the <b>plans</b>')
  expect(mail.html).not.toContain('<script')
  expect(mail.html.match(/<body/g)).toHaveLength(1)
  expect(mail.attachments).toMatchObject([{ name: 'plans.pdf', type: 'application/pdf' }])
  expect(mail.thread ?? []).toEqual([])
  const after = await inbox.ada.browser.get(`${CONVERSATIONS}/${id}`)
  for (const name of ['state', 'answer_due_at', 'last_text', 'last_direction'])
    expect(after.body[name]).toEqual(before.body[name])
  expect(after.body.state).toBe('OPEN')
})

test('what comes back is from somebody else: the lead has not answered, and their thread stays theirs', async () => {
  const { id, entry, path, lead } = await received()
  const forward = { kind: 'forward', to: 'otto@works.example', message_id: entry.id, text: 'Well?' }
  await inbox.ada.browser.post(path, forward)
  await inbox.out()
  const { message_id } = inbox.app.mail.lastTo('otto@works.example')!
  const count = (await inbox.thread(id)).length
  await inbox.mail({
    from: 'otto@works.example',
    answers: [message_id],
    subject: 'Re: Fwd: Plans',
    text: 'Yes',
  })
  expect(await inbox.thread(id)).toHaveLength(count)
  const told = await inbox.app.database.query(
    `select type from events where lead_id = $1 and type = 'email.replied'`,
    [lead.id],
  )
  expect(told).toEqual([])
  const { body } = await inbox.ada.browser.get(`${CONVERSATIONS}?q=otto@works.example`)
  expect(body.data).toMatchObject([{ lead_id: null, last_text: 'Yes' }])

  // And an answer to the lead goes on with the lead's email.
  const { body: reply } = await inbox.ada.browser.post(path, { kind: 'reply', text: 'We can.' })
  expect(reply.is_forward).toBe(false)
  await inbox.out()
  const answer = inbox.app.mail.lastTo(lead.email)!
  expect(answer.thread!.at(-1)).not.toContain(message_id)
})

test('it can be taken back, and is refused where it cannot go', async () => {
  const { entry, path } = await received()
  const forward = { kind: 'forward', to: 'nobody@works.example', message_id: entry.id, text: 'Well?' }
  const { body } = await inbox.ada.browser.post(path, forward)
  expect((await inbox.ada.browser.post(`${path}/${body.id}/cancel`)).body.status).toBe('CANCELLED')
  await inbox.out()
  expect(inbox.app.mail.lastTo('nobody@works.example')).toBeUndefined()

  await inbox.ada.browser.post('/api/outreach/suppressions', { email: 'nobody@works.example' })
  expect(await inbox.ada.browser.post(path, forward)).toMatchObject({
    status: 409,
    body: { code: 'suppressed' },
  })
  const paths = async (wrong: object) => {
    const reply = await inbox.ada.browser.post(path, { ...forward, ...wrong })
    expect(reply.status).toBe(422)
    return reply.body.errors.map((error: { path: string }) => error.path)
  }
  expect(await paths({ to: undefined })).toEqual(['to'])
  expect(await paths({ message_id: '0'.repeat(24) })).toEqual(['message_id'])
  expect(await paths({ subject: 'Mine' })).toEqual(['subject'])
  expect(await paths({ kind: 'reply' })).toEqual(['to', 'message_id'])
})

test('a stranger’s email is forwarded once it belongs to a lead', async () => {
  await inbox.mail({ from: 'stranger@else.example', text: 'Hello' })
  const { body } = await inbox.ada.browser.get(`${CONVERSATIONS}?q=stranger@else.example`)
  const [{ id }] = body.data
  const [entry] = await inbox.thread(id)
  const forward = { kind: 'forward', to: 'otto@works.example', message_id: entry!.id, text: 'Who?' }
  expect(await inbox.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, forward)).toMatchObject({
    status: 409,
    body: { code: 'no_lead' },
  })
})
