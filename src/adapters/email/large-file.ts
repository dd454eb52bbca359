import { Readable } from 'node:stream'

/** Encoding that much at once takes some milliseconds; of a whole file of 25 MiB, half a second. */
const SLICE_BYTES = 64 * 1024
const AT_ONCE_BYTES_MAX = 1024 * 1024

type Node = { content?: unknown; childNodes?: readonly Node[] }

const wholes = new WeakMap<object, Buffer>()

/** A file as the composer takes it: a large one piece by piece, so that the process does other work in between. */
export function inSlices(bytes: Buffer): Buffer | Readable {
  if (bytes.length <= AT_ONCE_BYTES_MAX) return bytes
  const stream = Readable.from(slices(bytes), { objectMode: false })
  wholes.set(stream, bytes)
  return stream
}

/** A mail that is composed once more, because its connection was gone, needs its files from the beginning. */
export function rewind(node: Node): void {
  const whole = typeof node.content === 'object' && node.content !== null && wholes.get(node.content)
  if (whole) node.content = inSlices(whole)
  for (const child of node.childNodes ?? []) rewind(child)
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES)
}
