import { addressParser, decodeWords, type Address } from 'postal-mime'
import type { MailAddress } from '#platform/ports/mailbox.ts'
import { bytesOf, plainText, textOfPart } from './mime-body.ts'
import { findHeader, readHeaders, type Header } from './mime-headers.ts'
import { readMime, type MimePart } from './mime.ts'
import { readTnef, type Tnef } from './tnef.ts'
import { withoutUuencoded } from './uuencode.ts'

const FILES_MAX = 50
const RECIPIENTS_MAX = 1_000
const ADDRESS_LENGTH_MAX = 320
const NAME_LENGTH_MAX = 250
const ADDRESSES_LENGTH_MAX = 1024 * 1024

/** What was written in one place, in one form or in both. */
export type Block = { text: string | null; html: string | null }

export type ParsedFile = {
  name: string | null
  type: string
  content_id: string | null
  bytes: Uint8Array<ArrayBuffer>
}

export type ParsedMail = {
  headers: readonly Header[]
  from: MailAddress | undefined
  to: MailAddress[]
  cc: MailAddress[]
  subject: string
  blocks: Block[]
  files: ParsedFile[]
  /** Every part that has no parts. */
  leaves: readonly MimePart[]
  /** What its reader should know of it, in sentences. */
  notes: string[]
}

/** A mail in its parts. `cut`: it is the beginning of a longer one. */
export function parseMail(raw: Buffer, { cut }: { cut: boolean }): ParsedMail {
  const { root, partial } = readMime(raw)
  const { headers } = root
  const found: Found = { files: [], leaves: [], notes: new Set(), spare: undefined, cut }
  const blocks = collect(root, found, false)
  if (cut) found.notes.add(FILES_CUT)
  const files = withoutSameInvites(found.files)
  if (files.length > FILES_MAX || partial) found.notes.add(FILES_MANY)
  return {
    headers,
    from: sendersIn(headers)[0],
    to: addressesIn(headers, 'to').slice(0, RECIPIENTS_MAX),
    cc: addressesIn(headers, 'cc').slice(0, RECIPIENTS_MAX),
    subject: decodeWords(findHeader(headers, 'subject') ?? ''),
    blocks: withSpare(blocks, found),
    files: files.slice(0, FILES_MAX).map(({ read, ...file }) => ({ ...file, bytes: read() })),
    leaves: found.leaves,
    notes: [...found.notes],
  }
}

const FILES_CUT = 'Files of this email were too large and were left in the mailbox.'
const FILES_MANY = `Only the first ${FILES_MAX} files of this email are shown. The others are in the mailbox.`
const ENCRYPTED = 'This email is encrypted. Its content is in the attached file.'
const SIGNED = 'This email is signed in a way that hides its text. Its content is in the attached file.'

/** The plain text, as far as somebody wrote one. */
export function textOfBlocks(blocks: readonly Block[]): string {
  return blocks.flatMap(({ text }) => (text === null ? [] : [text])).join('\n')
}

type FoundFile = Omit<ParsedFile, 'bytes'> & { read(): Uint8Array<ArrayBuffer> }

type Found = {
  files: FoundFile[]
  leaves: MimePart[]
  notes: Set<string>
  /** The words in a container, which are usually beside it as well. */
  spare: Tnef | undefined
  cut: boolean
}

function collect(part: MimePart, found: Found, isReport: boolean): Block[] {
  const { type } = part.type
  if (part.children.length > 0) {
    if (type === 'multipart/encrypted') found.notes.add(ENCRYPTED)
    const inReport = isReport || type === 'multipart/report'
    const blocks = part.children.map(child => collect(child, found, inReport))
    return type === 'multipart/alternative' ? bestOf(blocks) : blocks.flat()
  }
  const isFirst = found.leaves.push(part) === 1
  if (isWords(part, isFirst)) return blocksOf(part, found)
  if (!(isReport && MACHINE_TYPES.includes(type)) && !UNSEEN_TYPES.includes(type)) takeFile(part, found)
  return []
}

/** What machines tell each other. */
const MACHINE_TYPES = [
  'message/delivery-status',
  'message/global-delivery-status',
  'message/disposition-notification',
  'message/global-disposition-notification',
  'message/feedback-report',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global-headers',
]
/** Other forms of the same words, and the version that goes with what is encrypted. */
const UNSEEN_TYPES = ['text/x-amp-html', 'text/watch-html', 'application/pgp-encrypted']
const FILE_TEXT_TYPES =
  /^text\/(?:calendar|csv|directory|rtf|vcard|x-vcard|xml|css|javascript|rfc822-headers)$/

function isWords({ type: { type, params }, disposition }: MimePart, isFirst: boolean): boolean {
  if (disposition.type === 'attachment' || UNSEEN_TYPES.includes(type)) return false
  const isNamed = (disposition.params['filename'] ?? params['name']) !== undefined
  // A type that is none is that of plain text (RFC 2045).
  if (!type.includes('/')) return !isNamed
  return type.startsWith('text/') && !FILE_TEXT_TYPES.test(type) && (isFirst || !isNamed)
}

function blocksOf(part: MimePart, found: Found): Block[] {
  const words = textOfPart(part)
  if (part.type.type === 'text/html') return words.trim() ? [{ text: null, html: words }] : []
  const { text, files } = withoutUuencoded(words)
  for (const { name, bytes } of files)
    found.files.push({ name, type: 'application/octet-stream', content_id: null, read: () => bytes })
  if (/^\s*-----BEGIN PGP MESSAGE-----/.test(text)) found.notes.add('This email is encrypted.')
  return text.trim() ? [{ text, html: null }] : []
}

/** Of several forms of the same: the first that is plain text, and the last that is a page. */
function bestOf(choices: readonly Block[][]): Block[] {
  const plain = choices.find(blocks => blocks.some(({ text }) => text !== null))
  const page = choices.findLast(blocks => blocks.some(({ html }) => html !== null))
  if (!plain || !page) return plain ?? page ?? []
  return [{ text: textOfBlocks(plain), html: pageOfBlocks(page) }]
}

/** All of it as one page, or null where it has none. */
export function pageOfBlocks(blocks: readonly Block[]): string | null {
  if (blocks.every(({ html }) => html === null)) return null
  return blocks.map(({ html, text }) => html ?? asPage(text ?? '')).join('\n')
}

function asPage(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<div style="white-space: pre-wrap">${escaped}</div>`
}

function takeFile(part: MimePart, found: Found): void {
  const { type, params } = part.type
  const name = part.disposition.params['filename'] ?? params['name'] ?? null
  if (found.cut && part.isOpen) return
  if (type === 'application/ms-tnef' || /^winmail\.dat$/i.test(name ?? '')) {
    if (takeContainer(part, found)) return
  }
  if (/^application\/(?:x-)?pkcs7-mime$/.test(type) && params['smime-type'] !== 'certs-only')
    found.notes.add(params['smime-type'] === 'signed-data' ? SIGNED : ENCRYPTED)
  if (part.body.length === 0 && name === null) return
  found.files.push({
    name: name ?? (type === 'message/rfc822' ? subjectOf(bytesOf(part)) : null),
    type,
    content_id: idOf(findHeader(part.headers, 'content-id')),
    read: () => owned(bytesOf(part)),
  })
}

function takeContainer(part: MimePart, found: Found): boolean {
  let container: Tnef
  try {
    container = readTnef(bytesOf(part))
  } catch {
    // Kept as the file it is.
    return false
  }
  const { text, html, rtf, files } = container
  if (!text && !html && !rtf && files.length === 0) return false
  found.spare ??= container
  for (const { bytes, content_id, ...file } of files)
    found.files.push({ ...file, content_id: idOf(content_id ?? undefined), read: () => bytes })
  if (rtf && !text && !html)
    found.files.push({ name: 'message.rtf', type: 'application/rtf', content_id: null, read: () => rtf })
  return true
}

/** What is in a container counts where nothing is beside it. */
function withSpare(blocks: Block[], { spare }: Found): Block[] {
  if (!spare) return blocks
  const text = spare.text === null ? null : plainText(spare.text)
  const html = spare.html === null ? null : plainText(spare.html)
  if (blocks.length === 0) return text || html ? [{ text, html }] : []
  return html !== null && pageOfBlocks(blocks) === null ? [{ text: textOfBlocks(blocks), html }] : blocks
}

/** Calendars send an invitation twice: for programs, and as a file. */
function withoutSameInvites(files: readonly FoundFile[]): FoundFile[] {
  const kept: FoundFile[] = []
  const invites = new Map<string, number>()
  for (const file of files) {
    const isInvite = CALENDAR_TYPES.includes(file.type) && kept.length <= FILES_MAX
    const content = isInvite
      ? Buffer.from(file.read()).toString('latin1').replaceAll('\r', '').trim()
      : undefined
    const same = content === undefined ? undefined : invites.get(content)
    if (same === undefined) {
      kept.push(file)
      if (content !== undefined) invites.set(content, kept.length - 1)
    } else if (kept[same]!.name === null) kept[same] = file
  }
  return kept
}

const CALENDAR_TYPES = ['text/calendar', 'application/ics']

function subjectOf(mail: Buffer): string | null {
  const headers = readHeaders(mail.subarray(0, SUBJECT_BYTES_MAX))
  // Slashes would make a path of it.
  const subject = decodeWords(findHeader(headers, 'subject') ?? '').replace(/[/\\]+/g, '-')
  return subject.trim() ? `${subject.trim()}.eml` : null
}

const SUBJECT_BYTES_MAX = 64 * 1024

function idOf(value: string | undefined): string | null {
  const id = /^<?([^<>\s]{1,250})>?$/.exec(value?.trim() ?? '')?.[1]
  return id ? id.toWellFormed() : null
}

/** With memory of its own, so that it can be handed from thread to thread. */
function owned(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes)
}

/** From, where there is one; several wrote it together, and the first is taken. */
function sendersIn(headers: readonly Header[]): MailAddress[] {
  const from = addressesIn(headers, 'from')
  return from.length > 0 ? from : addressesIn(headers, 'sender')
}

function addressesIn(headers: readonly Header[], key: string): MailAddress[] {
  const values = headers.filter(header => header.key === key).map(({ value }) => value)
  const parsed = addressParser(values.join(', ').slice(0, ADDRESSES_LENGTH_MAX))
  return parsed.flatMap(flat).flatMap(({ address, name }) => {
    // A route (RFC 822) says by which hosts it once went.
    const bare = address.replace(/^@[^:\s]*:/, '').trim()
    if (!bare || bare.length > ADDRESS_LENGTH_MAX || /[\p{Cc}\s]/u.test(bare)) return []
    return [{ address: bare.toWellFormed(), name: nameOf(name) }]
  })
}

function flat(address: Address): { address: string; name: string }[] {
  return address.group ?? [{ address: address.address, name: address.name }]
}

function nameOf(name: string): string | null {
  const cleaned = name.replace(/[\p{Cc}\s\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim()
  return cleaned.slice(0, NAME_LENGTH_MAX).toWellFormed() || null
}
