import type { SendMailOptions } from 'nodemailer'
import type { Attachment, CalendarPart, Mail } from '#platform/ports/mail.ts'
import { inSlices } from './large-file.ts'
import { writtenPlainly, type Letter } from './plain.ts'

const ADDRESS_LENGTH_MAX = 254
/** As many every server takes in one mail (RFC 5321). */
const RECIPIENTS_MAX = 100
const SUBJECT_LENGTH_MAX = 900
const NAME_LENGTH_MAX = 100
/** A header line ends at 998 characters, and this one is not folded: programs take an address as one word. */
const URL_LENGTH_MAX = 900
/** Of a long conversation its beginning and its end are enough to find it. */
const REFERENCES_MAX = 20

/** Who a mail is from: the name and the address of the installation, or of somebody's mailbox. */
export type Sender = { name: string; address: string }

/** A mail as nodemailer takes it. */
export type Composed = Omit<SendMailOptions, 'envelope'> & { envelope: { from: string; to: string[] } }

/** From `Rapport <crm@example.com>` or the bare address, as the configuration has checked it. */
export function senderOf(from: string): Sender {
  const [, name = '', address = from] = /^([^<]*)<([^>]+)>$/.exec(from) ?? []
  return { name: name.trim(), address: address.trim() }
}

/**
 * One mail as nodemailer takes it. Whatever could change the recipients or add a header is refused here, before a
 * parser of addresses gets to see it: the envelope has the mail's recipients, the headers those who are seen, and nothing
 * else.
 */
export function messageOf(mail: Mail, sender: Sender): Composed {
  return optionsOf(mail, sender, [])
}

/** The sender's own copy of it, which shows to whom it went unseen. */
export function copyOf(mail: Mail, sender: Sender): Composed {
  return optionsOf(mail, sender, mail.bcc ?? [])
}

function optionsOf(mail: Mail, sender: Sender, shown: readonly string[]): Composed {
  const to = oneAddress(mail.to)
  const cc = (mail.cc ?? []).map(oneAddress)
  const bcc = (mail.bcc ?? []).map(oneAddress)
  const recipients = eachOnce([to, ...cc, ...bcc])
  if (recipients.length > RECIPIENTS_MAX)
    throw new Error(`An email can have at most ${RECIPIENTS_MAX} recipients.`)
  const name = mail.from_name === undefined ? sender.name : displayName(mail.from_name)
  const letter: Letter = {
    from: { name, address: sender.address },
    to,
    cc,
    bcc: shown.map(oneAddress),
    replyTo: mail.reply_to === undefined ? undefined : oneAddress(mail.reply_to),
    subject: oneLine(mail.subject),
    text: linesOf(mail.text),
    html: linesOf(mail.html),
    messageId: messageId(mail.message_id),
    date: timeOf(mail.date),
    thread: shortened(mail.thread?.map(messageId) ?? []),
    unsubscribeUrl: mail.unsubscribe_url === undefined ? undefined : webAddress(mail.unsubscribe_url),
  }
  const envelope = { from: sender.address, to: recipients }
  const attachments = mail.attachments?.map(attached) ?? []
  const needsComposer = attachments.length > 0 || mail.calendar !== undefined
  const raw = needsComposer ? undefined : writtenPlainly(letter)
  return {
    envelope,
    ...(raw ? { raw, messageId: letter.messageId } : toCompose(letter)),
    ...(attachments.length > 0 && { attachments }),
    ...(mail.calendar && { icalEvent: calendarPart(mail.calendar) }),
    ...whatIsRead,
  }
}

/** A lone CR would become a whole line break on the way, after the signature is made. */
function linesOf(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

/** For what needs encoding, of which nodemailer knows every turn. */
function toCompose(letter: Letter): Omit<SendMailOptions, 'envelope'> {
  const { from, to, cc, bcc, replyTo, thread, unsubscribeUrl, ...rest } = letter
  return {
    ...rest,
    from,
    to: nameless(to),
    ...(cc.length > 0 && { cc: cc.map(nameless) }),
    ...(bcc.length > 0 && { bcc: bcc.map(nameless) }),
    ...(replyTo !== undefined && { replyTo: nameless(replyTo) }),
    ...(thread.length > 0 && { inReplyTo: thread.at(-1)!, references: [...thread] }),
    ...(unsubscribeUrl !== undefined && {
      headers: {
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
    xMailer: false,
  }
}

function nameless(address: string) {
  return { name: '', address }
}

/** Bytes under a name of one line. */
function attached({ name, type, bytes }: Attachment) {
  if (!MEDIA_TYPE.test(type)) throw new Error(`Not a media type: ${JSON.stringify(type)}`)
  return { filename: displayName(name) || 'file', contentType: type, content: inSlices(bytes) }
}

/**
 * A third body part, and the same as an attachment. The method goes into a header: it is one of three words.
 */
function calendarPart({ method, ics }: CalendarPart) {
  if (!['REQUEST', 'CANCEL', 'PUBLISH'].includes(method)) throw new Error('Not a calendar method.')
  return { method, filename: 'meeting.ics', content: Buffer.from(ics) }
}

const MEDIA_TYPE = /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/

/** The body is text of the person who writes: it never names a file or an address to read from. */
const whatIsRead = { disableFileAccess: true, disableUrlAccess: true }

// A bare address. Quoted local parts, comments, groups and display names are legal and nobody has one: they are how one
// text comes to mean several recipients.
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u

function oneAddress(text: string): string {
  if (text.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(text)) return text
  throw new Error(`Not a single email address: ${JSON.stringify(text.slice(0, ADDRESS_LENGTH_MAX))}`)
}

/** A server that gets an address twice delivers twice. */
function eachOnce(addresses: readonly string[]): string[] {
  const seen = new Set<string>()
  return addresses.filter(address => seen.size < seen.add(address.toLowerCase()).size)
}

/**
 * A name is what a person typed about themselves: it is made fit rather than refused. What could end a header becomes a
 * space; quotes and brackets are the composer's to quote.
 */
function displayName(text: string): string {
  const line = text.replace(LINE_BREAKING, ' ').trim()
  return [...line].slice(0, NAME_LENGTH_MAX).join('')
}

/** Control characters and line ends, and what would turn the direction of the rest of the line. */
const LINE_BREAKING = /[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu

function oneLine(subject: string): string {
  if (subject.length > SUBJECT_LENGTH_MAX)
    throw new Error(`A subject can have at most ${SUBJECT_LENGTH_MAX} characters.`)
  // oxlint-disable-next-line no-control-regex -- these are the characters that end a header.
  if (/[\r\n\0]/.test(subject)) throw new Error('A subject must be a single line.')
  return subject
}

function messageId(text: string): string {
  const [, id] = /^<?([^\s\p{C}<>@]+@[^\s\p{C}<>@]+)>?$/u.exec(text) ?? []
  if (id === undefined) throw new Error(`Not a message id: ${JSON.stringify(text)}`)
  return `<${id}>`
}

function timeOf(text: string | undefined): Date {
  const date = text === undefined ? new Date() : new Date(text)
  if (Number.isNaN(date.getTime())) throw new Error(`Not a time: ${JSON.stringify(text)}`)
  return date
}

function shortened(thread: string[]): string[] {
  return thread.length <= REFERENCES_MAX ? thread : [thread[0]!, ...thread.slice(1 - REFERENCES_MAX)]
}

function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Written out by the parser, an address has no space, bracket or line end left in it.
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.href.length > URL_LENGTH_MAX)
    throw new Error('The unsubscribe URL is not valid.')
  return url.href
}
