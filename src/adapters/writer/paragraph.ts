/** Far more than is ever asked for; what follows is not looked at. */
const CONTENT_LENGTH_MAX = 10_000

type Limits = {
  characters_max: number
  /** False when the writer was cut off: its last sentence is then not one. */
  whole: boolean
}

/**
 * A model's text, made fit for an email: one paragraph of plain text. Markup, links, surrounding quotes and
 * invisible characters are removed; a text with an unfilled gap, or with nothing left, is rejected.
 */
export function paragraphOf(content: string, { characters_max, whole }: Limits): string {
  const paragraph = firstParagraph(withoutMarkup(content.slice(0, CONTENT_LENGTH_MAX)))
  if (/\{\{|\}\}|\[[^\]]*\]/.test(paragraph)) throw new Error('The text contains an unfilled placeholder.')
  const complete = whole && content.length <= CONTENT_LENGTH_MAX
  const text = shortened(unquoted(paragraph), characters_max, complete)
  if (!/\p{L}/u.test(text)) throw new Error('The text is empty.')
  return text
}

function withoutMarkup(text: string): string {
  return (
    text
      .replace(/<(script|style|think)\b[\s\S]*?<\/\1>/gi, '')
      .replace(/<\/?[a-z][^>]*>/gi, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\b(?:https?:\/\/|www\.)[^\s<>"')\]]+/gi, '')
      .replace(/^\s*(?:#{1,6}|>|[-*•]|\d+[.)])\s+/gm, '')
      .replace(/(\*\*|__|`+|~~)/g, '')
      .replace(/(?<![\p{L}\p{N}])[*_](\S(?:[^*_\n]*\S)?)[*_](?![\p{L}\p{N}])/gu, '$1')
      .replace(/\r\n?/g, '\n')
      // Joiners and the like belong to some scripts; what turns the direction of a line does not.
      .replace(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, ' ')
  )
}

function firstParagraph(text: string): string {
  const [first = ''] = text
    .split(/\n\s*\n/)
    .map(part => part.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
  // A link that went leaves its brackets and the space before the full stop.
  return first
    .replace(/\(\s*\)/g, '')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/ {2,}/g, ' ')
    .trim()
}

const QUOTES = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['‘', '’'],
] as const

function unquoted(text: string): string {
  const pair = QUOTES.find(([open, close]) => text.startsWith(open) && text.endsWith(close))
  const inner = text.slice(1, -1)
  return pair && text.length > 1 && !inner.includes(pair[0]) ? inner.trim() : text
}

/** Ends where a sentence does; a single one that is too long is no sentence any more, and so none is left. */
function shortened(text: string, max: number, whole: boolean): string {
  if (text.length <= max && whole) return text
  const end = text.slice(0, max).search(/[.!?…](?!.*[.!?…](?:\s|$))(?=\s|$)/)
  return end < 0 ? '' : text.slice(0, end + 1)
}
