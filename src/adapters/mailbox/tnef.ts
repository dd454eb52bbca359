import { decodeText } from './charset.ts'
import { decompressRtf } from './compressed-rtf.ts'

export type TnefFile = {
  name: string | null
  type: string
  content_id: string | null
  bytes: Uint8Array<ArrayBuffer>
}
export type Tnef = {
  text: string | null
  html: string | null
  rtf: Uint8Array<ArrayBuffer> | null
  files: TnefFile[]
}

const SIGNATURE = 0x223e9f78
const FILES_MAX = 200
const PROPERTIES_MAX = 10_000
const DEPTH_MAX = 5

/** Attributes of the container (MS-OXTNEF); those of a file follow the one that begins it. */
const OEM_CODEPAGE = 0x9007
const BODY = 0x800c
const MESSAGE_PROPERTIES = 0x9003
const FILE_BEGINS = 0x9002
const FILE_TITLE = 0x8010
const FILE_DATA = 0x800f
const FILE_PROPERTIES = 0x9005

/** Properties, by their id (MS-OXPROPS). */
const PLAIN_BODY = 0x1000
const RTF_BODY = 0x1009
const HTML_BODY = 0x1013
const DATA = 0x3701
const SHORT_NAME = 0x3704
const LONG_NAME = 0x3707
const MEDIA_TYPE = 0x370e
const CONTENT_ID = 0x3712
const INTERNET_CODEPAGE = 0x3fde

/** What Outlook packs into `winmail.dat`. Throws where it is broken. */
export function readTnef(container: Buffer, depth = 0): Tnef {
  if (container.length < 6 || container.readUInt32LE(0) !== SIGNATURE) throw new Error('is no TNEF')
  const found: Tnef = { text: null, html: null, rtf: null, files: [] }
  let charset = 'windows-1252'
  let file: TnefFile | undefined
  for (const { id, data } of attributesOf(container)) {
    if (id === OEM_CODEPAGE && data.length >= 4) charset = codepageName(data.readUInt32LE(0))
    else if (id === BODY) found.text = textUntilZero(data, charset)
    else if (id === MESSAGE_PROPERTIES) takeBody(found, propertiesOf(data, charset))
    else if (id === FILE_BEGINS) {
      if (found.files.length >= FILES_MAX) break
      file = { name: null, type: '', content_id: null, bytes: new Uint8Array(0) }
      found.files.push(file)
    } else if (file && id === FILE_TITLE) file.name ??= textUntilZero(data, charset)
    else if (file && id === FILE_DATA) file.bytes = new Uint8Array(data)
    else if (file && id === FILE_PROPERTIES) takeNames(file, propertiesOf(data, charset))
  }
  return { ...found, files: found.files.flatMap(each => unpacked(each, depth)) }
}

/** A mail that is in the container is a container as well: its words become files. */
function unpacked(file: TnefFile, depth: number): TnefFile[] {
  const bytes = Buffer.from(file.bytes.buffer)
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== SIGNATURE || depth >= DEPTH_MAX) return [file]
  const { text, html, rtf, files } = readTnef(bytes, depth + 1)
  const words = [
    { type: 'text/plain', name: 'message.txt', bytes: text && new TextEncoder().encode(text) },
    { type: 'text/html', name: 'message.html', bytes: html && new TextEncoder().encode(html) },
    { type: 'application/rtf', name: 'message.rtf', bytes: rtf },
  ]
  return [
    ...words.flatMap(({ bytes, ...named }) => (bytes ? [{ ...named, bytes, content_id: null }] : [])),
    ...files,
  ]
}

function* attributesOf(container: Buffer): Generator<{ id: number; data: Buffer }> {
  // Whose attribute it is, its id and type, its length; then a checksum, which some get wrong.
  for (let at = 6; at + 9 <= container.length;) {
    // Rubbish after the last one, which mail servers leave there.
    if (container[at] !== 1 && container[at] !== 2) return
    const length = container.readUInt32LE(at + 5)
    const data = container.subarray(at + 9, at + 9 + length)
    if (data.length < length) throw new Error('ends early')
    yield { id: container.readUInt16LE(at + 1), data }
    at += 9 + length + 2
  }
}

type Properties = Map<number, Buffer | string | number>

function takeBody(found: Tnef, properties: Properties): void {
  const plain = properties.get(PLAIN_BODY)
  if (typeof plain === 'string') found.text = plain
  const html = properties.get(HTML_BODY)
  const codepage = properties.get(INTERNET_CODEPAGE)
  const charset = typeof codepage === 'number' ? codepageName(codepage) : undefined
  if (html instanceof Buffer) found.html = decodeText(html, charset)
  else if (typeof html === 'string') found.html = html
  const rtf = properties.get(RTF_BODY)
  if (rtf instanceof Buffer) found.rtf = decompressRtf(rtf)
}

function takeNames(file: TnefFile, properties: Properties): void {
  const text = (id: number) => {
    const value = properties.get(id)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  file.name = text(LONG_NAME) ?? file.name ?? text(SHORT_NAME) ?? null
  file.type = text(MEDIA_TYPE)?.toLowerCase() ?? file.type
  file.content_id = text(CONTENT_ID) ?? file.content_id
  const data = properties.get(DATA)
  if (data instanceof Buffer && file.bytes.length === 0) file.bytes = new Uint8Array(data)
}

/** MAPI properties; only those with an id above, values of other types are passed over. */
function propertiesOf(data: Buffer, charset: string): Properties {
  const properties: Properties = new Map()
  let at = 4
  const count = Math.min(data.readUInt32LE(0), PROPERTIES_MAX)
  for (let index = 0; index < count; index++) {
    const kind = data.readUInt16LE(at)
    const id = data.readUInt16LE(at + 2)
    at += 4
    if (id >= 0x8000) at = afterName(data, at)
    const isMany = (kind & 0x1000) !== 0
    const type = kind & 0x0fff
    const size = FIXED_SIZES[type]
    const isCounted = isMany || size === undefined
    const values = isCounted ? data.readUInt32LE(at) : 1
    if (isCounted) at += 4
    if (values > PROPERTIES_MAX) throw new Error('has too many values')
    for (let value = 0; value < values; value++) {
      const length = size ?? data.readUInt32LE(at)
      if (size === undefined) at += 4
      const bytes = data.subarray(at, at + length)
      if (bytes.length < length) throw new Error('ends early')
      if (!properties.has(id)) properties.set(id, valueOf(type, bytes, charset))
      at += padded(length)
    }
  }
  return properties
}

const FIXED_SIZES: Record<number, number> = {
  0x0002: 4,
  0x0003: 4,
  0x0004: 4,
  0x0005: 8,
  0x0006: 8,
  0x0007: 8,
  0x000a: 4,
  0x000b: 4,
  0x0014: 8,
  0x0040: 8,
  0x0048: 16,
}

function valueOf(type: number, bytes: Buffer, charset: string): Buffer | string | number {
  if (type === 0x001e) return textUntilZero(bytes, charset)
  if (type === 0x001f) return textUntilZero(bytes, 'utf-16le')
  // An object begins with the id of its interface.
  if (type === 0x000d) return bytes.subarray(16)
  return type === 0x0003 ? bytes.readInt32LE(0) : bytes
}

/** A property of a program's own is named by a set, and a number or a word in it. */
function afterName(data: Buffer, at: number): number {
  const isWord = data.readUInt32LE(at + 16) === 1
  return isWord ? at + 24 + padded(data.readUInt32LE(at + 20)) : at + 24
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4
}

function textUntilZero(bytes: Buffer, charset: string): string {
  const text = decodeText(bytes, charset)
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

function codepageName(codepage: number): string {
  if (codepage === 65_001) return 'utf-8'
  if (codepage === 20_866) return 'koi8-r'
  if (codepage > 28_590 && codepage < 28_610) return `iso-8859-${codepage - 28_590}`
  if (codepage === 932 || codepage === 936 || codepage === 949 || codepage === 950) return `cp${codepage}`
  return `windows-${codepage}`
}
