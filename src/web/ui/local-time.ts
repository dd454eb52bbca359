/** An instant as a value of `<input type="datetime-local">`: local time, without a zone. */
export function toLocalInput(at: string | null): string {
  if (!at) return ''
  const date = new Date(at)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** Parses a typed time; null: empty, undefined: invalid, or so far off that it is a typo. */
export function fromLocalInput(text: string): string | null | undefined {
  if (text === '') return null
  const date = new Date(text)
  const year = date.getFullYear()
  return Number.isNaN(year) || year < 1970 || year > 2999 ? undefined : date.toISOString()
}
