import { isEmail } from '#platform/contract.ts'
import type { CustomField } from '#platform/custom-fields.ts'
import type { Fault } from '#platform/problem.ts'
import { cellReader, type Rules } from './cells.ts'
import type { Import } from './contract.ts'
import { fieldOfHeading, plain } from './headings.ts'
import { duplicateKeys, importFields } from './values.ts'

type Mapping = Import['mapping']

/** At least one of these must come from the file: without it no row becomes a lead. */
const knownBy = ['first_name', 'last_name', 'name', 'email', 'phone', 'company']

/** Of the values of a column so many must look like it. */
const LIKENESS_MIN = 0.8

/**
 * What the columns most likely are: by their headings, and where a heading says nothing, by the values below it. Each
 * field is proposed once, for the first column that speaks of it.
 */
export function proposedMapping(
  columns: readonly string[],
  rows: readonly string[][],
  custom_fields: readonly CustomField[],
): Mapping {
  const taken = new Set<string>()
  const take = (field: string | undefined) => {
    if (field === undefined || taken.has(field)) return null
    taken.add(field)
    return field
  }
  const byHeading = columns.map(heading => take(customOf(heading, custom_fields) ?? fieldOfHeading(heading)))
  return byHeading.map((field, column) => {
    if (field !== null || fieldOfHeading(columns[column]!) !== undefined) return field
    const values = rows.map(cells => cells[column]?.trim() ?? '').filter(Boolean)
    return take(fieldOfValues(values))
  })
}

/** What is done with duplicates unless somebody says otherwise: nothing comes in twice that can be told apart. */
export function proposedKey(mapping: Mapping): Pick<Import, 'duplicates' | 'duplicate_key'> {
  const key = duplicateKeys.find(field => mapping.includes(field))
  return key ? { duplicates: 'skip', duplicate_key: key } : { duplicates: 'create', duplicate_key: 'email' }
}

type Plan = Pick<Import, 'columns' | 'mapping' | 'duplicates' | 'duplicate_key'>

/** What cannot be meant, whatever else is still to be said. */
export function faultsInPlan(
  { columns, mapping, duplicate_key }: Plan,
  fields: readonly CustomField[],
): Fault[] {
  return [
    ...(mapping.length === columns.length
      ? []
      : [{ path: 'mapping', message: `must have ${columns.length} entries, one for each column` }]),
    ...mapping.flatMap((field, at) => faultIn(field, at, mapping, fields)),
    ...(isKey(duplicate_key, fields)
      ? []
      : [{ path: 'duplicate_key', message: 'must be email, phone, website or a custom field of kind text' }]),
  ]
}

/** What is still missing before it can begin. */
export function faultsBeforeStart({ mapping, duplicates, duplicate_key }: Plan): Fault[] {
  return [
    ...(mapping.some(field => field !== null && knownBy.includes(field))
      ? []
      : [{ path: 'mapping', message: `must map a column to at least one of ${knownBy.join(', ')}` }]),
    ...(duplicates === 'create' || mapping.includes(duplicate_key)
      ? []
      : [
          {
            path: 'duplicate_key',
            message: `is ${duplicate_key}, but no column is mapped to it`,
          },
        ]),
  ]
}

function faultIn(
  field: string | null,
  at: number,
  mapping: Mapping,
  fields: readonly CustomField[],
): Fault[] {
  const path = `mapping[${at}]`
  if (field === null) return []
  if (!isField(field, fields)) return [{ path, message: 'is not a field that can be imported' }]
  const first = mapping.indexOf(field)
  return first < at ? [{ path, message: `is already mapped to column ${first + 1}` }] : []
}

function isField(field: string, fields: readonly CustomField[]): boolean {
  return (
    (importFields as readonly string[]).includes(field) || fields.some(({ key }) => field === `custom.${key}`)
  )
}

function isKey(field: string, fields: readonly CustomField[]): boolean {
  return (
    (duplicateKeys as readonly string[]).includes(field) ||
    fields.some(({ key, kind }) => kind === 'text' && field === `custom.${key}`)
  )
}

function customOf(heading: string, fields: readonly CustomField[]): string | undefined {
  const custom = fields.find(
    ({ key, label }) => [`custom.${key}`, key].includes(heading) || plain(label) === plain(heading),
  )
  return custom && `custom.${custom.key}`
}

function fieldOfValues(values: string[]): string | undefined {
  const isMostly = (check: (value: string) => boolean) =>
    values.filter(check).length >= Math.max(1, values.length * LIKENESS_MIN)
  if (isMostly(isEmail)) return 'email'
  if (isMostly(value => /^(?:\+|00)[\d\s.\-/()]{7,20}$/.test(value))) return 'phone'
  return isMostly(value => /^(?:https?:\/\/|www\.)/i.test(value) && isWebsite(value)) ? 'website' : undefined
}

const nothing: Rules = { pipeline_stages: [], custom_fields: [], owners: new Map() }
const readWebsite = cellReader('website', nothing)

function isWebsite(value: string): boolean {
  return 'value' in readWebsite(value)
}
