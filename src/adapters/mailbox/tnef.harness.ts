/** Containers as Outlook packs them, of a few attributes. */
export function tnef(
  files: readonly Buffer[],
  { text, html, rtf }: { text?: string; html?: string; rtf?: Buffer } = {},
): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt32LE(0x223e9f78)
  const properties = [
    ...(html === undefined ? [] : [binary(0x1013, Buffer.from(html))]),
    ...(rtf === undefined ? [] : [binary(0x1009, rtf)]),
  ]
  return Buffer.concat([
    head,
    attribute(1, 0x0006_9007, Buffer.from([0xe4, 4, 0, 0, 0, 0, 0, 0])),
    ...(text === undefined ? [] : [attribute(1, 0x0002_800c, Buffer.from(`${text}\0`, 'latin1'))]),
    ...(properties.length > 0 ? [attribute(1, 0x0006_9003, all(properties))] : []),
    ...files,
  ])
}

export function tnefFile(short: string, long: string, content: string): Buffer {
  const named = Buffer.alloc(24)
  named.writeUInt32LE(0, 16)
  named.writeUInt32LE(1, 20)
  return Buffer.concat([
    attribute(2, 0x0006_9002, Buffer.alloc(14)),
    attribute(2, 0x0001_8010, Buffer.from(`${short}\0`)),
    attribute(2, 0x0006_800f, Buffer.from(content)),
    attribute(
      2,
      0x0006_9005,
      all([
        // One of a program's own, named by a number; a date; and several values of one.
        Buffer.concat([word(0x0003), word(0x8001), named, Buffer.alloc(4)]),
        Buffer.concat([word(0x0040), word(0x3007), Buffer.alloc(8)]),
        Buffer.concat([
          word(0x101e),
          word(0x3a58),
          count(2),
          counted(Buffer.from('a\0')),
          counted(Buffer.from('b\0')),
        ]),
        Buffer.concat([word(0x001f), word(0x3707), count(1), counted(Buffer.from(`${long}\0`, 'utf16le'))]),
        Buffer.concat([word(0x001e), word(0x370e), count(1), counted(Buffer.from('application/pdf\0'))]),
        Buffer.concat([word(0x001e), word(0x3712), count(1), counted(Buffer.from('img1\0'))]),
      ]),
    ),
  ])
}

function all(properties: readonly Buffer[]): Buffer {
  return Buffer.concat([count(properties.length), ...properties])
}

function binary(id: number, bytes: Buffer): Buffer {
  return Buffer.concat([word(0x0102), word(id), count(1), counted(bytes)])
}

function attribute(level: number, tag: number, data: Buffer): Buffer {
  const sum = data.reduce((total, byte) => (total + byte) & 0xffff, 0)
  return Buffer.concat([Buffer.from([level]), count(tag), count(data.length), data, word(sum)])
}

function counted(bytes: Buffer): Buffer {
  return Buffer.concat([count(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}

function count(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function word(value: number): Buffer {
  return count(value).subarray(0, 2)
}
