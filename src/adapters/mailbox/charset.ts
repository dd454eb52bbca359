import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

/** What somebody wrote, from its bytes: by the name of its charset where that can be, else by what they look like. */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  const name = (charset ?? '').trim().toLowerCase()
  if (/^(?:unicode-1-1-)?utf-7$/.test(name)) return decodeUtf7(Buffer.from(bytes).toString('latin1'))
  const decoder = decoderOf(name)
  if (decoder && decoder.encoding !== 'utf-8' && !ASCII.test(name)) return decoder.decode(bytes)
  return decodeUnnamed(bytes)
}

/** Programs say ASCII, UTF-8 or nothing also where it is something else. */
function decodeUnnamed(bytes: Uint8Array): string {
  const text = utf8.decode(bytes)
  if (isUtf8(bytes)) return hasJapaneseEscapes(text) ? new TextDecoder('iso-2022-jp').decode(bytes) : text
  // A character or two may be cut or broken; more of them were never UTF-8.
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  const right = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  return broken * 4 > right ? windows1252.decode(bytes) : text
}

const utf8 = new TextDecoder('utf-8')
const windows1252 = new TextDecoder('windows-1252')
const ASCII = /^(?:us-)?ascii$|^ansi_x3\.4-1968$|^iso646-us$/

function hasJapaneseEscapes(text: string): boolean {
  return text.includes('\u001B$B') || text.includes('\u001B$@')
}

const decoders = new Map<string, TextDecoder>()

function decoderOf(name: string): TextDecoder | undefined {
  for (const label of [name, ALIASES[name.replace(/^x-|[\s._-]+/g, '')]]) {
    if (!label || label.length > NAME_LENGTH_MAX) continue
    try {
      const decoder = decoders.get(label) ?? new TextDecoder(label)
      decoders.set(label, decoder)
      return decoder
    } catch {
      // Another name of it, or none that is known.
    }
  }
  return undefined
}

const NAME_LENGTH_MAX = 40

/** Names in use that the encoding standard does not list. */
const ALIASES: Record<string, string> = {
  utf8: 'utf-8',
  utf8mb4: 'utf-8',
  latin1: 'windows-1252',
  ansi: 'windows-1252',
  cp850: 'windows-1252',
  cp932: 'shift_jis',
  windows932: 'shift_jis',
  ms932: 'shift_jis',
  shiftjis: 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  ms950: 'big5',
  cp874: 'windows-874',
  iso2022jp1: 'iso-2022-jp',
  iso2022jp2: 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  cp51932: 'euc-jp',
  iso88598e: 'iso-8859-8',
  koi8ru: 'koi8-u',
}

/** RFC 2152: UTF-16 in base64 between + and -. */
function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_whole, shifted: string) => {
    if (shifted === '') return '+'
    const bytes = Buffer.from(shifted, 'base64')
    return bytes
      .subarray(0, bytes.length - (bytes.length % 2))
      .swap16()
      .toString('utf16le')
  })
}
