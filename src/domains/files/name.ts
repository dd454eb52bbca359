import { FILE_NAME_LENGTH_MAX, FILE_TYPE_LENGTH_MAX } from './values.ts'

const NAME_UNKNOWN = 'file'
const TYPE_UNKNOWN = 'application/octet-stream'
/** An ending that is longer says nothing about what is in the file. */
const ENDING_LENGTH_MAX = 20

/** The name that an upload gives its file (RFC 6266): `filename*` before `filename`. */
export function nameIn(disposition: string | undefined): string {
  const parameters = new Map(
    [...(disposition ?? '').matchAll(PARAMETER)].map(([, name, quoted, bare]) => [
      name!.toLowerCase(),
      quoted?.replace(/\\(["\\])/g, '$1') ?? bare!,
    ]),
  )
  const extended = parameters.get('filename*')
  const name = extended === undefined ? undefined : decoded(extended)
  return cleanName(name ?? asUtf8(parameters.get('filename') ?? ''))
}

const PARAMETER = /;\s*([\w!#$&+^`|~.*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g

/** Only the last part of a path, in one line that reads as it is written, and never empty. */
export function cleanName(text: string): string {
  const name = text
    .toWellFormed()
    // These turn the letters after them around: `exe.fdp` would read as a PDF.
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .split(/[/\\]/)
    .at(-1)!
    .trim()
  return /^\.*$/.test(name) ? NAME_UNKNOWN : cut(name)
}

/** The type that a sender gave, without its parameters. */
export function cleanType(text: string | undefined): string {
  const type = text?.split(';')[0]!.trim().toLowerCase() ?? ''
  return type.length <= FILE_TYPE_LENGTH_MAX && MEDIA_TYPE.test(type) ? type : TYPE_UNKNOWN
}

/** As RFC 6838 has them. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/

/** What saves the file under its name: in letters that every program knows, and as it is (RFC 6266). */
export function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** RFC 5987: a character set, a language, and the bytes in percent. Undefined where it is something else. */
function decoded(text: string): string | undefined {
  const [, charset, bytes] = /^([\w-]+)'[^']*'(.*)$/.exec(text) ?? []
  try {
    if (charset?.toLowerCase() === 'utf-8') return decodeURIComponent(bytes!)
    if (charset?.toLowerCase() === 'iso-8859-1')
      return bytes!.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
  } catch {
    // Not the bytes of any text: the plain name serves.
  }
  return undefined
}

/** Headers come in as Latin-1, and programs such as curl write UTF-8 into them. */
function asUtf8(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

/** Its ending stays: programs go by it. */
function cut(name: string): string {
  if (name.length <= FILE_NAME_LENGTH_MAX) return name
  const dot = name.lastIndexOf('.')
  const ending = name.length - dot <= ENDING_LENGTH_MAX && dot > 0 ? name.slice(dot) : ''
  // Half of a character may be left over at the cut.
  const start = name.slice(0, FILE_NAME_LENGTH_MAX - ending.length).replace(/[\ud800-\udbff]$/, '')
  return start.trimEnd() + ending
}
