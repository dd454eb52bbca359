const COMPRESSED = 0x75465a4c
const PLAIN = 0x414c454d
const WINDOW = 4_096
const RTF_BYTES_MAX = 4 * 1024 * 1024

/** What every dictionary begins with (MS-OXRTFCP). */
const BEGINNING =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'

/** How Outlook keeps formatted text: references into the last 4,096 bytes, in groups of eight. */
export function decompressRtf(data: Buffer): Uint8Array<ArrayBuffer> {
  const size = Math.min(data.readUInt32LE(4), RTF_BYTES_MAX)
  const kind = data.readUInt32LE(8)
  if (kind === PLAIN) return new Uint8Array(data.subarray(16, 16 + size))
  if (kind !== COMPRESSED) throw new Error('is no compressed RTF')
  const window = Buffer.alloc(WINDOW)
  let place = window.write(BEGINNING, 'latin1')
  const out = Buffer.alloc(size)
  let length = 0
  const put = (byte: number) => {
    if (length < size) out[length++] = byte
    window[place] = byte
    place = (place + 1) % WINDOW
  }
  for (let at = 16; at < data.length && length < size;) {
    const flags = data[at++]!
    for (let bit = 0; bit < 8 && at < data.length; bit++) {
      if ((flags & (1 << bit)) === 0) {
        put(data[at++]!)
        continue
      }
      if (at + 1 >= data.length) return new Uint8Array(out.subarray(0, length))
      const reference = data.readUInt16BE(at)
      at += 2
      const offset = reference >> 4
      if (offset === place) return new Uint8Array(out.subarray(0, length))
      for (let step = 0; step < (reference & 15) + 2; step++) put(window[(offset + step) % WINDOW]!)
    }
  }
  return new Uint8Array(out.subarray(0, length))
}
