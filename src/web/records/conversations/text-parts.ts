/** A text of strangers in parts: plain words, links that may be followed, and mentioned members. */
export type TextPart = { kind: 'text' | 'link' | 'mention'; text: string }

/** A full stop or bracket after an address belongs to the sentence. */
const LINK = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'])/i

export function textParts(text: string, mentioned: readonly string[] = []): TextPart[] {
  return text.split(LINK).flatMap((piece, at) => {
    if (piece === '') return []
    return at % 2 === 1 ? [{ kind: 'link' as const, text: piece }] : mentionParts(piece, mentioned)
  })
}

function mentionParts(text: string, names: readonly string[]): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { at, name } of mentionsIn(text, names)) {
    if (at > from) parts.push({ kind: 'text', text: text.slice(from, at) })
    from = at + name.length + 1
    parts.push({ kind: 'mention', text: text.slice(at, from) })
  }
  return from < text.length ? [...parts, { kind: 'text', text: text.slice(from) }] : parts
}

/** Where these names stand behind an @. Of two that fit, the longer one is meant. */
export function mentionsIn(text: string, names: readonly string[]): { at: number; name: string }[] {
  const byLength = names.filter(Boolean).toSorted((a, b) => b.length - a.length)
  const found: { at: number; name: string }[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const rest = text.slice(at + 1)
    const name = byLength.find(
      each => rest.toLowerCase().startsWith(each.toLowerCase()) && endsAt(rest, each.length),
    )
    if (name !== undefined) found.push({ at, name })
  }
  return found
}

function endsAt(text: string, end: number): boolean {
  return !/[\p{L}\p{N}_]/u.test(text.charAt(end))
}

/** The name that is being typed behind an @, up to the caret. */
export function typedMention(text: string, caret: number): { at: number; typed: string } | undefined {
  const found = /(?:^|[\s(])@([\p{L}\p{N}._'’-]*(?: [\p{L}\p{N}._'’-]*)?)$/u.exec(text.slice(0, caret))
  if (!found) return undefined
  const typed = found[1] ?? ''
  return { at: caret - typed.length - 1, typed }
}
