import { startDovecot } from '#test/dovecot.ts'
import { startImapServer } from '#test/imap-server.ts'

/** Where a Dovecot of the tests keeps what was sent. */
const SENT_FOLDER = 'Gesendete Objekte'

/** A mailbox at a server of its own. */
export type Box = {
  port: number
  deliver(raw: string): Promise<void>
  /** The mails in the folder for sent ones; undefined where the server has no such folder. */
  sent(): Buffer[] | undefined
  close(): Promise<void>
}

/** A mailbox at that Dovecot, or at the server of the tests. */
export async function openBox(dovecot: string | undefined): Promise<Box> {
  if (!dovecot) return openTestBox()
  const server = await startDovecot(dovecot)
  return {
    port: server.port,
    deliver: raw => server.deliver(raw),
    sent: () => server.mailsIn(SENT_FOLDER).map(({ bytes }) => bytes),
    close: () => server.close(),
  }
}

async function openTestBox(): Promise<Box> {
  const server = await startImapServer({ idle: true })
  return {
    port: Number(new URL(server.url).port),
    deliver: async raw => void server.deliver(raw),
    sent: () => undefined,
    close: () => server.close(),
  }
}
