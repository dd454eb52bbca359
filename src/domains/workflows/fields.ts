import type { Lead } from '#domains/leads/contract.ts'
import type { Comparison } from './definition.ts'

/** What the conditions and texts of a run can name. */
export type Facts = {
  event: Record<string, unknown>
  lead: Lead | null
  /** Where the innermost loop is. */
  loop?: { item: unknown; index: number }
}

/**
 * The value that a field names: `event.…`, `lead.…`, `loop.item`, `loop.index`; a bare name is a field of the event or,
 * where it has none of that name, of the lead. Only what is the data's own is found: a name like `constructor` finds
 * nothing.
 */
export function valueAt(facts: Facts, field: string): unknown {
  const [first, ...rest] = field.split('.') as [string, ...string[]]
  if (rest.length > 0 && first === 'event') return within(facts.event, rest)
  if (rest.length > 0 && first === 'lead') return within(facts.lead, rest)
  if (rest.length > 0 && first === 'loop') return within(facts.loop, rest)
  const path = [first, ...rest]
  return Object.hasOwn(facts.event, first) ? within(facts.event, path) : within(facts.lead, path)
}

export function holds(facts: Facts, { field, op, value }: Comparison): boolean {
  const found = valueAt(facts, field)
  switch (op) {
    case 'exists':
      return isThere(found) === (value !== false)
    case '==':
      return equal(found, value)
    case '!=':
      return !equal(found, value)
    case 'in':
      return listOf(value).some(one => equal(found, one))
    case 'contains':
      return Array.isArray(found)
        ? found.some(one => equal(one, value))
        : textOf(found).toLowerCase().includes(textOf(value).toLowerCase())
    case 'starts_with':
      return isThere(found) && textOf(found).toLowerCase().startsWith(textOf(value).toLowerCase())
    default:
      return inOrder(found, op, value)
  }
}

/** `durationSec is 200: > 120` */
export function wordsFor(facts: Facts, { field, op, value }: Comparison): string {
  const found = valueAt(facts, field)
  const wanted =
    op === 'exists' ? (value === false ? 'must be empty' : 'must not be empty') : `${op} ${shown(value)}`
  return `${field} is ${isThere(found) ? shown(found) : 'empty'}: ${wanted}`
}

const SHOWN_LENGTH_MAX = 80

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text
}

function within(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}

function isThere(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  )
}

/** `200` and `"200"` are the same: what came by a form is text. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isThere(a) || !isThere(b)) return !isThere(a) && !isThere(b)
  if (typeof a === 'object' || typeof b === 'object') return false
  const [x, y] = [numberOf(a), numberOf(b)]
  return x !== undefined && y !== undefined ? x === y : String(a) === String(b)
}

function inOrder(found: unknown, op: '>' | '>=' | '<' | '<=', value: unknown): boolean {
  const pair = comparable(found, value)
  if (!pair) return false
  const [a, b] = pair
  return op === '>' ? a > b : op === '>=' ? a >= b : op === '<' ? a < b : a <= b
}

/** Two numbers or two dates; anything else has no order. */
function comparable(a: unknown, b: unknown): [number, number] | undefined {
  const numbers = [numberOf(a), numberOf(b)]
  if (numbers[0] !== undefined && numbers[1] !== undefined) return [numbers[0], numbers[1]]
  const [x, y] = [timeOf(a), timeOf(b)]
  return x !== undefined && y !== undefined ? [x, y] : undefined
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || !/^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value)) return undefined
  return Number(value)
}

/** The moment that a date or an instant names. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,15}(?:Z|[+-]\d{2}:\d{2}))?$/.test(value))
    return undefined
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? undefined : ms
}

function textOf(value: unknown): string {
  return value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value)
    ? value
    : textOf(value)
        .split(',')
        .map(part => part.trim())
}
