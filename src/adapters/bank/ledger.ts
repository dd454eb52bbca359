import { createHash } from 'node:crypto'
import { access, constants, mkdir, open, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Bank, BankInvoice } from '#platform/ports/bank.ts'
import { parsed } from '#platform/provider-call.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const REFERENCE_HASH_LENGTH = 12

/** A line of the file. */
type Entry = { key: string; reference: string; told_at: string; invoice: BankInvoice }

/**
 * The embedded default: no bank hears of it. Each paid invoice is a line of a file to which lines are only ever added,
 * and is on disk before its reference is answered; a key that the file has already is answered as it was the first time.
 */
export function openLedger({ file }: { file: string }): Bank {
  const known = new Map<string, string>()
  let readBytes = 0
  let last: Promise<unknown> = Promise.resolve()

  /** What was added since the last look, by this process or another. A line without its end is not one yet. */
  async function readOn(ledger: FileHandle): Promise<{ tornEnd: boolean }> {
    const { size } = await ledger.stat()
    const bytes = Buffer.alloc(size - readBytes)
    const { bytesRead } = await ledger.read(bytes, 0, bytes.length, readBytes)
    const end = bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1
    for (const line of bytes.toString('utf8', 0, end).split('\n')) {
      const { key, reference } = parsed<Entry>(line) ?? {}
      if (typeof key === 'string' && typeof reference === 'string') known.set(key, reference)
    }
    readBytes += end
    return { tornEnd: end < bytesRead }
  }

  async function book(invoice: BankInvoice, key: string): Promise<{ reference: string }> {
    await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE })
    const ledger = await open(file, 'a+', FILE_MODE)
    try {
      const { tornEnd } = await readOn(ledger)
      const before = known.get(key)
      if (before !== undefined) return { reference: before }
      const entry: Entry = { key, reference: referenceOf(key), told_at: new Date().toISOString(), invoice }
      // What a crash has left half written stays, as a line that says nothing.
      await ledger.appendFile(`${tornEnd ? '\n' : ''}${JSON.stringify(entry)}\n`)
      await ledger.datasync()
      return { reference: entry.reference }
    } finally {
      await ledger.close()
    }
  }

  return {
    kind: 'ledger',
    sync(invoice, key) {
      // One after the other: of two that tell the same, the second finds the line of the first.
      const booking = last.then(() => book(invoice, key))
      last = booking.catch(() => {})
      return booking
    },
    async check() {
      await access(await nearest(file), constants.W_OK)
    },
    async close() {
      await last
    },
  }
}

function referenceOf(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, REFERENCE_HASH_LENGTH)
  return `LEDGER-${hash.toUpperCase()}`
}

/** The file comes with the first paid invoice; until then it matters whether it can be made. */
async function nearest(path: string): Promise<string> {
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return there ? path : await nearest(dirname(path))
}
