import { isUtf8 } from 'node:buffer'
import { decodeWords } from 'postal-mime'
import { decodeText } from './charset.ts'

/** A longer one is read as far as that. */
const HEADERS_BYTES_MAX = 2 * 1024 * 1024

export type Header = { key: string; value: string }

/** `type`: a structured field's first word in lower case, such as a media type. */
export type Field = { type: string; params: Record<string, string> }

/** The fields of a block, unfolded, as text; lines that are no field are passed over. */
export function readHeaders(block: Buffer): Header[] {
  let folded: string[] | undefined
  const lines = block
    .subarray(0, HEADERS_BYTES_MAX)
    .toString('latin1')
    .split('\n')
    .map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
  const parts: { key: string; value: string[] }[] = []
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      folded?.push(line)
      continue
    }
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase()
    if (!/^[!-9;-~]+$/.test(key)) {
      folded = undefined
      continue
    }
    folded = [line.slice(colon + 1)]
    parts.push({ key, value: folded })
  }
  const values = parts.map(({ key, value }) => ({ key, value: value.join('') }))
  const type = values.find(({ key }) => key === 'content-type')?.value
  const charset = /\bcharset\s*=\s*"?([^\s";]+)/i.exec(type ?? '')?.[1]
  return values.map(({ key, value }) => ({ key, value: textOf(value, charset) }))
}

/** Bytes beyond ASCII are against the rules, and common: UTF-8, or what the mail itself is in. */
function textOf(latin1: string, charset: string | undefined): string {
  const value = /[\u0080-\u00FF]/.test(latin1) ? unescaped(Buffer.from(latin1, 'latin1'), charset) : latin1
  return value.replace(/[\0\r\n]+/g, ' ').trim()
}

function unescaped(bytes: Buffer, charset: string | undefined): string {
  return decodeText(bytes, isUtf8(bytes) ? 'utf-8' : charset)
}

export function findHeader(headers: readonly Header[], key: string): string | undefined {
  return headers.find(header => header.key === key)?.value
}

/** RFC 2045 and RFC 2231: `attachment; filename*0*=utf-8''a%20; filename*1="b.pdf"`. */
export function readField(value: string): Field {
  const [first = '', ...rest] = splitAt(withoutComments(value.slice(0, FIELD_LENGTH_MAX)))
  const named: [string, string][] = []
  for (const part of rest) {
    const equals = part.indexOf('=')
    if (equals > 0) named.push([part.slice(0, equals).trim().toLowerCase(), unquoted(part.slice(equals + 1))])
  }
  const [type = ''] = unquoted(first).toLowerCase().split(/\s/)
  return { type, params: joined(named) }
}

const FIELD_LENGTH_MAX = 64 * 1024

/** At semicolons outside of quotes. */
function splitAt(text: string): string[] {
  const parts: string[] = []
  let quoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quoted && char === '\\') at++
    else if (char === '"') quoted = !quoted
    else if (char === ';' && !quoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts.slice(0, PARAMS_MAX)
}

const PARAMS_MAX = 1_000

/** A bracket within a word, as in `name=bill(1).pdf`, is no comment, nor is one without an end. */
function withoutComments(text: string): string {
  if (!text.includes('(')) return text
  let kept = ''
  let quoted = false
  let inParams = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (!quoted && char === '(' && (!inParams || /[\s;]/.test(text[at - 1]!))) {
      const end = commentEnd(text, at)
      if (end !== undefined) {
        at = end
        continue
      }
    }
    if (char === '"') quoted = !quoted
    if (char === ';') inParams = true
    kept += char
    if (quoted && char === '\\') kept += text[++at] ?? ''
  }
  return kept
}

const COMMENT_LENGTH_MAX = 1_000

function commentEnd(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < Math.min(text.length, start + COMMENT_LENGTH_MAX); at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return undefined
}

function unquoted(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('"')) return trimmed
  const [, inner = ''] = /^"((?:[^"\\]|\\[^])*)/.exec(trimmed) ?? []
  // A path of Windows has backslashes that escape nothing.
  return inner.replace(/\\(["\\])/g, '$1')
}

type Piece = { index: number; value: string; encoded: boolean }

/** The first of a name counts; pieces of one are put together in their order. */
function joined(named: readonly [string, string][]): Record<string, string> {
  const plain = new Map<string, string>()
  const pieces = new Map<string, Piece[]>()
  for (const [key, value] of named) {
    const [, name, index, encoded] = /^([^*]+)(?:\*(\d{1,4}))?(\*)?$/.exec(key) ?? []
    if (!name) continue
    if (index === undefined && !encoded) {
      if (!plain.has(name)) plain.set(name, value)
      continue
    }
    const known = pieces.get(name) ?? []
    known.push({ index: Number(index ?? 0), value, encoded: encoded !== undefined })
    pieces.set(name, known)
  }
  const params = new Map([...plain].map(([name, value]) => [name, decodeWords(value)]))
  for (const [name, found] of pieces) params.set(name, extended(found))
  return Object.fromEntries(params)
}

/** The charset is named once, in the first piece; characters may be split between two. */
function extended(pieces: readonly Piece[]): string {
  const sorted = pieces.toSorted((a, b) => a.index - b.index)
  const [, charset, first] = (sorted[0]!.encoded && /^([^']*)'[^']*'([^]*)$/.exec(sorted[0]!.value)) || []
  const values = first === undefined ? sorted : [{ ...sorted[0]!, value: first }, ...sorted.slice(1)]
  const bytes = values.map(({ value, encoded }) => (encoded ? percentBytes(value) : Buffer.from(value)))
  const text = decodeText(Buffer.concat(bytes), charset)
  // Some encode what they have split in the way of other headers as well.
  return charset === undefined ? decodeWords(text) : text
}

function percentBytes(value: string): Buffer {
  const bytes = Buffer.from(value)
  const out = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const code =
      bytes[at] === 0x25 ? Number.parseInt(bytes.toString('latin1', at + 1, at + 3), 16) : Number.NaN
    if (Number.isNaN(code)) out[length++] = bytes[at]!
    else {
      out[length++] = code
      at += 2
    }
  }
  return out.subarray(0, length)
}
