/** An instant as `<input type="datetime-local">` has it: the person's own clock, without a zone. */
export function toLocalInput(at: string | null): string {
  if (!at) return ''
  const date = new Date(at)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** What was typed as an instant; null: nothing. Undefined: not a time, or one so odd that it is a slip. */
export function fromLocalInput(text: string): string | null | undefined {
  if (text === '') return null
  const date = new Date(text)
  const year = date.getFullYear()
  return Number.isNaN(year) || year < 1970 || year > 2999 ? undefined : date.toISOString()
}
