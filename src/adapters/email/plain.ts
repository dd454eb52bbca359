import { randomBytes } from 'node:crypto'

/** What a mail says in its head and in its two bodies, checked already: no line of the head holds a line end. */
export type Letter = {
  from: { name: string; address: string }
  to: string
  cc: readonly string[]
  bcc: readonly string[]
  replyTo: string | undefined
  subject: string
  text: string
  html: string
  messageId: string
  date: Date
  thread: readonly string[]
  unsubscribeUrl: string | undefined
}

/** RFC 5321: longer lines may be cut or refused on the way. */
const LINE_LENGTH_MAX = 998
const BOUNDARY_BYTES = 16

/**
 * A mail without a character beyond ASCII needs no encoding at all: it goes out as it is written. Composing takes half
 * of the time that sending takes, so this is worth a way of its own; undefined means that the mail needs the other one.
 */
export function writtenPlainly(letter: Letter): Buffer | undefined {
  const { from, to, cc, bcc, replyTo, subject, messageId, date, thread, unsubscribeUrl } = letter
  const text = asLines(letter.text)
  const html = asLines(letter.html)
  if (!text || !html || ![subject, from.name, from.address, to, ...cc, ...bcc, replyTo ?? ''].every(isPlain))
    return undefined
  const boundary = `=_${randomBytes(BOUNDARY_BYTES).toString('hex')}`
  const lines = [
    `From: ${from.name === '' ? from.address : `${quoted(from.name)} <${from.address}>`}`,
    `To: ${to}`,
    ...(cc.length > 0 ? [`Cc: ${cc.join(',\r\n ')}`] : []),
    ...(bcc.length > 0 ? [`Bcc: ${bcc.join(',\r\n ')}`] : []),
    ...(replyTo === undefined ? [] : [`Reply-To: ${replyTo}`]),
    `Subject: ${subject}`,
    `Message-ID: ${messageId}`,
    ...(thread.length > 0 ? [`In-Reply-To: ${thread.at(-1)}`, `References: ${thread.join('\r\n ')}`] : []),
    ...(unsubscribeUrl === undefined
      ? []
      : [`List-Unsubscribe: <${unsubscribeUrl}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click']),
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 7bit',
    '',
    text,
    `--${boundary}`,
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: 7bit',
    '',
    html,
    `--${boundary}--`,
    '',
  ]
  return Buffer.from(lines.join('\r\n'), 'latin1')
}

// oxlint-disable-next-line no-control-regex -- everything that is not on a typewriter, line ends and tabs aside.
const BEYOND_TYPEWRITER = /[^\t\r\n\x20-\x7e]/

/** With the line ends of a mail; undefined where something needs encoding. */
function asLines(body: string): string | undefined {
  if (BEYOND_TYPEWRITER.test(body) || hasLongLine(body)) return undefined
  return body.replace(/\r\n|\r|\n/g, '\r\n')
}

function hasLongLine(body: string): boolean {
  for (let from = 0; from + LINE_LENGTH_MAX <= body.length;) {
    const end = body.indexOf('\n', from)
    if ((end < 0 ? body.length : end) - from >= LINE_LENGTH_MAX) return true
    if (end < 0) break
    from = end + 1
  }
  return false
}

function isPlain(line: string): boolean {
  return /^[\x20-\x7e]*$/.test(line)
}

function quoted(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`
}
