import { isScope, scopes } from '#platform/scopes.ts'

export type Row = { name: string; value: unknown }
export type Change = { name: string; before: unknown; after: unknown }

type Data = Record<string, unknown>

/** Splits the data of an event, of any shape, into changes and other values. */
export function detailsOf(type: string, data: Data): { changes: Change[]; rows: Row[] } {
  const { before, after, ...rest } = data
  const rows = flat(rest).map(([name, value]) => ({ name, value }))
  if (!('before' in data) && !('after' in data)) return { changes: [], rows }
  return { changes: changesBetween(type, before, after), rows }
}

/** A value as plain text: lists line by line, records name by name. Undefined if only JSON can show it. */
export function simplyPut(value: unknown): string | undefined {
  if (typeof value === 'string') return isScope(value) ? scopes[value] : value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return String(value)
  if (!Array.isArray(value)) return undefined
  const lines = value.map(item =>
    isRecord(item) ? recordOnOneLine(item) : isPlain(item) ? simplyPut(item) : undefined,
  )
  return lines.includes(undefined) ? undefined : lines.join('\n')
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** `pipeline_stage` → "Pipeline stage", `custom.team_size` → "Custom, team size". */
export function nameInWords(name: string): string {
  const text = name.replaceAll('.', ', ').replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function changesBetween(type: string, before: unknown, after: unknown): Change[] {
  if (!isRecord(before) || !isRecord(after)) {
    // `member.role_changed` has two plain values; what changed is named in its type.
    const name = /\.(\w+)_changed$/.exec(type)?.[1] ?? 'value'
    return [{ name, before, after }]
  }
  const [old, now] = [new Map(flat(before)), new Map(flat(after))]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter(name => name !== 'updated_at' && JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)))
    .map(name => ({ name, before: old.get(name), after: now.get(name) }))
}

const DEPTH_MAX = 3

/** Records within records become one list of dotted names. */
function flat(data: Data, depth = 1): [name: string, value: unknown][] {
  return Object.entries(data).flatMap(([name, value]) =>
    isRecord(value) && depth < DEPTH_MAX && Object.keys(value).length > 0
      ? flat(value, depth + 1).map(([inner, each]): [string, unknown] => [`${name}.${inner}`, each])
      : [[name, value]],
  )
}

function recordOnOneLine(record: Data): string | undefined {
  const fields = Object.entries(record).map(([name, value]) => {
    const text = isPlain(value) ? simplyPut(value) : isPlainList(value) ? value.join(' | ') : undefined
    return text === undefined ? undefined : `${name}: ${text}`
  })
  return fields.includes(undefined) ? undefined : fields.join(', ')
}

function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every(isPlain)
}

function isRecord(value: unknown): value is Data {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
