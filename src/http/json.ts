import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { FAULTS_MAX } from '#platform/schema-check.ts'
import { isStorable, NOT_STORABLE } from '#platform/storable.ts'

export const JSON_DEPTH_MAX = 32

/**
 * Parses a body, refusing deep nesting that would be expensive to walk, and text that no database can store,
 * unless the caller handles that.
 */
export function parseJson(text: string, { keepBroken = false } = {}): unknown {
  if (depthOf(text) > JSON_DEPTH_MAX) {
    throw new Problem('malformed', `JSON can be nested at most ${JSON_DEPTH_MAX} levels deep.`, {
      code: 'json_too_deep',
    })
  }
  const value = parse(text)
  // Only an escape can bring such a character in, so that most bodies need no walk.
  if (!keepBroken && SUSPICIOUS_ESCAPE.test(text)) refuseBrokenText(value)
  return value
}

const SUSPICIOUS_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/

const QUOTE = 34
const BACKSLASH = 92
const OPEN = new Set([91, 123])
const CLOSE = new Set([93, 125])

/** Counts brackets outside strings, without recursion. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (OPEN.has(code)) deepest = Math.max(deepest, ++depth)
    else if (CLOSE.has(code)) depth--
  }
  return deepest
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = (error as Error).message.slice(0, 200)
    throw new Problem('malformed', `The request body is not valid JSON: ${reason}`, {
      code: 'malformed_json',
    })
  }
}

function refuseBrokenText(value: unknown): void {
  const faults: Fault[] = []
  visit(value, '', faults)
  if (faults.length > 0) throw invalid(faults)
}

function visit(value: unknown, path: string, faults: Fault[]): void {
  if (faults.length >= FAULTS_MAX) return
  if (typeof value === 'string') {
    if (!isStorable(value)) faults.push({ path, message: NOT_STORABLE })
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) visit(item, `${path}[${at}]`, faults)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (faults.length >= FAULTS_MAX) return
      if (!isStorable(key)) faults.push({ path, message: `has a field whose name ${NOT_STORABLE}` })
      else visit(item, path ? `${path}.${key}` : key, faults)
    }
  }
}
