import { SLUG_LENGTH_MAX } from './values.ts'

/** Addresses below /f that are no form's. */
const RESERVED = new Set(['assets', 'embed'])
/** Room for `-2`, `-3` and so on behind it. */
const ENDING_LENGTH_MAX = 6

/** `Kontakt für Händler` → `kontakt-fur-handler` */
export function slugFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX - ENDING_LENGTH_MAX)
    .replace(/^-+|-+$/g, '')
  return plain || 'form'
}

export function isSlug(text: string): boolean {
  return text.length <= SLUG_LENGTH_MAX && /^[a-z0-9-]+$/.test(text)
}

export function isReserved(slug: string): boolean {
  return RESERVED.has(slug)
}

/** The slug itself, or the first of `slug-2`, `slug-3` … that nobody has. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  const isFree = (slug: string) => !taken.has(slug) && !isReserved(slug)
  if (isFree(wanted)) return wanted
  const stem = wanted.slice(0, SLUG_LENGTH_MAX - ENDING_LENGTH_MAX).replace(/-+$/, '')
  let n = 2
  while (!isFree(`${stem}-${n}`)) n++
  return `${stem}-${n}`
}
