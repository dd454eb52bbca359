import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { CONVERSATIONS } from '#domains/conversations/conversations.harness.ts'
import { takeMessage } from '#domains/conversations/receive.ts'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { hold, release } from '#platform/hold.ts'
import { MailUncertain } from '#platform/ports/mail.ts'
import type { IncomingFile } from '#platform/ports/mailbox.ts'
import type { Storage } from '#platform/ports/storage.ts'
import { eventually } from '#test/eventually.ts'
import { incomingMail } from '#test/incoming-mail.ts'
import { openPostRoom, type PostRoom } from './mailboxes.harness.ts'

const MINUTE_MS = 60_000
const clock = new FakeClock('2026-03-02T09:00:00.000Z')
let room: PostRoom
let put: Storage['put']
let n = 0
const fresh = (name = 'box') => `${name}${++n}@team.example`
const file: IncomingFile = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('A'), content_id: null }

beforeAll(async () => {
  room = await openPostRoom(clock)
  put = room.ports.storage.put
})
beforeEach(() => void clock.advance(MINUTE_MS))
afterEach(() => {
  room.ports.storage.put = put
})
afterAll(() => room.close())

const now = () => new Date(clock.now()).toISOString()

test('an email whose file cannot be stored just now is taken once it can', async () => {
  const { storage } = room.ports
  const address = fresh()
  await room.connect(address)
  const lead = await room.lead()
  storage.put = () => Promise.reject(new Error('no space left on the device'))
  room.ports.mailboxServers.deliver(
    address,
    incomingMail({ from: lead.email, at: now(), files: [file], message_id: '<full@x>' }),
  )
  await eventually(async () => {
    const failed = await room.app.database.query(
      `select from jobs where kind = 'mailboxes.read' and last_error like 'Files cannot be%'`,
    )
    expect(failed).toHaveLength(1)
  })
  storage.put = put
  await room.pass(10 * MINUTE_MS)
  const thread = await room.thread((await room.of(lead.id)).id)
  expect(thread).toMatchObject([{ text: 'What does it cost?', files: [{ name: 'a.txt', size: 1 }] }])
})

test('an email that comes after a mailbox was connected and before it was first read is new', async () => {
  const address = fresh()
  const lead = await room.lead()
  const ctx = systemContext(room.app.runtime)
  // In the middle of a second.
  clock.advance(700)
  await hold(ctx)
  const login = { host: 'mail.example.test', port: 993, security: 'tls' as const }
  await room.ada.browser.post('/api/mailboxes', {
    shared: true,
    address,
    password: 'secret',
    imap: login,
    smtp: login,
    import_days: 0,
  })
  const mails = room.ports.mailboxServers.at(address).mails
  const before = new Date(clock.now() - MINUTE_MS).toISOString()
  mails.push(incomingMail({ from: lead.email, at: before, text: 'Long ago', message_id: '<before@x>' }))
  // Servers say when it came to the second.
  const at = `${now().slice(0, 19)}.000Z`
  mails.push(incomingMail({ from: lead.email, at, text: 'Just now', message_id: '<after@x>' }))
  await release(ctx)
  await room.pass(3 * MINUTE_MS)
  const conversation = await room.of(lead.id)
  expect(conversation).toMatchObject({ state: 'OPEN' })
  expect(await room.thread(conversation.id)).toMatchObject([{ text: 'Just now' }])
})

test('an email that comes to a private and to a shared mailbox at once is public', async () => {
  const { storage } = room.ports
  const [own, shared] = [fresh(), fresh()]
  await room.connect(own, { shared: false, visibility: 'owner' })
  await room.connect(shared)
  const lead = await room.lead()
  const mail = incomingMail({ from: lead.email, at: now(), files: [file], message_id: '<both@x>' })
  // The shared mailbox is read first, and is slow to store the file.
  const { promise: slow, resolve: goOn } = Promise.withResolvers<void>()
  let isStoring = false
  storage.put = async (...given) => {
    if (!isStoring) {
      isStoring = true
      await slow
    }
    await put(...given)
  }
  room.ports.mailboxServers.deliver(shared, mail)
  await eventually(() => expect(isStoring).toBe(true))
  room.ports.mailboxServers.deliver(own, mail)
  const entries = () =>
    room.app.database.query(`select private_to from conversation_entries where source_key = 'email <both@x>'`)
  await eventually(async () => expect(await entries()).toEqual([{ private_to: room.ada.user_id }]))
  goOn()
  await room.settled()
  expect(await entries()).toEqual([{ private_to: null }])
})

test('a stranger who writes several emails at once becomes one lead with one conversation', async () => {
  const address = fresh('sales')
  const { id } = await room.connect(address, { creates_leads: true })
  const mailbox = { id, private_to: null, owner_id: null, creates_leads: true }
  const strangers = Array.from({ length: 10 }, (_, at) => `many${at}@else.example`)
  const messages = strangers.flatMap(from =>
    [1, 2, 3].map(each => ({
      channel: 'email' as const,
      address: from,
      name: null,
      subject: `Mail ${each}`,
      text: 'Hello',
      answer_id: `<${each}.${from}>`,
      automatic: false,
      mailbox,
    })),
  )
  await Promise.all(messages.map(message => takeMessage(room.ada.ctx, message)))
  await room.settled()
  for (const from of strangers) {
    const { body: leads } = await room.ada.browser.get(`/api/crm/leads?q=${from}`)
    expect(leads.data).toHaveLength(1)
    const { body } = await room.ada.browser.get(`${CONVERSATIONS}?lead_id=${leads.data[0].id}`)
    expect(body.data).toHaveLength(1)
    expect(await room.thread(body.data[0].id)).toHaveLength(3)
  }
})

test('two different emails with one Message-ID that are taken at once are both there', async () => {
  const { id } = await room.connect(fresh())
  const mailbox = { id, private_to: null, owner_id: null, creates_leads: false }
  const taken = ['first', 'second'].map(fingerprint => {
    const mail = incomingMail({
      from: `${fingerprint}@same.example`,
      at: now(),
      text: fingerprint,
      fingerprint,
    })
    return takeMessage(room.ada.ctx, {
      channel: 'email',
      address: mail.from!,
      name: null,
      subject: 'Same',
      text: fingerprint,
      answer_id: '<same@x>',
      automatic: false,
      mail,
      mailbox,
    })
  })
  expect(await Promise.all(taken)).toEqual([true, true])
  const rows = await room.app.database.query(
    `select text from conversation_entries where subject = 'Same' order by text`,
  )
  expect(rows).toEqual([{ text: 'first' }, { text: 'second' }])
})

test('a reply that turns out to have been sent is filed then', async () => {
  const address = fresh()
  const mailbox = await room.connect(address)
  const lead = await room.lead()
  const account = room.ports.mailboxServers.at(address)
  account.faults.push(new MailUncertain('The server did not confirm that it accepted the email.'))
  const written = {
    channel: 'email',
    lead_id: lead.id,
    mailbox_id: mailbox.id,
    subject: 'Offer',
    text: 'Ten.',
  }
  const { body } = await room.ada.browser.post(CONVERSATIONS, written)
  await room.out()
  const [before] = await room.thread(body.id)
  expect(before).toMatchObject({ status: 'UNKNOWN' })
  expect(account.filed).toEqual([])
  const [row] = await room.app.database.query<{ message_id: string }>(
    `select message_id from messages where id = $1`,
    [before!.id],
  )
  await room.arrives(address, { from: lead.email, answers: [row!.message_id], text: 'Too much' })
  const thread = await room.thread(body.id)
  expect(thread.find(({ id }) => id === before!.id)).toMatchObject({ status: 'SENT' })
  expect(account.filed).toMatchObject([{ folder: 'Sent', mail: { message_id: row!.message_id } }])
})
