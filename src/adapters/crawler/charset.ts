/** So far into a page its own word on its letters is looked for, as browsers do. */
const SNIFFED_BYTES = 1_024

/**
 * A page as text: by its byte order mark, by what the server says, by what it says itself, else UTF-8. Bytes that are not
 * what they are said to be are taken for what they must be: UTF-8 is hardly ever met by chance, and what is none is
 * nearly always the old letters of the West.
 */
export function decode(bytes: Uint8Array, contentType: string | undefined): string {
  const marked = markOf(bytes)
  if (marked) return new TextDecoder(marked).decode(bytes)
  const told = known(/charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType ?? '')?.[1])
  const own = known(sniffed(bytes))
  const label = told ?? own ?? 'utf-8'
  if (label !== 'utf-8' && label !== 'windows-1252') return new TextDecoder(label).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const other = label === 'windows-1252' ? label : own
    return new TextDecoder(other && other !== 'utf-8' ? other : 'windows-1252').decode(bytes)
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

/** By the name that it has in the standard; none where nobody knows it. */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** If the declaration could be read at all, the page is not UTF-16, whatever it says. */
function sniffed(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, SNIFFED_BYTES))
    .toString('latin1')
    .replace(/<!--.*?(?:-->|$)/gs, '')
  const label =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(beginning)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(beginning)?.[1]
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}
