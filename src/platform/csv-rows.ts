import pg from 'pg'
import { csvCell, csvValue, PLAIN } from './csv.ts'
import type { Field, RowSink } from './database/flush.ts'
import type { ReceivedRow } from './database/row-reader.ts'

const FIRST_BYTES = 256 * 1024
/** A character of JavaScript has at most three bytes in UTF-8. */
const CHARACTER_BYTES_MAX = 3
/** What a cell can need beyond its bytes in the database: `t` becomes `true`, an instant gets milliseconds. */
const CELL_BYTES_MORE = 8

const INT16_BYTES = 2
const INT32_BYTES = 4

/**
 * Writes rows as lines of CSV, from the bytes of the database to the bytes of the file. Most cells are plain and are copied as they
 * are; every other cell becomes text and is written by `csvCell`, as in other files.
 */
export class CsvRows implements RowSink {
  count = 0
  /** Of the last row of a full page, the columns behind those of the file. */
  after: unknown[] | undefined
  private readonly columns: number
  private readonly full: number
  private parsers: Parser[] = []
  private writers: Writer[] = []
  private out = Buffer.allocUnsafe(FIRST_BYTES)
  private length = 0
  /** What the row at hand can need as long as its cells are plain. */
  private need = 0

  constructor({ columns, full }: { columns: number; full: number }) {
    this.columns = columns
    this.full = full
  }

  /** The lines written so far. */
  get bytes(): Buffer {
    return this.out.subarray(0, this.length)
  }

  begin(fields: readonly Field[]): void {
    this.parsers = fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text'))
    this.writers = fields.map(({ dataTypeID }) => writers.get(dataTypeID) ?? 'value')
  }

  take({ bytes, offset, end }: ReceivedRow): void {
    this.need = end - offset + CELL_BYTES_MORE * this.columns
    this.reserve(this.need)
    let at = offset + INT16_BYTES
    for (let column = 0; column < this.columns; column++) {
      if (column > 0) this.out[this.length++] = COMMA
      const length = bytes.readInt32BE(at)
      const from = at + INT32_BYTES
      at = from + Math.max(0, length)
      // Nothing and an empty text are the same in a file.
      if (length > 0) this.write(column, bytes, from, at)
    }
    this.out[this.length++] = CARRIAGE_RETURN
    this.out[this.length++] = NEWLINE
    if (++this.count === this.full) this.after = this.valuesFrom(bytes, at)
  }

  private write(column: number, bytes: Buffer, from: number, to: number): void {
    const writer = this.writers[column]!
    if (writer === 'plain') this.copy(bytes, from, to)
    else if (writer === 'instant') this.writeInstant(bytes, from, to)
    else if (writer === 'value') this.writeValue(this.parsers[column]!(bytes.toString('utf8', from, to)))
    else if (!this.copiesPlainText(bytes, from, to)) this.writeValue(bytes.toString('utf8', from, to))
  }

  /** False where something is not plain: then nothing has been written. */
  private copiesPlainText(bytes: Buffer, from: number, to: number): boolean {
    if (!isPlainFirst[bytes[from]!] || !isPlainLast[bytes[to - 1]!]) return false
    let length = this.length
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!
      if (!isPlainWithin[byte]) return false
      this.out[length++] = byte
    }
    this.length = length
    return true
  }

  private copy(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; at++) this.out[this.length++] = bytes[at]!
  }

  /** `2026-03-02 09:00:00.12+00` → `2026-03-02T09:00:00.120Z`, as `isoFromPostgres` has it. */
  private writeInstant(bytes: Buffer, from: number, to: number): void {
    this.copy(bytes, from, from + DAY_LENGTH)
    this.out[this.length++] = LETTER_T
    this.copy(bytes, from + DAY_LENGTH + 1, from + SECONDS_LENGTH)
    this.out[this.length++] = POINT
    let digits = 0
    if (bytes[from + SECONDS_LENGTH] === POINT)
      for (let at = from + SECONDS_LENGTH + 1; digits < 3 && at < to && bytes[at]! !== PLUS; at++, digits++)
        this.out[this.length++] = bytes[at]!
    for (; digits < 3; digits++) this.out[this.length++] = ZERO
    this.out[this.length++] = LETTER_Z
  }

  private writeValue(value: unknown): void {
    const text = csvCell(csvValue(value))
    this.reserve(CHARACTER_BYTES_MAX * text.length + this.need)
    this.length += this.out.write(text, this.length, 'utf8')
  }

  private valuesFrom(bytes: Buffer, start: number): unknown[] {
    const values: unknown[] = []
    let at = start
    for (const parse of this.parsers.slice(this.columns)) {
      const length = bytes.readInt32BE(at)
      const from = at + INT32_BYTES
      at = from + Math.max(0, length)
      values.push(length < 0 ? null : parse(bytes.toString('utf8', from, at)))
    }
    return values
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.out.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.out.length, this.length + bytes))
    this.out.copy(larger, 0, 0, this.length)
    this.out = larger
  }
}

type Parser = (text: string) => unknown
/** Copied as it is, copied where it is plain, rewritten, or read and written like any value. */
type Writer = 'plain' | 'text' | 'instant' | 'value'

const { INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, DATE, TEXT, VARCHAR, TIMESTAMPTZ } = pg.types.builtins
const writers = new Map<number, Writer>([
  ...[INT2, INT4, INT8, FLOAT4, FLOAT8].map(type => [type, 'plain'] as const),
  ...[TEXT, VARCHAR, NUMERIC, DATE].map(type => [type, 'text'] as const),
  [TIMESTAMPTZ, 'instant'],
])

const DAY_LENGTH = '2026-03-02'.length
const SECONDS_LENGTH = '2026-03-02 09:00:00'.length
const COMMA = codeOf(',')
const CARRIAGE_RETURN = codeOf('\r')
const NEWLINE = codeOf('\n')
const POINT = codeOf('.')
const PLUS = codeOf('+')
const ZERO = codeOf('0')
const LETTER_T = codeOf('T')
const LETTER_Z = codeOf('Z')

/** Letters of two bytes that are plain: `\u00c0` to `\u027f`. In valid UTF-8, what continues them follows no other byte here. */
const isPlainLetter = (byte: number) => byte >= 0xc3 && byte <= 0xc9
const continues = (byte: number) => byte >= 0x80 && byte <= 0xbf
const isPlainFirst = tableOf(byte => isPlainAscii(byte, '', 'a') || isPlainLetter(byte))
const isPlainWithin = tableOf(byte => isPlainAscii(byte, 'a', 'a') || isPlainLetter(byte) || continues(byte))
const isPlainLast = tableOf(byte => isPlainAscii(byte, 'a', '') || continues(byte))

function tableOf(holds: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(holds(byte)))
}

function isPlainAscii(byte: number, before: string, behind: string): boolean {
  return byte < 0x80 && PLAIN.test(before + String.fromCharCode(byte) + behind)
}

function codeOf(character: string): number {
  return character.charCodeAt(0)
}
