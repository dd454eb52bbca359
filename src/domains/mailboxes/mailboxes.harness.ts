import type { FakeClock } from '#platform/clock.ts'
import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { openInbox, type Inbox } from '#domains/conversations/conversations.harness.ts'
import { incomingMail } from '#test/incoming-mail.ts'
import type { Person } from '#test/app.ts'
import type { Mailbox } from './contract.ts'

export const MAILBOXES = '/api/mailboxes'

const server = (host: string, port: number) => ({ host, port, security: 'tls' as const })

/** A team with an Inbox, whose members connect mailboxes at servers of the tests. */
export type PostRoom = Inbox & {
  /** Connects a mailbox, and reads what it has. */
  connect(address: string, fields?: object, person?: Person): Promise<Mailbox>
  /** A mail arrives in a mailbox, and all that follows of it is done. */
  arrives(address: string, mail: Partial<IncomingMail> & { from: string }): Promise<void>
}

let mails = 0

export function newLogin(address: string, fields: object = {}) {
  return {
    shared: true,
    address,
    password: 'secret',
    imap: server('imap.example.test', 993),
    smtp: server('smtp.example.test', 465),
    import_days: 0,
    ...fields,
  }
}

export async function openPostRoom(clock: FakeClock): Promise<PostRoom> {
  const inbox = await openInbox(clock)
  const { ports, ada, settled } = inbox
  return {
    ...inbox,
    async connect(address, fields = {}, person = ada) {
      const reply = await person.browser.post(MAILBOXES, newLogin(address, fields))
      if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
      await settled()
      return reply.body
    },
    async arrives(address, mail) {
      const at = new Date(clock.now()).toISOString()
      ports.mailboxServers.deliver(
        address,
        incomingMail({ message_id: `<box.${++mails}@lead.example>`, at, ...mail }),
      )
      // The watch, or else the regular reading.
      await settled()
      clock.advance(READ_EVERY_MS)
      inbox.app.runtime.wakeWorker()
      await settled()
    },
  }
}

const READ_EVERY_MS = 2 * 60_000
