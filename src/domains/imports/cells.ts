import { isDay } from '#platform/clock.ts'
import type { CustomField } from '#platform/custom-fields.ts'
import { readPhone } from '#platform/phone.ts'
import { leadStatuses } from '#domains/leads/values.ts'

/** What a cell comes to: a value, or what is wrong and what to do about it. */
export type Reading = { value: string | number | boolean } | { wrong: string }

/** What the team itself says about its leads. */
export type Rules = {
  pipeline_stages: readonly string[]
  custom_fields: readonly CustomField[]
  /** Members by their email address in lower case. */
  owners: ReadonlyMap<string, string>
}

export type ReadCell = (cell: string) => Reading

/** How cells of this field are read. They are trimmed, and not empty. */
export function cellReader(field: string, rules: Rules): ReadCell {
  if (field.startsWith('custom.')) {
    const custom = rules.custom_fields.find(({ key }) => key === field.slice(7))
    return custom ? customReader(custom) : () => ({ wrong: 'is no longer a custom field of this team' })
  }
  switch (field) {
    case 'email':
      return readEmail
    case 'phone':
      return readPhone
    case 'website':
      return readWebsite
    case 'owner':
      return cell => found(rules.owners.get(cell.toLowerCase()), UNKNOWN_OWNER)
    case 'status':
      return wordReader(leadStatuses)
    case 'pipeline_stage':
      return wordReader(rules.pipeline_stages)
    default:
      return readText
  }
}

/** `Ada Lovelace`, `Lovelace, Ada`, `Ludwig van Beethoven`; one word alone is a first name. */
export function splitName(name: string): { first_name?: string; last_name?: string } {
  const comma = name.indexOf(',')
  if (comma > 0) return parts(name.slice(comma + 1), name.slice(0, comma))
  const words = name.split(/\s+/)
  let at = words.length - 1
  while (at > 1 && PARTICLES.has(words[at - 1]!.toLowerCase())) at--
  return at === 0 ? parts(name, '') : parts(words.slice(0, at).join(' '), words.slice(at).join(' '))
}

const UNKNOWN_OWNER = 'is not a member of this team: use the email address of a member'
const PARTICLES = new Set(
  'van von der den de del della di da dos du la le ten ter zu bin ibn al el'.split(' '),
)

function parts(first: string, last: string) {
  return {
    ...(first.trim() && { first_name: first.trim() }),
    ...(last.trim() && { last_name: last.trim() }),
  }
}

/** A line break within a name or company is a typo. */
function readText(cell: string): Reading {
  return { value: /[\t\r\n]/.test(cell) ? cell.replace(/[\t\r\n]+/g, ' ') : cell }
}

function readEmail(cell: string): Reading {
  return { value: cell.replace(/^mailto:/i, '') }
}

function readWebsite(cell: string): Reading {
  const [, scheme, rest] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(cell)!
  const address = `${scheme?.toLowerCase() ?? 'https'}://${rest}`
  const isOne = /^https?:\/\/[^\s<>"/]+\.[^\s<>"/.]+(?:[/?#:][^\s<>"]*)?$/.test(address)
  return isOne ? { value: address } : { wrong: 'is not a URL: write it like https://example.com' }
}

/** One of the words, whatever the case of its letters. */
function wordReader(words: readonly string[]): ReadCell {
  const byLower = new Map(words.map(word => [word.toLowerCase(), word]))
  return cell => found(byLower.get(cell.toLowerCase()), `must be one of ${words.join(', ')}`)
}

function customReader({ kind, options = [] }: CustomField): ReadCell {
  switch (kind) {
    case 'text':
      return cell => ({ value: cell })
    case 'number':
      return readNumber
    case 'date':
      return readDate
    case 'checkbox':
      return readCheckbox
    case 'choice':
      return wordReader(options)
  }
}

/** With a decimal point or comma, and with or without marks between thousands, as long as there is one way to read it. */
function readNumber(cell: string): Reading {
  const bare = cell.replace(/[\s\u00a0\u202f']/g, '')
  const plain = /^[+-]?\d+(?:\.\d+)?$/.test(bare)
    ? bare
    : /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/.test(bare)
      ? bare.replaceAll(',', '')
      : /^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/.test(bare)
        ? bare.replaceAll('.', '').replace(',', '.')
        : /^[+-]?\d+,(?:\d{1,2}|\d{4,})$/.test(bare)
          ? bare.replace(',', '.')
          : undefined
  const number = Number(plain)
  return plain !== undefined && Number.isFinite(number)
    ? { value: number }
    : { wrong: 'is not a number: write it like 1234.56' }
}

/** 2026-03-31, 2026/3/31 and 31.3.2026; what could be the third of May or the fifth of March is asked about. */
function readDate(cell: string): Reading {
  const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ].*)?$/.exec(cell)
  const dayFirst = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(cell)
  const day = yearFirst
    ? dayOf(yearFirst[1]!, yearFirst[3]!, yearFirst[4]!)
    : dayFirst
      ? dayOf(dayFirst[3]!, dayFirst[2]!, dayFirst[1]!)
      : ''
  return isDay(day) ? { value: day } : { wrong: 'is not an unambiguous date: write it like 2026-03-31' }
}

function dayOf(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const YES = new Set([
  'yes',
  'y',
  'true',
  '1',
  'x',
  'on',
  'ja',
  'wahr',
  'oui',
  'vrai',
  'sí',
  'si',
  'verdadero',
])
const NO = new Set(['no', 'n', 'false', '0', 'off', 'nein', 'falsch', 'non', 'faux', 'falso'])

function readCheckbox(cell: string): Reading {
  const word = cell.toLowerCase()
  if (YES.has(word)) return { value: true }
  return NO.has(word) ? { value: false } : { wrong: 'must be yes or no' }
}

function found(value: string | undefined, wrong: string): Reading {
  return value === undefined ? { wrong } : { value }
}
