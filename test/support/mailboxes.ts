import { HeldBack, type Mail } from '#platform/ports/mail.ts'
import {
  MailboxRefused,
  MailboxUnavailable,
  type IncomingMail,
  type MailboxServers,
  type MailLogin,
  type MailSender,
} from '#platform/ports/mailbox.ts'
import { recordMail } from '../mails/recorder.ts'

const LANES = 3

/** What was handed over by a mailbox, or filed in it. */
export type LeftMail = { sender: MailSender; mail: Mail }

export type MemoryMailboxAccount = {
  /** Undefined: anything will do. */
  secret: string | undefined
  sent_folder: string | null
  /** What has arrived, oldest first: the first has the uid 1. */
  mails: IncomingMail[]
  sent: LeftMail[]
  filed: (LeftMail & { folder: string })[]
  /** A server that does not answer. */
  isDown: boolean
  /** Thrown by the next sends, one each, before anything is taken. */
  faults: Error[]
  /** Whom the server refuses while it takes the mail for others. */
  refuses: string[]
}

export type MemoryMailboxServers = MailboxServers & {
  /** The mailbox of that address, which comes with its first mention. */
  at(address: string): MemoryMailboxAccount
  /** Puts a mail into it, and tells whoever watches. */
  deliver(address: string, mail: IncomingMail): void
  /** Ends what watches it, as a server does that goes away. */
  hangUp(address: string): void
  /** How many watch it. */
  watching(address: string): number
}

type Watch = { address: string; news: () => void; end(): void }

/** Mailboxes that count from one, at servers that are only here. */
export function memoryMailboxServers(): MemoryMailboxServers {
  const accounts = new Map<string, MemoryMailboxAccount>()
  const watches = new Set<Watch>()

  function at(address: string): MemoryMailboxAccount {
    const key = address.toLowerCase()
    const account = accounts.get(key) ?? {
      secret: undefined,
      sent_folder: 'Sent',
      mails: [],
      sent: [],
      filed: [],
      isDown: false,
      faults: [],
      refuses: [],
    }
    accounts.set(key, account)
    return account
  }

  function signIn({ address, secret, imap, smtp }: MailLogin, server: 'imap' | 'smtp'): MemoryMailboxAccount {
    const account = at(address)
    const { host } = server === 'imap' ? imap : smtp
    const name = `The ${server.toUpperCase()} server ${host}`
    if (account.isDown)
      throw new MailboxUnavailable(`${name} cannot be used: connect ECONNREFUSED`, { server })
    const shown = secret.kind === 'password' ? secret.password : secret.token
    if (account.secret !== undefined && shown !== account.secret)
      throw new MailboxRefused(`${name} rejected the user name or password`, { server })
    return account
  }

  const watchesOf = (address: string) => [...watches].filter(watch => watch.address === address.toLowerCase())

  return {
    at,
    deliver(address, mail) {
      at(address).mails.push(mail)
      for (const { news } of watchesOf(address)) news()
    },
    hangUp(address) {
      for (const watch of watchesOf(address)) watch.end()
    },
    watching: address => watchesOf(address).length,
    async find(login) {
      const { sent_folder } = signIn(login, 'imap')
      signIn(login, 'smtp')
      return { sent_folder }
    },
    async read(login, from, limit) {
      const { mails } = signIn(login, 'imap')
      const start = startOf(mails, from)
      const found = mails.slice(start, start + limit)
      const uid = start + found.length
      return { mails: found, place: { uid_validity: '1', uid }, more: uid < mails.length }
    },
    watch({ address }, news) {
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      const watch = {
        address: address.toLowerCase(),
        news,
        end() {
          watches.delete(watch)
          resolve()
        },
      }
      if (at(address).isDown) watch.end()
      else {
        watches.add(watch)
        queueMicrotask(news)
      }
      return { ended, close: () => watch.end() }
    },
    async fileSent(login, folder, sender, mail) {
      const { filed } = signIn(login, 'imap')
      if (filed.some(copy => copy.folder === folder && copy.mail.message_id === mail.message_id)) return
      filed.push({ folder, sender, mail })
    },
    mailer: (login, sender) => ({
      kind: 'smtp',
      lanes: LANES,
      async send(mail, { mayGo = () => true } = {}) {
        const { faults, sent, refuses } = signIn(login, 'smtp')
        const fault = faults.shift()
        if (fault) throw fault
        if (!mayGo()) throw new HeldBack('The email was not sent')
        sent.push({ sender, mail })
        recordMail(mail)
        const all = [mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? [])]
        return { refused: all.filter(address => refuses.includes(address)) }
      },
      check: async () => void signIn(login, 'smtp'),
      close: async () => {},
    }),
    async close() {
      for (const watch of watches) watch.end()
    },
  }
}

function startOf(mails: readonly IncomingMail[], from: Parameters<MailboxServers['read']>[1]): number {
  if (!from) return mails.length
  if ('uid' in from) return from.uid
  const first = mails.findIndex(mail => mail.at >= from.since)
  return first < 0 ? mails.length : first
}
