import type { Answers } from './contract.ts'
import { own } from './model.ts'

const NAME_LENGTH_MAX = 60
const NAME = /^[\p{L}\p{M}'’ .-]+$/u
/** A dot with a word right behind it is what mail programs make a link of. */
const LINK = /\.\p{L}{2,}/u

/**
 * `{{key}}` stands for an answer that looks like a name, and for nothing otherwise: what a stranger types is sent to an
 * address that a stranger typed, and must be good for nothing else.
 */
export function filledIn(text: string, values: Answers): string {
  return text.replace(/\{\{\s*([a-z][a-z0-9_]{0,39})\s*\}\}/g, (_, key: string) => nameIn(own(values, key)))
}

export function nameIn(answer: Answers[string] | undefined): string {
  if (typeof answer !== 'string' || answer.length > NAME_LENGTH_MAX) return ''
  return NAME.test(answer) && !LINK.test(answer) ? answer : ''
}
