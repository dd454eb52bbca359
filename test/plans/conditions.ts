/** `((a = 1) AND (b OR c))` → `(a = 1)`, `(b OR c)` */
export function conjunctsOf(filter: string): string[] {
  const text = isEnclosed(filter) ? filter.slice(1, -1) : filter
  const parts: string[] = []
  let depth = 0
  let begin = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')') depth--
    else if (depth === 0 && text.startsWith(' AND ', at)) {
      parts.push(text.slice(begin, at))
      begin = at + ' AND '.length
    }
  }
  return [...parts, text.slice(begin)].filter(Boolean)
}

function isEnclosed(text: string): boolean {
  if (!text.startsWith('(')) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at === text.length - 1
  }
  return false
}

/** Without the brackets around it. */
export function bare(text: string): string {
  return isEnclosed(text) ? bare(text.slice(1, -1)) : text
}
