/** PostgreSQL has no place for U+0000, and half a surrogate pair is no character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

export const NOT_STORABLE = 'contains U+0000 or half of a surrogate pair'
