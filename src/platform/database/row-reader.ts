import { Client, Parser, tell } from './pg-internals.ts'

const DATA_ROW = 'D'.charCodeAt(0)
const ASCII_MAX = 127
/** A part keeps the whole text in memory: the fields of a larger row are read one by one. */
const SHARED_TEXT_BYTES_MAX = 16 * 1024

/** A row as it was received. Its bytes are only valid until the next message is read. */
export class ReceivedRow {
  readonly name = 'dataRow'
  readonly length: number
  readonly bytes: Buffer
  readonly offset: number

  constructor(bytes: Buffer, offset: number, length: number) {
    this.bytes = bytes
    this.offset = offset
    this.length = length
  }

  /** The length counts its own four bytes, which lie before the offset. */
  get end(): number {
    return this.offset + this.length - 4
  }

  get fields(): (string | null)[] {
    return fieldsOf(this.bytes, this.offset, this.end)
  }
}

/** Reads rows as pg does, in a third of the time: a row becomes text once, and its fields are parts of that text. */
export class RowParser extends Parser {
  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): unknown {
    if (code !== DATA_ROW) return super.handlePacket(offset, code, length, bytes)
    return new ReceivedRow(bytes, offset, length)
  }
}

/** What the pool makes its connections with. */
export class RowClient extends Client {
  constructor(config?: string | object) {
    super(config)
    const { connection } = this
    connection.attachListeners = stream => {
      const parser = new RowParser()
      stream.on('data', (chunk: Buffer) => parser.parse(chunk, message => tell(connection, message)))
    }
  }
}

function fieldsOf(bytes: Buffer, offset: number, end: number): (string | null)[] {
  const count = (bytes[offset]! << 8) | bytes[offset + 1]!
  const fields: (string | null)[] = []
  const isShared = end - offset <= SHARED_TEXT_BYTES_MAX
  const text = isShared ? bytes.toString('latin1', offset, end) : ''
  let at = offset + 2
  for (let index = 0; index < count; index++) {
    const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    const from = at + 4
    at = from + Math.max(0, length)
    if (length < 0) fields.push(null)
    else if (isShared && isAscii(bytes, from, at)) fields.push(text.slice(from - offset, at - offset))
    else fields.push(bytes.toString('utf8', from, at))
  }
  return fields
}

function isAscii(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at]! > ASCII_MAX) return false
  return true
}
