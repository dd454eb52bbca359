import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'

export const ACCEPTED_ENCODINGS = 'gzip, br'

/** Why a page could not be unpacked, in words. */
export class PackedWrong extends Error {}

type Unpacked = { bytes: Buffer; isCut: boolean }

/**
 * Not one byte more than is wanted comes out of it, however little went in. One that breaks off early is as good as what
 * came of it.
 */
export async function unpack(
  packed: Buffer,
  encoding: string | undefined,
  bytesMax: number,
): Promise<Unpacked> {
  const name = encoding?.trim().toLowerCase() || 'identity'
  if (name === 'identity') return { bytes: packed.subarray(0, bytesMax), isCut: packed.length > bytesMax }
  const unpacker = unpackerOf(name)
  const chunks: Buffer[] = []
  let size = 0
  try {
    unpacker.end(packed)
    for await (const chunk of unpacker as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > bytesMax) break
    }
  } catch (error) {
    throw new PackedWrong('The page could not be decompressed.', { cause: error })
  } finally {
    unpacker.destroy()
  }
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), isCut: size > bytesMax }
}

function unpackerOf(name: string) {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
  if (name === 'br') return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
  throw new PackedWrong(`The page uses an unsupported compression (${name.slice(0, 40)}).`)
}
