import type { FetchQueryObject, ImapFlow, SearchObject } from 'imapflow'
import type { MailboxPlace } from '#platform/ports/mailbox.ts'

const MIB = 1024 * 1024
/** A file of 25 MiB is a mail of 34: larger ones servers do not take. */
const MAIL_BYTES_MAX = 40 * MIB
/** Of a mail beyond that its beginning, where the words are, will do. */
const BEGINNING_BYTES = 256 * 1024
/** What is fetched at once, and with it in memory; one mail always is. */
const READING_BYTES_MAX = 16 * MIB
export const ANSWER_BYTES_MAX = MAIL_BYTES_MAX + MIB
/**
 * When a mailbox renumbers its messages, emails within this time are read again: seeing a reply twice is
 * better than never.
 */
const RECOUNTED_DAYS = 7
const DAY_MS = 86_400_000
const DATES_AT_ONCE = 500

/** `cut`: it is only the beginning of a mail that is too large. */
export type RawMail = { raw: Uint8Array<ArrayBuffer>; at: Date; cut?: boolean }

export type FetchLimits = { mailBytes?: number; readingBytes?: number }

/**
 * The mails of the open folder after that place or time, oldest first; without either, none. `more`: there are others
 * after that place already.
 */
export async function fetchAfter(
  client: ImapFlow,
  from: MailboxPlace | { since: string } | undefined,
  limit: number,
  limits: FetchLimits = {},
): Promise<{ found: RawMail[]; place: MailboxPlace; more: boolean }> {
  const { mailbox } = client
  if (!mailbox) throw new Error('the mailbox is not open')
  const uid_validity = String(mailbox.uidValidity)
  // Not every server says what comes next; the last that is there tells as much.
  const end = mailbox.uidNext ? mailbox.uidNext - 1 : ((await uidsAfter(client, 0)).at(-1) ?? 0)
  const start = await startOf(client, from, { uid_validity, uid: end })
  const uids = start < end ? await uidsAfter(client, start) : []
  const { found, last } = await fetchMails(client, uids.slice(0, limit), limits)
  const uid = last ?? start
  return { found, place: { uid_validity, uid }, more: uids.some(next => next > uid) }
}

async function startOf(
  client: ImapFlow,
  from: MailboxPlace | { since: string } | undefined,
  end: MailboxPlace,
): Promise<number> {
  if (!from) return end.uid
  if (!('uid' in from)) return before(client, new Date(from.since), end.uid)
  if (from.uid_validity === end.uid_validity) return from.uid
  return before(client, new Date(Date.now() - RECOUNTED_DAYS * DAY_MS), end.uid)
}

/** The place before the first mail that came since then. */
async function before(client: ImapFlow, since: Date, end: number): Promise<number> {
  // Servers count in days, of their own zone.
  const uids = await search(client, { since: new Date(since.getTime() - DAY_MS) })
  for (let at = 0; at < uids.length; at += DATES_AT_ONCE) {
    const listed = await list(client, uids.slice(at, at + DATES_AT_ONCE))
    const first = listed.find(mail => mail.at >= since)
    if (first) return first.uid - 1
  }
  return end
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

/** As many of them as may be in memory together; `last` is the last one that was dealt with, also if it is gone. */
async function fetchMails(client: ImapFlow, uids: number[], limits: FetchLimits) {
  const { mailBytes = MAIL_BYTES_MAX, readingBytes = READING_BYTES_MAX } = limits
  if (uids.length === 0) return { found: [], last: undefined }
  const whole: number[] = []
  const cut: number[] = []
  let bytes = 0
  let last = uids.at(-1)!
  for (const { uid, size } of await list(client, uids)) {
    const isCut = size > mailBytes
    bytes += isCut ? BEGINNING_BYTES : size
    if (bytes > readingBytes && whole.length + cut.length > 0) {
      last = uid - 1
      break
    }
    ;(isCut ? cut : whole).push(uid)
  }
  const found = [
    ...(await fetchSources(client, whole, mailBytes)),
    ...(await fetchSources(client, cut, BEGINNING_BYTES)).map(mail => ({ ...mail, cut: true })),
  ].toSorted((a, b) => a.uid - b.uid)
  return { found: found.map(({ uid: _, ...mail }) => mail), last }
}

async function list(client: ImapFlow, uids: number[]): Promise<{ uid: number; size: number; at: Date }[]> {
  const listed: { uid: number; size: number; at: Date }[] = []
  const asked: FetchQueryObject = { uid: true, size: true, internalDate: true }
  for await (const { uid, size = 0, internalDate } of client.fetch(uids, asked, { uid: true }))
    listed.push({ uid, size, at: dateOf(internalDate) })
  return listed.toSorted((a, b) => a.uid - b.uid)
}

async function fetchSources(client: ImapFlow, uids: number[], maxLength: number) {
  const found: (RawMail & { uid: number })[] = []
  if (uids.length === 0) return found
  const asked: FetchQueryObject = { uid: true, internalDate: true, source: { maxLength } }
  for await (const { uid, source, internalDate } of client.fetch(uids, asked, { uid: true }))
    if (source) found.push({ uid, raw: owned(source), at: dateOf(internalDate) })
  return found
}

/** With memory of its own, so that it can be handed to a thread. */
function owned(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const alone = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
  return alone ? new Uint8Array(bytes.buffer as ArrayBuffer) : new Uint8Array(bytes)
}

function dateOf(value: Date | string | undefined): Date {
  const date = new Date(value ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? new Date() : date
}
