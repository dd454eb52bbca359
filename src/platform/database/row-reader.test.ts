import fc from 'fast-check'
import { DataRowMessage } from 'pg-protocol/dist/messages.js'
import { expect, test } from 'vitest'
import { Parser } from './pg-internals.ts'
import { ReceivedRow, RowParser } from './row-reader.ts'

/** What the server sends for a row. */
function rowOf(fields: readonly (string | null)[]): Buffer {
  const parts = fields.flatMap(field => {
    if (field === null) return [int32(-1)]
    const bytes = Buffer.from(field)
    return [int32(bytes.length), bytes]
  })
  const body = Buffer.concat([Buffer.from([fields.length >> 8, fields.length & 255]), ...parts])
  return Buffer.concat([Buffer.from('D'), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const complete = Buffer.concat([Buffer.from('C'), int32(4 + 9), Buffer.from('SELECT 3\0')])

function read(parser: InstanceType<typeof Parser>, chunks: readonly Buffer[]): unknown[] {
  const messages: unknown[] = []
  for (const chunk of chunks) parser.parse(Buffer.from(chunk), message => messages.push(asPgHasIt(message)))
  return messages
}

/** Its fields are read while its bytes are valid. */
function asPgHasIt(message: unknown): unknown {
  if (!(message instanceof ReceivedRow)) return message
  const row = new DataRowMessage(message.length, message.fields)
  row.length = message.length
  return row
}

const field = fc.option(
  fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '',
      'é',
      '\u0000',
      '\u007f',
      '\u0080',
      '€',
      '😀',
      'x'.repeat(200),
      'x'.repeat(16_370),
      'x'.repeat(16_400),
      'é'.repeat(70_000),
    ),
  ),
)

test('rows are what pg reads, however they are cut into pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { maxLength: 8 }), { maxLength: 6 }),
      fc.array(fc.nat({ max: 400_000 }), { maxLength: 8 }),
      (rows, cuts) => {
        const bytes = Buffer.concat([...rows.map(rowOf), complete])
        const ends = [...cuts.filter(cut => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]
        const chunks = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
        const messages = read(new RowParser(), chunks)
        expect(messages).toEqual(read(new Parser(), chunks))
        expect(messages.slice(0, -1)).toMatchObject(rows.map(fields => ({ name: 'dataRow', fields })))
      },
    ),
    { numRuns: 150 },
  )
})
