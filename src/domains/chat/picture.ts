/** What a picture is by its first bytes, whatever it was called. Nothing but these three, which no browser runs anything of. */
export type Picture = { type: 'image/png' | 'image/jpeg' | 'image/webp'; width: number; height: number }

export function pictureIn(bytes: Buffer): Picture | undefined {
  const size = pngIn(bytes) ?? webpIn(bytes) ?? jpegIn(bytes)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

function pngIn(bytes: Buffer): Picture | undefined {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG) || textAt(bytes, 12) !== 'IHDR') return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** One of three kinds of frame says the size. */
function webpIn(bytes: Buffer): Picture | undefined {
  if (bytes.length < 30 || textAt(bytes, 0) !== 'RIFF' || textAt(bytes, 8) !== 'WEBP') return undefined
  const type = 'image/webp'
  switch (textAt(bytes, 12)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Segment by segment, to the one that begins the frame. */
function jpegIn(bytes: Buffer): Picture | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at++
      continue
    }
    if (isFrame(marker))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}

/** C4, C8 and CC are no frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4)
}
