import type { SendMailOptions } from 'nodemailer'
import type { Mail } from '#platform/ports/mail.ts'

const ADDRESS_LENGTH_MAX = 254
const SUBJECT_LENGTH_MAX = 900

/**
 * One mail as nodemailer takes it. Whatever could change the recipients or add a header is refused here, before a
 * parser of addresses gets to see it: the envelope and the header both carry this one address and nothing else.
 */
export function messageOf(mail: Mail, from: string): SendMailOptions {
  const to = oneAddress(mail.to)
  return {
    from,
    to: { name: '', address: to },
    envelope: { from, to: [to] },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: messageId(mail.message_id),
    xMailer: false,
    // The body is text of the person who writes: it never names a file or an address to read from.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

// A bare address. Quoted local parts, comments, groups and display names are legal and nobody has one: they are how one
// text comes to mean several recipients.
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u

function oneAddress(text: string): string {
  if (text.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(text)) return text
  throw new Error(`Not one mail address: ${JSON.stringify(text.slice(0, ADDRESS_LENGTH_MAX))}`)
}

function oneLine(subject: string): string {
  if (subject.length > SUBJECT_LENGTH_MAX)
    throw new Error(`A subject has ${SUBJECT_LENGTH_MAX} characters at most.`)
  // oxlint-disable-next-line no-control-regex -- these are the characters that end a header.
  if (/[\r\n\0]/.test(subject)) throw new Error('A subject is one line.')
  return subject
}

function messageId(text: string): string {
  const [, id] = /^<?([^\s\p{C}<>@]+@[^\s\p{C}<>@]+)>?$/u.exec(text) ?? []
  if (id === undefined) throw new Error(`Not a message id: ${JSON.stringify(text)}`)
  return `<${id}>`
}
