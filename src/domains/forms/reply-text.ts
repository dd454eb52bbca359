import type { Answers } from './contract.ts'
import { own } from './model.ts'

const NAME_LENGTH_MAX = 60
const NAME = /^[\p{L}\p{M}'’ .-]+$/u
/** A dot with a word right behind it is what mail programs make a link of. */
const LINK = /\.\p{L}{2,}/u

/**
 * `{{key}}` is replaced by an answer only if it looks like a name: a stranger's text goes to an address a
 * stranger entered, and must not be usable for spam.
 */
export function filledIn(text: string, values: Answers): string {
  return text.replace(/\{\{\s*([a-z][a-z0-9_]{0,39})\s*\}\}/g, (_, key: string) => nameIn(own(values, key)))
}

export function nameIn(answer: Answers[string] | undefined): string {
  if (typeof answer !== 'string' || answer.length > NAME_LENGTH_MAX) return ''
  return NAME.test(answer) && !LINK.test(answer) ? answer : ''
}
