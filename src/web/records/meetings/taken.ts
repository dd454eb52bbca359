import { isProblem } from '../../problem.ts'

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g

/** If the time was taken meanwhile, the alternatives the server proposes. */
export function takenInstead(error: unknown): string[] | undefined {
  if (!isProblem(error, 409) || error.code !== 'slot_taken') return undefined
  const told = error.errors.flatMap(({ message }) => message.match(INSTANT) ?? [])
  return [...new Set(told.map(at => new Date(at).toISOString()))]
}
