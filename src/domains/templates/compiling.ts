import { Problem } from '#platform/problem.ts'
import { openThread, TooHard } from '#platform/thread.ts'
import { compile, refuseDeepNests, type Compiled, type Source } from './render.ts'

/** Whatever is in a text of this length, it is made ready within milliseconds. */
const SHORT_LENGTH_MAX = 5_000
const CPU_MAX_MS = 1_000
const REMEMBERED_MAX = 100

export type Question = { template: Source; customKeys: readonly string[] }

const thread = openThread<Question, Compiled>(new URL('./compile-thread.ts', import.meta.url), {
  cpuMs: CPU_MAX_MS,
})
const remembered = new Map<string, Promise<Compiled>>()

/**
 * Makes a template of any length ready. Markdown has texts that take a reader minutes, such as a line of nothing but
 * stars: a long one is read in a thread, and refused when it takes too long.
 */
export async function compileAny(
  { subject, body, format }: Source,
  customKeys: readonly string[],
): Promise<Compiled> {
  const template = { subject, body, format }
  if (body.length <= SHORT_LENGTH_MAX) return compile(template, customKeys)
  if (format === 'markdown') refuseDeepNests(body)
  const key = JSON.stringify([format, subject, body, customKeys])
  const known = remembered.get(key)
  if (known) return known
  const made = thread.ask({ template, customKeys }).catch((error: unknown) => {
    remembered.delete(key)
    throw error instanceof TooHard ? tooHard(error) : error
  })
  if (remembered.size >= REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!)
  remembered.set(key, made)
  return made
}

function tooHard(cause: TooHard): Problem {
  const message = `The text ${cause.message}: make it shorter or simpler.`
  return new Problem('invalid', message, {
    code: 'text_too_hard',
    errors: [{ path: 'body', message: cause.message }],
    cause,
  })
}
