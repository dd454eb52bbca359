import { isDay, isInstant } from '#platform/clock.ts'
import type { Fault } from '#platform/problem.ts'
import { FAULTS_MAX } from '#platform/schema-check.ts'
import { isStorable, NOT_STORABLE } from '#platform/storable.ts'
import type { Filterable, FilterField } from './fields.ts'
import {
  ACTIVITY_COUNT_MAX,
  countOperators,
  FILTER_CONDITIONS_MAX,
  FILTER_DEPTH_MAX,
  FILTER_LIST_MAX,
  FILTER_TEXT_LENGTH_MAX,
  MONEY,
  operatorsOf,
  WITHIN,
  type Operator,
} from './values.ts'

/** What is wrong with a filter, each with its path; nothing where it is right, and then it is a `Filter`. */
export function faultsInFilter(filter: unknown, filterable: Filterable<never>, path = 'filter'): Fault[] {
  const faults: Fault[] = []
  const seen = { conditions: 0 }
  check(filter, path, 1, { filterable, faults, seen })
  if (seen.conditions <= FILTER_CONDITIONS_MAX) return faults
  return [{ path, message: `can have at most ${FILTER_CONDITIONS_MAX} conditions` }]
}

type Checking = { filterable: Filterable<never>; faults: Fault[]; seen: { conditions: number } }
type Fields = Record<string, unknown>

function check(filter: unknown, path: string, depth: number, checking: Checking): void {
  const { faults, seen } = checking
  // Nothing after that is looked at: a large body has room for hundreds of thousands of wrong parts.
  if (seen.conditions > FILTER_CONDITIONS_MAX || faults.length >= FAULTS_MAX) return
  if (depth > FILTER_DEPTH_MAX)
    return void faults.push({ path, message: `can be nested at most ${FILTER_DEPTH_MAX} deep` })
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    return void faults.push({ path, message: 'must be a filter' })
  const kind = kinds.find(({ key }) => Object.hasOwn(filter, key))
  if (!kind) return void faults.push({ path, message: 'must have one of and, or, not, field and activity' })
  const unknown = Object.keys(filter).find(name => !kind.names.includes(name))
  if (unknown !== undefined)
    return void faults.push({ path: `${path}.${unknown.slice(0, 60)}`, message: 'is not a known field' })
  kind.check(filter as Fields, path, depth, checking)
}

const kinds = [
  { key: 'and', names: ['and'], check: checkGroup('and') },
  { key: 'or', names: ['or'], check: checkGroup('or') },
  {
    key: 'not',
    names: ['not'],
    check: ({ not }: Fields, path: string, depth: number, checking: Checking) =>
      check(not, `${path}.not`, depth + 1, checking),
  },
  { key: 'field', names: ['field', 'op', 'value'], check: checkComparison },
  { key: 'activity', names: ['activity', 'op', 'value', 'within'], check: checkActivity },
]

function checkGroup(word: 'and' | 'or') {
  return (group: Fields, path: string, depth: number, checking: Checking): void => {
    const parts = group[word]
    if (!Array.isArray(parts) || parts.length === 0)
      return void checking.faults.push({ path: `${path}.${word}`, message: 'must be a list of filters' })
    // What is in so long a list need not be looked at to know that it is too much.
    if (parts.length > FILTER_CONDITIONS_MAX) checking.seen.conditions += parts.length
    for (const [at, part] of parts.entries()) check(part, `${path}.${word}[${at}]`, depth + 1, checking)
  }
}

function checkComparison(
  { field: name, op, value }: Fields,
  path: string,
  _: number,
  checking: Checking,
): void {
  const { filterable, faults, seen } = checking
  seen.conditions++
  const field = filterable.fields.find(candidate => candidate.name === name)
  if (!field) return void faults.push({ path: `${path}.field`, message: 'is not a field of this record' })
  const allowed: readonly string[] = operatorsOf[field.type]
  if (!allowed.includes(op as string))
    return void faults.push({ path: `${path}.op`, message: `must be one of ${allowed.join(', ')}` })
  const message = valueFault(field, op as Operator, value)
  if (message) faults.push({ path: `${path}.value`, message })
}

function valueFault(field: FilterField<never>, op: Operator, value: unknown): string | undefined {
  switch (op) {
    case 'is_empty':
    case 'is_not_empty':
      return value === undefined ? undefined : 'must be left out'
    case 'is_any_of':
    case 'is_none_of':
      return listFault(field, value)
    case 'between':
      if (!Array.isArray(value) || value.length !== 2) return 'must be a list of two values'
      return oneFault(field, value[0]) ?? oneFault(field, value[1])
    case 'within':
      return withinFault(value, field.type === 'date' ? 'd' : 'mhd')
    default:
      return oneFault(field, value)
  }
}

function listFault(field: FilterField<never>, values: unknown): string | undefined {
  if (!Array.isArray(values) || values.length === 0 || values.length > FILTER_LIST_MAX)
    return `must be a list of 1 to ${FILTER_LIST_MAX} values`
  for (const value of values) {
    const fault = oneFault(field, value)
    if (fault) return fault
  }
  return undefined
}

function oneFault({ type, options }: FilterField<never>, value: unknown): string | undefined {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a number'
    case 'money':
      return typeof value === 'string' && MONEY.test(value) ? undefined : 'must be an amount like "1250.50"'
    case 'checkbox':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'date':
      return typeof value === 'string' && isDay(value) ? undefined : 'must be a date like 2026-03-31'
    case 'time':
      if (typeof value === 'string' && (isDay(value) || isInstant(value))) return undefined
      return 'must be a date like 2026-03-31 or a time like 2026-03-31T09:00:00Z'
    case 'record':
      return typeof value === 'string' && ID.test(value) ? undefined : 'must be an ID'
    case 'choice':
      if (typeof value === 'string' && (!options || options.includes(value))) return textFault(value)
      return `must be one of ${options?.join(', ')}`
    default:
      return textFault(value)
  }
}

function textFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return 'must be text'
  if (value.length > FILTER_TEXT_LENGTH_MAX) return `can have at most ${FILTER_TEXT_LENGTH_MAX} characters`
  return isStorable(value) ? undefined : NOT_STORABLE
}

function withinFault(value: unknown, units: string): string | undefined {
  const unit = typeof value === 'string' ? WITHIN.exec(value)?.[3] : undefined
  if (unit && units.includes(unit)) return undefined
  return units === 'd'
    ? 'must be days like -14d or 30d'
    : 'must be a time like -14d, 30d, -12h or 90m, up to 99999'
}

function checkActivity(
  filter: Fields,
  path: string,
  _: number,
  { filterable, faults, seen }: Checking,
): void {
  const { activity, op, value, within } = filter
  seen.conditions++
  if (!filterable.activities.some(({ name }) => name === activity))
    faults.push({ path: `${path}.activity`, message: 'is not an activity that can be counted' })
  if (!countOperators.includes(op as never))
    faults.push({ path: `${path}.op`, message: `must be one of ${countOperators.join(', ')}` })
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > ACTIVITY_COUNT_MAX)
    faults.push({
      path: `${path}.value`,
      message: `must be a whole number from 0 to ${ACTIVITY_COUNT_MAX}`,
    })
  if (within === undefined) return
  const message = withinFault(within, 'mhd')
  if (message) faults.push({ path: `${path}.within`, message })
}

const ID = /^[0-9a-f]{24}$/
