import type { Filter } from '#domains/fields/contract.ts'
import { isDay } from '../../ui/day.ts'
import { dateInWords, exactly } from '../../ui/time.tsx'
import { count, orList, plural } from '../../ui/words.ts'
import { withinIn, type Within } from './within.ts'
import { choiceInWords, type FilterFields } from './fields.ts'
import { countWords, operatorInWords, takesNothing } from './operators.ts'

type Comparison = Extract<Filter, { field: string }>
type ActivityCount = Extract<Filter, { activity: string }>

/** What a chip says: "Industry" and "contains lift". */
export type InWords = { label: string; words: string }

type Known = FilterFields & {
  /** The name of a member of the team. */
  nameOf: (id: string) => string | undefined
}

export function filterInWords(filter: Filter, known: Known): InWords {
  if ('and' in filter) return listed(filter.and, 'and', known)
  if ('or' in filter) return listed(filter.or, 'or', known)
  if ('not' in filter) return { label: 'Not', words: `(${sentence(filter.not, known)})` }
  return 'activity' in filter ? activityInWords(filter, known) : comparisonInWords(filter, known)
}

/** "Industry" and "is Lifts or Owner is not empty". */
function listed([first, ...others]: Filter[], between: string, known: Known): InWords {
  const { label, words } = filterInWords(first!, known)
  const rest = others.map(part => (isGroup(part) ? `(${sentence(part, known)})` : sentence(part, known)))
  const isNested = isGroup(first!) && others.length > 0
  return {
    label: isNested ? `(${label}` : label,
    words: [isNested ? `${words})` : words, ...rest].join(` ${between} `),
  }
}

function isGroup(filter: Filter): boolean {
  return 'and' in filter || 'or' in filter
}

function sentence(filter: Filter, known: Known): string {
  const { label, words } = filterInWords(filter, known)
  return `${label} ${words}`
}

/** A field that was removed since has its name still. */
function comparisonInWords({ field: name, op, value }: Comparison, known: Known): InWords {
  const field = known.fields.find(each => each.name === name)
  const label = field?.label ?? name
  if (takesNothing(op)) return { label, words: operatorInWords(op) }
  if (op === 'within') {
    const within = withinIn(String(value))
    return { label, words: within ? `is ${withinInWords(within)}` : 'is within …' }
  }
  const values = (Array.isArray(value) ? value : [value]).map(one => {
    if (typeof one === 'boolean') return one ? 'yes' : 'no'
    const text = String(one)
    switch (field?.type) {
      case 'record':
        return (field.of === 'member' && known.nameOf(text)) || 'another'
      case 'choice':
        return choiceInWords(name, text)
      case 'number':
        return count(Number(text))
      case 'date':
      case 'time':
        return isDay(text) ? dateInWords(text) : exactly(text)
      default:
        return text
    }
  })
  const joined = op === 'between' ? values.join(' and ') : orList(values)
  // "is New or Won" says it shorter.
  if (op === 'is_any_of') return { label, words: `is ${joined}` }
  if (op === 'is_none_of') return { label, words: `is not ${joined}` }
  return { label, words: `${operatorInWords(op)} ${joined}` }
}

function activityInWords({ activity, op, value, within }: ActivityCount, known: Known): InWords {
  const label = known.activities.find(({ name }) => name === activity)?.label ?? activity
  const span = within === undefined ? undefined : withinIn(within)
  const how = op === 'gte' && value === 1 ? 'at least once' : `${countWords[op]} ${plural(value, 'time')}`
  return { label, words: span ? `${how} ${withinInWords(span)}` : how }
}

const units = { d: 'day', h: 'hour', m: 'minute' } as const

export function withinInWords({ count: many, unit, isPast }: Within): string {
  return `in the ${isPast ? 'last' : 'next'} ${plural(many, units[unit])}`
}
