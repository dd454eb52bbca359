import type { Lead } from '#domains/leads/contract.ts'

/** What a person is known by, where rows do not name the lead. */
export type Known = { email: string | null; phone: string | null; name: string | null }

/** A one-word name matches too many people. */
export function knownBy({ email, phone, first_name, last_name }: Lead): Known {
  return { email, phone, name: first_name && last_name ? `${first_name} ${last_name}` : null }
}

/**
 * One regular expression for all of it, as PostgreSQL reads them. It never matches within a longer address, number or
 * word: that would be somebody else. Nothing known: nothing is found.
 */
export function patternOf({ email, phone, name }: Known): string {
  const patterns = [
    ...(email ? spellings(email).map(text => `(?<![\\w.+-])${literal(text)}(?![\\w-]|\\.\\w)`) : []),
    ...(phone ? [`(?<!\\d)${literal(phone)}(?!\\d)`] : []),
    ...(name ? spellings(name).map(text => `(?<!\\w)${literal(text)}(?!\\w)`) : []),
  ]
  return patterns.length > 0 ? patterns.join('|') : '(?!)'
}

/** As it is, as JSON writes it, and as an address of the web does. */
function spellings(text: string): string[] {
  return [...new Set([text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])]
}

function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N} ]/gu, '\\$&')
}
