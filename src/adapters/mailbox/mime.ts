import { findHeader, readField, readHeaders, type Field, type Header } from './mime-headers.ts'

const NESTING_MAX = 50
const PARTS_MAX = 2_000
/** As far as is looked for the boundary of a multipart that does not name its own. */
const GUESS_BYTES_MAX = 16 * 1024

/** A mail or a part of one. What a multipart is made of is in `children`, what anything else has in `body`, as it was sent. */
export type MimePart = {
  headers: Header[]
  type: Field
  disposition: Field
  body: Buffer
  children: MimePart[]
  /** Nothing ends it but the end of the mail. */
  isOpen: boolean
}

/** The parts of a mail, which may be broken in any way: what cannot be told apart is text. `partial`: it had more of them. */
export function readMime(raw: Buffer): { root: MimePart; partial: boolean } {
  const count = { parts: 0 }
  const root = readPart(raw, { depth: 0, isOpen: true, usual: 'text/plain' }, count)
  return { root, partial: count.parts > PARTS_MAX }
}

type Place = { depth: number; isOpen: boolean; usual: string }

function readPart(raw: Buffer, { depth, isOpen, usual }: Place, count: { parts: number }): MimePart {
  count.parts++
  const { headers, body } = splitHead(raw)
  const type = readField(findHeader(headers, 'content-type') ?? usual)
  const disposition = readField(findHeader(headers, 'content-disposition') ?? '')
  const part: MimePart = { headers, type, disposition, body, children: [], isOpen }
  if (!type.type.startsWith('multipart/')) return part
  const pieces = depth < NESTING_MAX ? piecesOf(body, type.params['boundary']) : []
  const child = {
    depth: depth + 1,
    usual: type.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
  }
  for (const piece of pieces) {
    if (count.parts > PARTS_MAX) break
    part.children.push(readPart(piece.bytes, { ...child, isOpen: isOpen && piece.isLast }, count))
  }
  // Its parts cannot be told apart: better all of it than nothing.
  return part.children.length > 0 ? part : { ...part, type: { type: 'text/plain', params: type.params } }
}

/** Fields, an empty line, the rest. What has no field at all has no head. */
function splitHead(raw: Buffer): { headers: Header[]; body: Buffer } {
  const end = headEnd(raw)
  const headers = readHeaders(raw.subarray(0, end.at))
  return headers.length > 0 || end.at === 0
    ? { headers, body: raw.subarray(end.next) }
    : { headers, body: raw }
}

function headEnd(raw: Buffer): { at: number; next: number } {
  for (let at = 0; at < raw.length;) {
    const end = raw.indexOf(0x0a, at)
    if (end < 0) break
    if (end === at || (end === at + 1 && raw[at] === 0x0d)) return { at, next: end + 1 }
    at = end + 1
  }
  return { at: raw.length, next: raw.length }
}

type Piece = { bytes: Buffer; isLast: boolean }

function piecesOf(body: Buffer, boundary: string | undefined): Piece[] {
  const pieces = boundary ? splitBy(body, boundary) : []
  if (pieces.length > 0) return pieces
  const beginning = body.subarray(0, GUESS_BYTES_MAX).toString('latin1')
  const [, guessed] = /^--([^\s-][^\r\n]{0,69}?|-[^\r\n]{1,69}?)[ \t]*\r?\n[A-Za-z-]+:/m.exec(beginning) ?? []
  return guessed ? splitBy(body, guessed) : []
}

/** `isLast`: no boundary follows it. */
function splitBy(body: Buffer, boundary: string): Piece[] {
  const pieces: Piece[] = []
  const mark = Buffer.from(`--${boundary}`, /[^\0-\u00FF]/.test(boundary) ? 'utf8' : 'latin1')
  let start: number | undefined
  for (let at = markIn(body, mark, 0); at !== undefined; at = markIn(body, mark, at + mark.length)) {
    const line = endOfMark(body, at + mark.length)
    if (!line) continue
    // The line break before the mark belongs to it.
    if (start !== undefined)
      pieces.push({ bytes: body.subarray(start, beforeBreak(body, start, at)), isLast: false })
    start = line.next
    if (line.isEnd || pieces.length > PARTS_MAX) return pieces
  }
  if (start !== undefined) pieces.push({ bytes: body.subarray(start), isLast: true })
  return pieces
}

/** At the beginning of a line. */
function markIn(body: Buffer, mark: Buffer, from: number): number | undefined {
  let at = body.indexOf(mark, from)
  while (at > 0 && body[at - 1] !== 0x0a) at = body.indexOf(mark, at + 1)
  return at < 0 ? undefined : at
}

function endOfMark(body: Buffer, after: number): { isEnd: boolean; next: number } | undefined {
  const isEnd = body[after] === 0x2d && body[after + 1] === 0x2d
  let next = isEnd ? after + 2 : after
  while (body[next] === 0x20 || body[next] === 0x09 || body[next] === 0x0d) next++
  if (next < body.length && body[next] !== 0x0a) return undefined
  return { isEnd, next: Math.min(next + 1, body.length) }
}

function beforeBreak(body: Buffer, start: number, at: number): number {
  let end = at
  if (end > start && body[end - 1] === 0x0a) end--
  if (end > start && body[end - 1] === 0x0d) end--
  return end
}
