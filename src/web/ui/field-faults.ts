import { inWords, isProblem } from '../problem.ts'
import { asSentence } from './words.ts'

/** What the server finds wrong, by the field it is about; what is about none of `fields` is under ''. */
export function faultsByField(error: unknown, fields: readonly string[]): Record<string, string> {
  if (!isProblem(error) || error.errors.length === 0) return { '': inWords(error) }
  const fieldOf = (path: string) =>
    fields.includes(path) ? path : (fields.find(name => path.endsWith(`.${name}`)) ?? '')
  return Object.fromEntries(error.errors.map(({ path, message }) => [fieldOf(path), asSentence(message)]))
}
