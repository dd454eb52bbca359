import type { ImapFlow } from 'imapflow'
import type { Mail } from '#platform/ports/mail.ts'
import {
  MailboxRefused,
  MailboxUnavailable,
  type MailAccounts,
  type MailboxServers,
  type MailLogin,
} from '#platform/ports/mailbox.ts'
import { guardedLookup, OutboundError, type Outside } from '#platform/safe-fetch.ts'
import { fetchAfter, type FetchLimits } from './fetch.ts'
import { readMails } from './reader.ts'
import { visit, type Account, type MailboxLimits } from './session.ts'
import { watchInbox, type WatchLimits } from './watch.ts'

export type ServerLimits = MailboxLimits & FetchLimits & WatchLimits

/** Mailboxes at servers that people chose: neither this machine nor a private network is among them. */
export function openMailboxServers(
  outside: Outside,
  accounts: MailAccounts,
  limits: ServerLimits = {},
): MailboxServers {
  const clients = new Set<ImapFlow>()
  const watches = new Set<{ close(): void }>()
  const filing = new Map<string, Promise<void>>()

  async function reach<Result>(
    login: MailLogin,
    folder: string | undefined,
    work: (client: ImapFlow) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await visit(accountOf(outside, login, folder), limits, work, clients)
    } catch (error) {
      throw named(error as Error, login)
    }
  }

  return {
    async find(login) {
      const [folder, mail] = await Promise.allSettled([
        reach(login, 'INBOX', findSentFolder),
        accounts.check(login),
      ])
      if (folder.status === 'rejected') throw folder.reason
      if (mail.status === 'rejected') throw mail.reason
      return { sent_folder: folder.value }
    },
    async read(login, from, limit) {
      const fetched = await reach(login, 'INBOX', client => fetchAfter(client, from, limit, limits))
      const { found, place, more } = fetched
      return { mails: await readMails(found), place, more }
    },
    watch(login, news) {
      const watch = watchInbox(accountOf(outside, login, 'INBOX'), news, limits)
      watches.add(watch)
      void watch.ended.then(() => watches.delete(watch))
      return watch
    },
    async fileSent(login, folder, sender, mail) {
      const key = JSON.stringify([login.imap.host, login.username, folder, mail.message_id])
      // Twice at once, neither would find what the other is about to file.
      const before = filing.get(key) ?? Promise.resolve()
      const filed = before
        .catch(() => {})
        .then(async () => {
          const copy = await accounts.compose(mail, sender)
          await reach(login, undefined, client => fileOnce(client, folder, mail, copy))
        })
      filing.set(key, filed)
      try {
        await filed
      } finally {
        if (filing.get(key) === filed) filing.delete(key)
      }
    },
    mailer: accounts.mailer,
    async close() {
      for (const watch of watches) watch.close()
      for (const client of clients) client.close()
      await accounts.close()
    },
  }
}

function accountOf(outside: Outside, login: MailLogin, folder: string | undefined): Account {
  const { imap, username, secret } = login
  try {
    const lookup = guardedLookup(outside, imap.host)
    if (imap.security === 'none' && lookup) throw new OutboundError('failed', 'TLS is required.')
    return { ...imap, lookup, username, secret, ...(folder !== undefined && { folder }) }
  } catch (error) {
    throw named(error as Error, login)
  }
}

/** By what the server says it is for, else by its name. */
async function findSentFolder(client: ImapFlow): Promise<string | null> {
  const folders = await client.list()
  return folders.find(({ specialUse }) => specialUse === '\\Sent')?.path ?? null
}

async function fileOnce(client: ImapFlow, folder: string, mail: Mail, copy: Buffer): Promise<void> {
  await client.mailboxOpen(folder)
  const found = await client.search({ header: { 'message-id': mail.message_id } }, { uid: true })
  if (!found) throw new Error('it did not search its messages')
  if (found.length > 0) return
  const done = await client.append(folder, copy, ['\\Seen'], mail.date ?? new Date())
  if (!done) throw new Error('it did not take the copy of the email')
}

/** A sentence that says which server it is. */
function named(error: Error, { imap }: MailLogin): Error {
  const options = { server: 'imap' as const }
  const name = `The IMAP server ${imap.host}`
  if (error instanceof MailboxRefused)
    return new MailboxRefused(`${name} ${error.message.replace(/^it /, '')}`, options)
  if (error instanceof OutboundError || error instanceof MailboxUnavailable) {
    if (error instanceof MailboxUnavailable && error.server) return error
    return new MailboxUnavailable(`${name} cannot be used: ${error.message}`, options)
  }
  return error
}
