import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attachment, Mail } from '#platform/ports/mail.ts'

/** Of each kind of mail so many are kept: the others differ in their words alone. */
const KEPT_OF_A_SHAPE = 3
/** A file of the size of a film says no more about the mail than its beginning. */
const FILE_BYTES_MAX = 20_000

const folder = process.env.TEST_MAILS
const seen = new Map<string, number>()

/** Keeps a mail that a test has sent, where somebody asked for it. */
export function recordMail(mail: Mail): void {
  if (!folder) return
  const shape = shapeOf(mail)
  const times = (seen.get(shape) ?? 0) + 1
  seen.set(shape, times)
  if (times > KEPT_OF_A_SHAPE) return
  const attachments = mail.attachments?.map(({ name, type, bytes }) => ({
    name,
    type,
    bytes: bytes.subarray(0, FILE_BYTES_MAX).toString('base64'),
  }))
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ ...mail, attachments })}\n`)
}

export function readMails(from: string): Mail[] {
  const kept = new Map<string, Mail[]>()
  for (const name of readdirSync(from).filter(name => name.endsWith('.jsonl')))
    for (const line of readFileSync(join(from, name), 'utf8').trimEnd().split('\n')) {
      const mail = asMail(line)
      const alike = kept.get(shapeOf(mail)) ?? []
      if (alike.length < KEPT_OF_A_SHAPE) kept.set(shapeOf(mail), [...alike, mail])
    }
  return [...kept.values()].flat()
}

function asMail(line: string): Mail {
  const { attachments, ...mail } = JSON.parse(line) as Omit<Mail, 'attachments'> & {
    attachments?: (Omit<Attachment, 'bytes'> & { bytes: string })[]
  }
  if (!attachments) return mail
  return {
    ...mail,
    attachments: attachments.map(file => ({ ...file, bytes: Buffer.from(file.bytes, 'base64') })),
  }
}

/** How a mail is built, whatever it says: its tags, and what it has beside its text. */
function shapeOf({ html, subject, text: _, to: _to, message_id: _id, date: _date, ...beside }: Mail): string {
  const tags = html.match(/<\/?[a-z0-9]+/gi) ?? []
  const alike = tags.filter((tag, at) => tag !== tags[at - 2])
  const isPlain = /^[\x20-\x7e]*$/.test(subject)
  const parts = [alike.join(''), isPlain, Object.keys(beside).toSorted().join(' ')]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
