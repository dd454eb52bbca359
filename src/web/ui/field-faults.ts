import { inWords, isProblem } from '../problem.ts'
import { asSentence } from './words.ts'

/** Errors of the server by field; those of no field in `fields` are under ''. */
export function faultsByField(error: unknown, fields: readonly string[]): Record<string, string> {
  if (!isProblem(error) || error.errors.length === 0) return { '': inWords(error) }
  const fieldOf = (path: string) =>
    fields.includes(path) ? path : (fields.find(name => path.endsWith(`.${name}`)) ?? '')
  return Object.fromEntries(error.errors.map(({ path, message }) => [fieldOf(path), asSentence(message)]))
}
