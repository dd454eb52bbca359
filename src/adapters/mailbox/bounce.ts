import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { bytesOf } from './mime-body.ts'
import { findHeader } from './mime-headers.ts'
import type { MimePart } from './mime.ts'
import { textOfBlocks, type ParsedMail } from './parse-mail.ts'

const REASON_LENGTH_MAX = 500
const SCAN_LENGTH_MAX = 64 * 1024

export type Report =
  | { kind: 'bounce'; bounce: NonNullable<IncomingMail['bounce']> }
  /** A report that nothing has gone wrong for good: it is late, it was delivered, it was read. */
  | { kind: 'automatic' }

/** What a mail server reports about a mail of ours; undefined where this is no report. */
export function reportOf(mail: ParsedMail, answers: readonly string[]): Report | undefined {
  return standardReport(mail, answers) ?? plainReport(mail, answers)
}

const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status']
const RETURNED_TYPES = [
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global-headers',
]

/** RFC 3464: a part for machines says of each recipient what happened, and a further one brings the mail back. */
function standardReport(mail: ParsedMail, answers: readonly string[]): Report | undefined {
  const part = mail.leaves.find(({ type }) => STATUS_TYPES.includes(type.type))
  const type = findHeader(mail.headers, 'content-type')
  if (!part)
    return /^multipart\/report\b/i.test(type ?? '') || hasReceipt(mail) ? { kind: 'automatic' } : undefined
  const recipients = textOf(part)
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
    .filter(fields => fields['action'] !== undefined)
  const failed = recipients.find(fields => fields['action']!.toLowerCase().startsWith('failed'))
  if (!failed) return { kind: 'automatic' }
  const diagnosis = (failed['diagnostic-code'] ?? '').replace(/^[\w-]+\s*;\s*/, '')
  const status = statusIn(failed['status'] ?? '') ?? statusIn(diagnosis)
  return {
    kind: 'bounce',
    bounce: {
      message_id: returnedId(mail) ?? answers[0] ?? null,
      recipient: addressIn(failed['final-recipient'] ?? failed['original-recipient'] ?? ''),
      permanent: isPermanent(status),
      reason: shortened(diagnosis || failed['status'] || 'not delivered'),
    },
  }
}

/**
 * Older servers write to people only. Such a letter is taken for a report when it comes from nobody or from the postman,
 * says that something could not be delivered, and either names the recipient in a header or brings the mail back.
 */
function plainReport(mail: ParsedMail, answers: readonly string[]): Report | undefined {
  const text = textOfBlocks(mail.blocks).slice(0, SCAN_LENGTH_MAX)
  const named = findHeader(mail.headers, 'x-failed-recipients')
  const nobody = /^<\s*>$/.test(findHeader(mail.headers, 'return-path') ?? '')
  const postman = /^(?:mailer-daemon|postmaster)@/i.test(mail.from?.address ?? '')
  if (!named && !((nobody || postman) && FAILED.test(`${mail.subject}\n${text}`))) return undefined
  const message_id = returnedId(mail) ?? idIn(text)
  if (!named && message_id === null) return undefined
  const [words] = text.split(RETURNED_BELOW)
  const status = statusIn(words!) ?? (/permanent(?:ly)?\b/i.test(words!) ? '5' : undefined)
  return {
    kind: 'bounce',
    bounce: {
      message_id: message_id ?? answers[0] ?? null,
      recipient: addressIn(named ?? words!),
      permanent: isPermanent(status),
      reason: shortened(reasonIn(words!) ?? (mail.subject || 'not delivered')),
    },
  }
}

const FAILED =
  /could not be delivered|cannot be delivered|couldn't be delivered|undeliver|delivery (?:to .{1,100} )?(?:has )?failed|delivery failure|failure notice|failed to deliver|returned to sender|returning message to sender|unzustellbar|nicht zugestellt/i

/** The line below which a server sets the mail it returns. */
const RETURNED_BELOW = /^--.*(?:copy of (?:the|your) message|original message|below this line)/im

/** RFC 3463 calls a full mailbox a lasting passing fault, whatever class a server puts it in. */
function isPermanent(status: string | undefined): boolean {
  return status !== undefined && status.startsWith('5') && status !== '5.2.2'
}

/** The enhanced code where there is one, else the class of the server's answer. */
function statusIn(text: string): string | undefined {
  const enhanced = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(text)?.[1]
  return enhanced ?? /(?:^|[\s:;#])([45])\d\d[ -]/m.exec(text)?.[1]
}

/** The id of the mail that came back, from the part that brings it. */
function returnedId(mail: ParsedMail): string | null {
  const returned = mail.leaves.filter(({ type }) => RETURNED_TYPES.includes(type.type))
  for (const part of returned) {
    const id = idIn(textOf(part))
    if (id !== null) return id
  }
  return null
}

function idIn(text: string): string | null {
  return /^[ \t>]*Message-ID:\s*(<[^<>\s@]+@[^<>\s]+>)/im.exec(text.slice(0, SCAN_LENGTH_MAX))?.[1] ?? null
}

function addressIn(text: string): string | null {
  return text.split(/[\s<>;:,"()]+/).find(word => /.@./.test(word)) ?? null
}

function reasonIn(text: string): string | undefined {
  const lines = text.split('\n').map(line => line.trim())
  return lines.find(line => statusIn(line) !== undefined) ?? lines.find(line => FAILED.test(line))
}

function shortened(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, REASON_LENGTH_MAX)
}

/** Fields like the headers of a mail, folded lines put together; the first of a name counts. */
function fieldsOf(group: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const line of group.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? []
    if (name) fields[name.toLowerCase()] ??= value!.trim()
  }
  return fields
}

/** The part that says a mail was read, also where the mail itself does not say that it is a report. */
function hasReceipt({ leaves }: ParsedMail): boolean {
  return leaves.some(({ type }) => type.type === 'message/disposition-notification')
}

function textOf(part: MimePart): string {
  return bytesOf({ ...part, body: part.body.subarray(0, SCAN_LENGTH_MAX) }).toString('utf8')
}
