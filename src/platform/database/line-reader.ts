const NEWLINE = 10
/** One line of text is never longer; rows are not held in memory at all. */
const LINE_BYTES_MAX = 16 * 1024 * 1024

/** Takes a stream of bytes apart by lines, in constant memory; `seen` is shown every byte that was handed out. */
export class LineReader {
  private readonly source: AsyncIterator<Buffer>
  private readonly seen: (bytes: Buffer) => void
  private rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>, seen: (bytes: Buffer) => void) {
    this.source = source[Symbol.asyncIterator]()
    this.seen = seen
  }

  /** The next line as text. */
  async line(): Promise<string> {
    const parts: Buffer[] = []
    let length = 0
    for await (const part of this.lines(1)) {
      length += part.length
      if (length > LINE_BYTES_MAX) throw new EndOfLines('a line is too long')
      parts.push(part)
    }
    return Buffer.concat(parts).toString('utf8').trimEnd()
  }

  /** The bytes of exactly so many lines, in pieces as they come. */
  async *lines(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      const chunk = await this.more()
      if (!chunk) throw new EndOfLines('it is truncated')
      const { end, found } = endOfLines(chunk, left)
      left -= found
      const piece = chunk.subarray(0, end)
      this.rest = chunk.subarray(end)
      this.seen(piece)
      yield piece
    }
  }

  async atEnd(): Promise<boolean> {
    const chunk = await this.more()
    this.rest = chunk ?? this.rest
    return chunk === undefined
  }

  private async more(): Promise<Buffer | undefined> {
    let chunk = this.rest
    while (chunk.length === 0) {
      const { value, done } = await this.source.next()
      if (done) return undefined
      chunk = value
    }
    return chunk
  }
}

/** The lines do not come as they should. */
export class EndOfLines extends Error {}

/** Where the wanted number of lines ends in the chunk, or the chunk's end when it holds fewer. */
function endOfLines(chunk: Buffer, wanted: number): { end: number; found: number } {
  let at = -1
  for (let found = 0; found < wanted; found++) {
    at = chunk.indexOf(NEWLINE, at + 1)
    if (at === -1) return { end: chunk.length, found }
  }
  return { end: at + 1, found: wanted }
}
