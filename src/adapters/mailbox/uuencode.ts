export type Unpacked = { name: string; bytes: Uint8Array<ArrayBuffer> }

/** Old programs set files into the text, between `begin 644 name` and `end`. One that is broken stays text. */
export function withoutUuencoded(text: string): { text: string; files: Unpacked[] } {
  if (!/^begin [0-7]{3,4} \S/m.test(text)) return { text, files: [] }
  const lines = text.split('\n')
  const kept: string[] = []
  const files: Unpacked[] = []
  for (let at = 0; at < lines.length; at++) {
    const name = /^begin [0-7]{3,4} (\S.*)$/.exec(lines[at]!)?.[1]
    const file = name === undefined ? undefined : readFrom(lines, at + 1)
    if (name === undefined || !file) {
      kept.push(lines[at]!)
      continue
    }
    files.push({ name: name.trim(), bytes: file.bytes })
    at = file.end
  }
  return { text: kept.join('\n'), files }
}

function readFrom(lines: readonly string[], start: number) {
  const parts: Buffer[] = []
  for (let at = start; at < lines.length; at++) {
    const line = lines[at]!.trimEnd()
    if (line === 'end')
      return parts.length > 0 ? { bytes: new Uint8Array(Buffer.concat(parts)), end: at } : undefined
    if (line === '' || line === '`') continue
    const part = readLine(line)
    if (!part) return undefined
    parts.push(part)
  }
  return undefined
}

/** Its length, then four characters for every three bytes; a space at its end may be lost on the way. */
function readLine(line: string): Buffer | undefined {
  if (/[^ -`]/.test(line)) return undefined
  const length = (line.charCodeAt(0) - 32) & 63
  const sent = Math.ceil(length / 3) * 4
  // Some add a character that counts the others.
  if (line.length - 1 > sent + 1) return undefined
  const code = (at: number) => ((line.charCodeAt(at) || 32) - 32) & 63
  const bytes = Buffer.alloc((sent / 4) * 3)
  for (let group = 0; group < sent / 4; group++) {
    const at = 1 + group * 4
    bytes.writeUIntBE(
      (code(at) << 18) | (code(at + 1) << 12) | (code(at + 2) << 6) | code(at + 3),
      group * 3,
      3,
    )
  }
  return bytes.subarray(0, length)
}
