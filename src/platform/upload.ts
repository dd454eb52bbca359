import type { Readable } from 'node:stream'
import { Problem } from './problem.ts'

/**
 * The bytes of a file as they come, counted in `file`. Leaving early must not destroy the connection: the answer goes
 * back on it.
 */
export async function* bounded(
  body: Readable,
  bytesMax: number,
  file: { bytes: number } = { bytes: 0 },
): AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>
  for (;;) {
    const { done, value } = await chunks.next().catch(brokenOff)
    if (done) return
    file.bytes += value.length
    if (file.bytes > bytesMax) throw tooLarge(bytesMax)
    yield value
  }
}

/**
 * The rest of the upload is discarded, so that the response reaches a client that is still sending. A stream
 * with a waiting reader would not continue on its own.
 */
export function drain(body: Readable): void {
  body.removeAllListeners('readable').resume()
}

export function tooLarge(bytesMax: number): Problem {
  const mib = bytesMax / 1024 / 1024
  return new Problem('too_large', `The file is larger than ${mib} MiB. Split it.`, { code: 'file_too_large' })
}

function brokenOff(cause: unknown): never {
  throw new Problem('malformed', 'The upload was interrupted.', { code: 'upload_broken_off', cause })
}
