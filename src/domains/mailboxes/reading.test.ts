import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAll } from '#adapters/email/email.harness.ts'
import { ALLOWED, openServers, portOf, startSmtp } from '#adapters/mailbox/servers.harness.ts'
import { openInbox, type Inbox } from '#domains/conversations/conversations.harness.ts'
import { FakeClock } from '#platform/clock.ts'
import type { MailboxReading } from '#platform/ports/mailbox.ts'
import { eventually } from '#test/eventually.ts'
import { IMAP_PASSWORD, IMAP_USER, startImapServer, type ImapServer } from '#test/imap-server.ts'
import { testPorts } from '#test/ports.ts'

const READ_EVERY_MS = 2 * 60_000
/** More than two readings take. */
const MAILS = 120

const clock = new FakeClock()
const readings: MailboxReading[] = []
let imap: ImapServer
let inbox: Inbox

beforeAll(async () => {
  imap = await startImapServer()
  const smtp = await startSmtp()
  const servers = openServers()
  const mailboxServers = {
    ...servers,
    async read(...asked: Parameters<typeof servers.read>) {
      const reading = await servers.read(...asked)
      readings.push(reading)
      return reading
    },
  }
  const ports = { ...testPorts({ clock }), mailboxServers } as unknown as ReturnType<typeof testPorts>
  inbox = await openInbox(clock, { ports, config: ALLOWED })
  const at = (port: number) => ({ host: '127.0.0.1', port, security: 'none' })
  const reply = await inbox.ada.browser.post('/api/mailboxes', {
    shared: true,
    address: IMAP_USER,
    password: IMAP_PASSWORD,
    imap: at(portOf(imap.url)),
    smtp: at(smtp.port),
    import_days: 0,
  })
  expect(reply.status, reply.text).toBe(201)
  await inbox.settled()
})
afterAll(async () => {
  await inbox.close()
  await imap.close()
  await closeAll()
})

const read = () => readings.flatMap(({ mails }) => mails).length
const taken = async () =>
  (await inbox.app.database.query(`select from conversation_entries where kind = 'message'`)).length

test('however many emails come, each is read once, and all of them are there', async () => {
  const lead = await inbox.lead()
  const deliver = (n: number) =>
    imap.deliver(
      `From: ${lead.email}\r\nTo: ${IMAP_USER}\r\nSubject: Email ${n}\r\nMessage-ID: <${n}@navy.example>\r\n\r\nNumber ${n}\r\n`,
    )
  for (let n = 1; n <= MAILS; n++) deliver(n)
  await eventually(async () => expect(await taken()).toBe(MAILS), 60_000)
  await inbox.settled()
  deliver(MAILS + 1)
  // The watch tells of it, or else the regular reading finds it.
  clock.advance(READ_EVERY_MS)
  await eventually(async () => expect(await taken()).toBe(MAILS + 1))
  await inbox.settled()
  expect(read()).toBe(MAILS + 1)
})
