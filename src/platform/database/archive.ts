import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline as connect } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { EndOfLines, LineReader } from './line-reader.ts'

/**
 * The backup file, once unpacked with gzip: a line of JSON that says what is inside, the rows of each table in that
 * order as PostgreSQL's COPY writes them, and a line of JSON with the checksum of everything before it.
 */
export type ArchiveHeader = {
  format: 'rapport-backup'
  version: 1
  made_at: string
  postgres: string
  migrations: { name: string; checksum: string }[]
  tables: ArchivedTable[]
  sequences: { name: string; value: string }[]
}
export type ArchivedTable = { name: string; columns: string[]; rows: number }

/** The file is not what it should be: no backup, a damaged one, or one of a later format. */
export class ArchiveError extends Error {}

/** The file appears under its name only when it is whole and on the disk. Answers its size. */
export async function writeArchive(
  file: string,
  header: ArchiveHeader,
  rowsOf: (table: ArchivedTable) => AsyncIterable<Buffer>,
): Promise<number> {
  const draft = `${file}.part`
  const out = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  try {
    // The fastest level: the product keeps running beside it, and more effort saves little.
    await pipeline(contents(header, rowsOf), createGzip({ level: constants.Z_BEST_SPEED }), out)
    await rename(draft, file)
  } catch (error) {
    // A draft that was there before belongs to a backup that is being written at this moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(draft, { force: true })
    throw error
  }
  return out.bytesWritten
}

/** Goes through the whole file; answers its header when every byte is as it was written. */
export async function readArchive(
  file: string,
  begin: (header: ArchiveHeader) => Promise<void> | void = () => {},
  take: (table: ArchivedTable, rows: AsyncIterable<Buffer>) => Promise<void> = drain,
): Promise<ArchiveHeader> {
  const unpacked = createGunzip()
  // A failure to read surfaces where the unpacked bytes are awaited.
  connect(createReadStream(file), unpacked, () => {})
  const hash = createHash('sha256')
  const reader = new LineReader(unpacked, bytes => void hash.update(bytes))
  try {
    const header = parseHeader(await reader.line())
    await begin(header)
    for (const table of header.tables) await take(table, reader.lines(table.rows))
    const sum = hash.copy().digest('hex')
    const trailer = JSON.parse(await reader.line()) as { sha256?: string }
    if (trailer.sha256 !== sum || !(await reader.atEnd())) throw new EndOfLines('its checksum does not match')
    return header
  } catch (error) {
    if (isUnreadable(error)) throw new ArchiveError(`${file} cannot be read: ${(error as Error).message}.`)
    if (isDamage(error))
      throw new ArchiveError(`${file} is damaged or is not a Rapport backup: ${(error as Error).message}.`)
    throw error
  } finally {
    unpacked.destroy()
  }
}

async function* contents(header: ArchiveHeader, rowsOf: (table: ArchivedTable) => AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  const first = Buffer.from(`${JSON.stringify(header)}\n`)
  hash.update(first)
  yield first
  for (const table of header.tables) {
    for await (const chunk of rowsOf(table)) {
      hash.update(chunk)
      yield chunk
    }
  }
  yield Buffer.from(`${JSON.stringify({ sha256: hash.digest('hex') })}\n`)
}

function parseHeader(line: string): ArchiveHeader {
  const header = JSON.parse(line) as ArchiveHeader
  if (header.format !== 'rapport-backup') throw new EndOfLines('it does not start like one')
  if (header.version !== 1)
    throw new ArchiveError(
      `The backup has format ${header.version}; this version of Rapport supports format 1. Update Rapport.`,
    )
  return header
}

async function drain(_: ArchivedTable, rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of rows);
}

function isUnreadable(error: unknown): boolean {
  return ['ENOENT', 'EACCES', 'EISDIR', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function isDamage(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return error instanceof EndOfLines || error instanceof SyntaxError || code.startsWith('Z_')
}
