import { createHash } from 'node:crypto'
import type { Seen } from './ledger.ts'

const SMALLEST_BYTES = 10_000
const TYPES = { pdf: 'application/pdf', png: 'image/png', txt: 'text/plain', bin: 'application/octet-stream' }

export type TestFile = { name: string; type: string; bytes: Buffer }

/** A file whose bytes no other has. Small ones are as frequent as large ones. */
export function makeFile(random: () => number, name: string, bytesMax: number): TestFile {
  const size = Math.round(SMALLEST_BYTES * (bytesMax / SMALLEST_BYTES) ** random())
  const [ending, type] = Object.entries(TYPES)[Math.floor(random() * 4)]!
  // Some have names that do not fit into a header as they are.
  const word = random() < 0.3 ? 'Müller & Söhne – Angebot' : 'offer'
  const blocks = Array.from({ length: Math.ceil(size / 64) }, (_, at) =>
    createHash('sha512').update(`${name} ${random()} ${at}`).digest(),
  )
  return { name: `${word} ${name}.${ending}`, type, bytes: Buffer.concat(blocks).subarray(0, size) }
}

export function seen({ name, bytes }: { name: string; bytes: Uint8Array }): Seen {
  return { name, size: bytes.length, digest: digestOf(bytes) }
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function describe(files: readonly Seen[]): string {
  return files.map(({ name, size, digest }) => `${name} ${size} ${digest.slice(0, 12)}`).join(', ')
}
