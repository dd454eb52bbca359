import type { FieldDescription, Filter } from '#domains/fields/contract.ts'
import { ACTIVITY_COUNT_MAX, MONEY, type CountOperator, type Operator } from '#platform/filters/values.ts'
import { activityIn, subjectOfActivity } from './fields.ts'
import { joined } from './filter-text.ts'
import { takesList, takesNothing, usualOperator } from './operators.ts'
import { withinIn } from './within.ts'

/** A condition while it is edited: nothing, or half of something, may have been entered. */
export type Rule = {
  key: number
  /** A field, or an activity; empty until chosen. */
  subject: string
  op: Operator
  values: string[]
  /** Of an activity: within which time it is counted; by default ever. */
  within?: string
}
export type Match = 'and' | 'or'
export type RuleGroup = { key: number; match: Match; rules: Rule[] }
export type Rules = { match: Match; parts: (Rule | RuleGroup)[] }

export function isGroup(part: Rule | RuleGroup): part is RuleGroup {
  return 'rules' in part
}

let lastKey = 0

export function newRule(): Rule {
  return { key: ++lastKey, subject: '', op: 'is', values: [] }
}

export function newGroup(match: Match): RuleGroup {
  return { key: ++lastKey, match, rules: [newRule()] }
}

/** What a condition on this is before anything is entered. */
export function aboutSubject(rule: Rule, subject: string, fields: readonly FieldDescription[]): Rule {
  const { key } = rule
  if (activityIn(subject) !== undefined) return { key, subject, op: 'gte', values: ['1'], within: '-30d' }
  const field = fields.find(({ name }) => name === subject)
  if (!field) return { key, subject, op: 'is', values: [] }
  const op = field.type === 'record' && field.of !== 'member' ? 'is_not_empty' : usualOperator(field.type)
  if (op === 'within') return { key, subject, op, values: ['-30d'] }
  return { key, subject, op, values: field.type === 'checkbox' ? ['true'] : [] }
}

/** Another way to compare keeps what was entered as far as it fits. */
export function withOperator(rule: Rule, op: Operator): Rule {
  const { within, ...rest } = rule
  if (within !== undefined || activityIn(rule.subject) !== undefined) return { ...rule, op }
  if (op === 'within') return { ...rest, op, values: ['-30d'] }
  if (rule.op === 'within' || takesNothing(op)) return { ...rest, op, values: [] }
  if (takesList(op)) return { ...rest, op }
  return { ...rest, op, values: rule.values.slice(0, op === 'between' ? 2 : 1) }
}

/** As it is edited: conditions and groups of conditions. Whatever is nested deeper, or negated, is not. */
export function rulesOf(filter: Filter | undefined): Rules | undefined {
  if (!filter) return { match: 'and', parts: [newRule()] }
  const match = 'or' in filter ? 'or' : 'and'
  const parts = 'and' in filter ? filter.and : 'or' in filter ? filter.or : [filter]
  const read = parts.map(part => {
    if (!('and' in part || 'or' in part)) return ruleOf(part)
    const rules = ('and' in part ? part.and : part.or).map(ruleOf)
    return rules.every(rule => rule !== undefined)
      ? { key: ++lastKey, match: 'and' in part ? ('and' as const) : ('or' as const), rules }
      : undefined
  })
  return read.every(part => part !== undefined) ? { match, parts: read } : undefined
}

function ruleOf(filter: Filter): Rule | undefined {
  if ('activity' in filter) {
    const { activity, op, value, within } = filter
    const subject = subjectOfActivity(activity)
    return { key: ++lastKey, subject, op, values: [String(value)], ...(within !== undefined && { within }) }
  }
  if (!('field' in filter)) return undefined
  const { field, op, value } = filter
  const values = value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String)
  return { key: ++lastKey, subject: field, op, values }
}

export type Fields = readonly FieldDescription[]

/** What is missing or wrong, by the key of the rule. */
export function faultsIn({ parts }: Rules, fields: Fields): Map<number, string> {
  const rules = parts.flatMap(part => (isGroup(part) ? part.rules : [part]))
  return new Map(
    rules.flatMap(rule => {
      const fault = faultIn(rule, fields)
      return fault ? [[rule.key, fault] as const] : []
    }),
  )
}

function faultIn({ subject, op, values, within }: Rule, fields: Fields): string | undefined {
  if (!subject) return 'Choose a field'
  const entered = values.map(value => value.trim()).filter(Boolean)
  if (activityIn(subject) !== undefined) {
    const times = Number(entered[0] ?? '')
    if (entered.length === 0 || !Number.isInteger(times) || times < 0 || times > ACTIVITY_COUNT_MAX)
      return `Enter a whole number from 0 to ${ACTIVITY_COUNT_MAX}`
    return within === undefined || withinIn(within) ? undefined : 'Enter a number of days'
  }
  if (takesNothing(op)) return undefined
  if (op === 'within') return withinIn(entered[0] ?? '') ? undefined : 'Enter a number of days'
  if (entered.length < (op === 'between' ? 2 : 1))
    return op === 'between' ? 'Enter both values' : 'Enter a value'
  const type = fields.find(({ name }) => name === subject)?.type
  if (type === 'number' && entered.some(value => !Number.isFinite(Number(value)))) return 'Enter a number'
  if (type === 'money' && entered.some(value => !MONEY.test(value))) return 'Enter an amount like 1250.50'
  return undefined
}

/** The filter that complete rules make. */
export function filterOf({ match, parts }: Rules, fields: Fields): Filter | undefined {
  return joined(
    match,
    parts.flatMap(part => {
      if (!isGroup(part)) return [conditionOf(part, fields)]
      const inner = joined(
        part.match,
        part.rules.map(rule => conditionOf(rule, fields)),
      )
      return inner ? [inner] : []
    }),
  )
}

function conditionOf({ subject, op, values, within }: Rule, fields: Fields): Filter {
  const activity = activityIn(subject)
  const entered = values.map(value => value.trim()).filter(Boolean)
  if (activity !== undefined)
    return {
      activity,
      op: op as CountOperator,
      value: Number(entered[0]),
      ...(within !== undefined && { within }),
    }
  if (takesNothing(op)) return { field: subject, op }
  const type = fields.find(({ name }) => name === subject)?.type
  const typed = entered.map(value => (type === 'number' ? Number(value) : value))
  if (type === 'checkbox') return { field: subject, op, value: entered[0] === 'true' }
  return { field: subject, op, value: takesList(op) || op === 'between' ? typed : typed[0]! }
}
