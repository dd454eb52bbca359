import { decodeText } from './charset.ts'
import { findHeader } from './mime-headers.ts'
import type { MimePart } from './mime.ts'

/** Of the words of one part; nobody reads more. */
const TEXT_BYTES_MAX = 2 * 1024 * 1024
/** The same as it was sent, where every byte may take three. */
const SENT_BYTES_MAX = 3 * TEXT_BYTES_MAX

/** The bytes of a part, without how they were sent. They may be a view of the whole mail. */
export function bytesOf({ headers, body }: Pick<MimePart, 'headers' | 'body'>): Buffer {
  const encoding = findHeader(headers, 'content-transfer-encoding')?.toLowerCase() ?? ''
  if (encoding.includes('base64')) return fromBase64(body)
  if (encoding.includes('quoted-printable')) return fromQuotedPrintable(body)
  return body
}

/** The words of a part; lines end with \n, and there is nothing that a database refuses. */
export function textOfPart(part: MimePart): string {
  const { charset, format, delsp } = part.type.params
  // Files within a text are as long as files are.
  const isPacked = part.body.includes('\nbegin ')
  const body = isPacked ? part.body : part.body.subarray(0, SENT_BYTES_MAX)
  const bytes = bytesOf({ ...part, body })
  const text = plainText(decodeText(isPacked ? bytes : bytes.subarray(0, TEXT_BYTES_MAX), charset))
  return format?.toLowerCase() === 'flowed' ? unflowed(text, delsp?.toLowerCase() === 'yes') : text
}

export function plainText(text: string): string {
  return text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed()
}

/** Rubbish between the characters is passed over; some end every line as if it were the last. */
function fromBase64(body: Buffer): Buffer {
  const sent = body.toString('latin1')
  const text = /[^A-Za-z0-9+/=\r\n]/.test(sent) ? sent.replace(/[^A-Za-z0-9+/=]+/g, '') : sent
  const padding = text.indexOf('=')
  if (padding < 0 || /^[=\s]*$/.test(text.slice(padding, padding + PADDING_LENGTH_MAX)))
    return Buffer.from(text, 'base64')
  return Buffer.concat(text.split(/=+/).map(unit => Buffer.from(unit, 'base64')))
}

const PADDING_LENGTH_MAX = 100

function fromQuotedPrintable(body: Buffer): Buffer {
  const out = Buffer.alloc(body.length)
  let length = 0
  /** Spaces at the end of a line are not the sender's. */
  let written = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!
    if (byte === 0x3d) {
      const value = (nibble(body[at + 1]) << 4) | nibble(body[at + 2])
      if (value >= 0) {
        out[length++] = value
        written = length
        at += 2
        continue
      }
      let end = at + 1
      while (body[end] === 0x20 || body[end] === 0x09 || body[end] === 0x0d) end++
      if (end >= body.length || body[end] === 0x0a) {
        written = length
        at = end
        continue
      }
    } else if (byte === 0x0a || byte === 0x0d) length = written
    out[length++] = byte
    if (byte !== 0x20 && byte !== 0x09) written = length
  }
  return out.subarray(0, length)
}

/** Negative where it is none. */
function nibble(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** RFC 3676: a line that ends with a space goes on in the next one of the same quote. */
function unflowed(text: string, withoutSpace: boolean): string {
  const lines: { quote: string; parts: string[]; goesOn: boolean }[] = []
  for (const line of text.split('\n')) {
    const quote = /^>*/.exec(line)![0]
    const stuffed = line.slice(quote.length)
    const words = stuffed.startsWith(' ') ? stuffed.slice(1) : stuffed
    const goesOn = words.endsWith(' ') && words !== '-- '
    const part = goesOn && withoutSpace ? words.slice(0, -1) : words
    const last = lines.at(-1)
    if (last?.goesOn && last.quote === quote && words !== '-- ') {
      last.parts.push(part)
      last.goesOn = goesOn
    } else lines.push({ quote, parts: [part], goesOn })
  }
  return lines.map(({ quote, parts }) => (quote ? `${quote} ${parts.join('')}` : parts.join(''))).join('\n')
}
