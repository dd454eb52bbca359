import { isAscii, isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { unguarded } from './csv.ts'
import { Problem } from './problem.ts'
import { turns } from './turns.ts'

/** So much of the beginning is looked at to learn how the file is written. */
const HEAD_BYTES = 256 * 1024
/** A quote that is never closed makes one row of all the rest: it is noticed here, and not when the memory is full. */
export const CSV_ROW_CHARACTERS_MAX = 500_000
/** Its first lines say what separates its columns. */
const DIALECT_CHARACTERS = 64 * 1024
const SLICE_CHARACTERS = 16 * 1024
const LINES_COMPARED = 20
const DELIMITERS = [',', ';', '\t', '|'] as const

/** `row` is the number that a spreadsheet shows beside it: the first line of the file is row 1, and empty rows count. */
export type CsvRow = { row: number; cells: string[] }

/**
 * The rows of a CSV file, the header first, while its bytes are still coming in: no more of it is in memory than what is
 * being read. Delimiter and encoding are told from its beginning; empty rows are left out.
 */
export async function* readCsv(caller: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<CsvRow> {
  const chunks = bytes[Symbol.asyncIterator]()
  const head = await headOf(chunks)
  const { start, decode } = decoderFor(head)
  const endTurn = await turns.take(caller)
  const first = decode(head.subarray(start), head.length < HEAD_BYTES)
  const { delimiter, skipped } = dialectOf(first.slice(0, DIALECT_CHARACTERS))
  endTurn()
  let records = 0
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: CSV_ROW_CHARACTERS_MAX,
    // Empty rows are left out here, because the parser's own filter would not count them.
    on_record: (cells: string[], { empty_lines }) => {
      records++
      if (cells.every(cell => cell.trim() === '')) return null
      // The types of the parser know records that are lists of cells, and no others.
      return { row: records + empty_lines, cells } satisfies CsvRow as never
    },
  })
  async function* text(): AsyncGenerator<string> {
    yield* inSlices(first.slice(skipped))
    if (head.length < HEAD_BYTES) return
    for (let next = await chunks.next(); !next.done; next = await chunks.next())
      yield* inSlices(decode(next.value, false))
    yield decode(Buffer.alloc(0), true)
  }
  let rows: CsvRow[] = []
  let fault: Error | undefined
  const closed = new Promise(resolve => parser.once('close', resolve))
  parser.on('data', (row: CsvRow) => rows.push(row)).on('error', error => (fault = error))
  const taken = () => {
    const read = rows.map(({ row, cells }) => ({ row, cells: cells.map(unguarded) }))
    rows = []
    return read
  }
  try {
    for await (const slice of text()) {
      // What else has come in is seen to after each: a file of nothing but commas takes long to read.
      const endTurn = await turns.take(caller)
      parser.write(slice)
      endTurn()
      await setImmediate()
      yield* taken()
      if (fault) throw readable(fault)
    }
    parser.end()
    await closed
    // What came before a fault is as good as ever.
    yield* taken()
    if (fault) throw readable(fault)
  } finally {
    parser.destroy()
  }
}

function* inSlices(text: string): Generator<string> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(at + SLICE_CHARACTERS, text.length)
    if (isFirstHalf(text.charCodeAt(end - 1))) end++
    yield text.slice(at, end)
  }
}

/** A character of two halves is not cut between them. */
function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

async function headOf(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let length = 0; length < HEAD_BYTES;) {
    const { done, value } = await chunks.next()
    if (done) break
    parts.push(value)
    length += value.length
  }
  return Buffer.concat(parts)
}

type Decode = (chunk: Buffer, last: boolean) => string

/** By its mark; else UTF-8 where it is that, and Windows-1252, which spreadsheets write in the west, where it is not. */
function decoderFor(head: Buffer): { start: number; decode: Decode } {
  if (head[0] === 0xff && head[1] === 0xfe) return { start: 2, decode: decoding('utf-16le') }
  if (head[0] === 0xfe && head[1] === 0xff) return { start: 2, decode: decoding('utf-16be') }
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { start: 3, decode: decoding('utf-8') }
  let decided: Decode | undefined
  // As long as there are only plain letters, both are the same.
  const decode: Decode = (chunk, last) => {
    if (!decided && isAscii(chunk)) return chunk.toString('latin1')
    decided ??= decoding(beginsAsUtf8(chunk, last) ? 'utf-8' : 'windows-1252')
    return decided(chunk, last)
  }
  return { start: 0, decode }
}

function decoding(encoding: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  return (chunk, last) => {
    try {
      return decoder.decode(chunk, { stream: !last })
    } catch (cause) {
      throw unreadable(
        `The file starts as ${encoding.toUpperCase()} but contains other encodings. Save it as UTF-8.`,
        cause,
      )
    }
  }
}

/** A character may be cut in two where more is to come. */
function beginsAsUtf8(chunk: Buffer, last: boolean): boolean {
  const cuts = last ? [0] : [0, 1, 2, 3]
  return cuts.some(cut => isUtf8(chunk.subarray(0, Math.max(0, chunk.length - cut))))
}

/** A first line like `sep=;` says it; else it is the one that makes the most columns in the most of the first lines. */
function dialectOf(text: string): { delimiter: string; skipped: number } {
  const told = /^"?sep=([^"\w])"?\r?\n/i.exec(text)
  if (told) return { delimiter: told[1]!, skipped: told[0].length }
  const counts = DELIMITERS.map(delimiter => ({ delimiter, columns: columnsOf(text, delimiter) }))
  const best = counts.map(({ delimiter, columns }) => ({ delimiter, score: scoreOf(columns) }))
  best.sort((a, b) => b.score - a.score)
  return { delimiter: best[0]!.score > 0 ? best[0]!.delimiter : ',', skipped: 0 }
}

/** How often it occurs in each of the first lines, outside of quotes. */
function columnsOf(text: string, delimiter: string): number[] {
  const counts = [0]
  let quoted = false
  let blank = true
  for (const character of text) {
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === delimiter) counts[counts.length - 1]!++
    else if (character === '\n') {
      if (blank) counts[counts.length - 1] = 0
      else if (counts.push(0) > LINES_COMPARED) break
      blank = true
      continue
    }
    blank &&= character === '\r'
  }
  if (blank || counts.length > LINES_COMPARED) counts.pop()
  return counts
}

function scoreOf([header = 0, ...rows]: number[]): number {
  const alike = rows.filter(count => count === header).length
  return header * ((1 + alike) / (1 + rows.length))
}

function readable(error: Error): Error {
  if (!(error instanceof CsvError)) return error
  const line = typeof error.lines === 'number' ? ` (line ${error.lines})` : ''
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return unreadable(`A quote is never closed${line}.`, error)
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return unreadable(
      `A row is longer than ${CSV_ROW_CHARACTERS_MAX} characters${line}. Is a closing quote missing?`,
      error,
    )
  }
  return unreadable(`The file cannot be read as CSV${line}.`, error)
}

function unreadable(message: string, cause: unknown): Problem {
  return new Problem('invalid', message, { code: 'unreadable_csv', cause })
}
