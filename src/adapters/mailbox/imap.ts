import type { ImapFlow } from 'imapflow'
import type { Mailbox } from '#platform/ports/mailbox.ts'
import { fetchAfter, type FetchLimits } from './fetch.ts'
import { readMails } from './reader.ts'
import { visit, type Account, type MailboxLimits } from './session.ts'

/** Where replies arrive. Each reading has a connection of its own and changes nothing: mails stay unread. */
export function openMailbox({ url }: { url: string }, limits: MailboxLimits & FetchLimits = {}): Mailbox {
  const account = accountOf(url)
  const clients = new Set<ImapFlow>()

  async function reach<Result>(work: (client: ImapFlow) => Promise<Result>): Promise<Result> {
    try {
      return await visit(account, limits, work, clients)
    } catch (error) {
      // oxlint-disable-next-line preserve-caught-error -- it has words only, and they are here
      throw new Error(`${account.host} cannot be read: ${(error as Error).message}`)
    }
  }

  return {
    kind: 'imap',
    async read(from, limit) {
      const { found, place, more } = await reach(client => fetchAfter(client, from, limit, limits))
      // Once the connection is closed: reading hard mails takes a while, and the server need not wait for it.
      return { mails: await readMails(found), place, more }
    },
    check: () => reach(async () => {}),
    async close() {
      for (const client of clients) client.close()
    },
  }
}

function accountOf(url: string): Account & { folder: string } {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const secure = protocol === 'imaps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    // Without TLS it is this machine, whose certificates nobody vouches for.
    security: secure ? 'tls' : 'none',
    username: decodeURIComponent(username),
    secret: { kind: 'password', password: decodeURIComponent(password) },
    folder: decodeURIComponent(pathname.replace(/^\//, '')) || 'INBOX',
  }
}
