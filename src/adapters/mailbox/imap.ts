import { ImapFlow, type SearchObject } from 'imapflow'
import type { Mailbox, MailboxPlace } from '#platform/ports/mailbox.ts'
import { readMail, type RawMail } from './reader.ts'

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000
/** The whole of one reading: a server that trickles its answers is never silent. */
const READ_TIMEOUT_MS = 120_000
/** Of a mail with large files its beginning, where the words are, will do. */
const MAIL_BYTES_MAX = 256 * 1024
const ANSWER_BYTES_MAX = 2 * 1024 * 1024
/**
 * When a mailbox renumbers its messages, emails within this time are read again: seeing a reply twice is
 * better than never.
 */
const RECOUNTED_DAYS = 7
const DAY_MS = 86_400_000

export type MailboxLimits = { silenceMs?: number; readMs?: number }

/** Where replies arrive. Each reading has a connection of its own and changes nothing: mails stay unread. */
export function openMailbox({ url }: { url: string }, limits: MailboxLimits = {}): Mailbox {
  const account = accountOf(url)
  const clients = new Set<ImapFlow>()

  async function visit<Result>(work: (client: ImapFlow) => Promise<Result>): Promise<Result> {
    const client = newClient(account, limits)
    clients.add(client)
    const { readMs = READ_TIMEOUT_MS } = limits
    let late = false
    const timer = setTimeout(() => {
      late = true
      client.close()
    }, readMs)
    try {
      await client.connect()
      await client.mailboxOpen(account.folder, { readOnly: true })
      const result = await work(client)
      // What was read is read, also from a server that does not say goodbye.
      await client.logout().catch(() => {})
      return result
    } catch (error) {
      // The library's own errors can carry the command that failed, and with it a password: only words are taken.
      const reason = late ? `no response within ${readMs / 1_000} seconds` : reasonOf(error)
      // oxlint-disable-next-line preserve-caught-error
      throw new Error(`${account.host} cannot be read: ${reason}`)
    } finally {
      clearTimeout(timer)
      clients.delete(client)
      client.close()
    }
  }

  return {
    kind: 'imap',
    async read(from, limit) {
      const { found, place } = await visit(client => fetchAfter(client, from, limit))
      // Once the connection is closed: reading hard mails takes a while, and the server need not wait for it.
      const mails = []
      for (const raw of found) mails.push(await readMail(raw))
      return { mails: mails.filter(mail => mail !== undefined), place }
    },
    check: () => visit(async () => {}),
    async close() {
      for (const client of clients) client.close()
    },
  }
}

type Account = ReturnType<typeof accountOf>

function accountOf(url: string) {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const secure = protocol === 'imaps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
    folder: decodeURIComponent(pathname.replace(/^\//, '')) || 'INBOX',
  }
}

function newClient({ host, port, secure, user, pass }: Account, limits: MailboxLimits): ImapFlow {
  const { silenceMs = SILENCE_TIMEOUT_MS } = limits
  const client = new ImapFlow({
    host,
    port,
    secure,
    // Without TLS it is this machine, whose certificates nobody vouches for.
    ...(!secure && { doSTARTTLS: false }),
    auth: { user, pass },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, silenceMs),
    greetingTimeout: Math.min(CONNECT_TIMEOUT_MS, silenceMs),
    socketTimeout: silenceMs,
    maxLiteralSize: ANSWER_BYTES_MAX,
    maxLineLength: ANSWER_BYTES_MAX,
    maxResponseSize: 2 * ANSWER_BYTES_MAX,
  })
  // The call under way carries the error; without a listener it would end the process as well.
  client.on('error', () => {})
  return client
}

async function fetchAfter(client: ImapFlow, from: MailboxPlace | undefined, limit: number) {
  const { mailbox } = client
  if (!mailbox) throw new Error('the mailbox is not open')
  const uid_validity = String(mailbox.uidValidity)
  // Not every server says what comes next; the last that is there tells as much.
  const end = mailbox.uidNext ? mailbox.uidNext - 1 : ((await uidsAfter(client, 0)).at(-1) ?? 0)
  const start = !from ? end : from.uid_validity === uid_validity ? from.uid : await recounted(client, end)
  const uids = start < end ? await uidsAfter(client, start) : []
  const next = uids.slice(0, limit)
  const found = next.length > 0 ? await fetchMails(client, next) : []
  return { found, place: { uid_validity, uid: next.at(-1) ?? start } }
}

async function recounted(client: ImapFlow, end: number): Promise<number> {
  const since = new Date(Date.now() - RECOUNTED_DAYS * DAY_MS)
  const [first = end + 1] = await search(client, { since })
  return first - 1
}

/** A range to `*` always has the last mail in it, also one before its beginning. */
async function uidsAfter(client: ImapFlow, start: number): Promise<number[]> {
  const uids = await search(client, { uid: `${start + 1}:*` })
  return uids.filter(uid => uid > start)
}

/** The library says false where the server says no, or nothing: that is not the same as having found none. */
async function search(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const uids = await client.search(query, { uid: true })
  if (!uids) throw new Error('it did not list its messages')
  return uids.toSorted((a, b) => a - b)
}

async function fetchMails(client: ImapFlow, uids: number[]): Promise<RawMail[]> {
  const query = { uid: true, internalDate: true, source: { maxLength: MAIL_BYTES_MAX } }
  const found: { uid: number; mail: RawMail }[] = []
  for await (const { uid, source, internalDate } of client.fetch(uids, query, { uid: true })) {
    if (source) found.push({ uid, mail: { raw: source, at: dateOf(internalDate) } })
  }
  return found.toSorted((a, b) => a.uid - b.uid).map(({ mail }) => mail)
}

function dateOf(value: Date | string | undefined): Date {
  const date = new Date(value ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? new Date() : date
}

function reasonOf(error: unknown): string {
  const { authenticationFailed, responseText, code, message } = error as Error & {
    authenticationFailed?: boolean
    responseText?: string
    code?: string
  }
  if (authenticationFailed) return 'it rejected the user name or password'
  return responseText || message || code || String(error)
}
