import { CONDITION_LENGTH_MAX } from './values.ts'

/*
 * The condition of a step: `not previous.opened and lead.title == "CEO"`. An expression is data, walked here
 * and never evaluated as code. This file has no dependencies, so that the editor reads and words conditions
 * exactly as the engine does.
 */

/** What may have become of the mail before. */
export const outcomes = ['sent', 'opened', 'clicked', 'replied', 'bounced'] as const
export type Outcome = (typeof outcomes)[number]

/** What a condition may ask of a lead, besides its custom fields. */
export const askedFields = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'title',
  'website',
  'timezone',
  'source',
  'status',
  'call_status',
  'pipeline_stage',
] as const
export type AskedField = (typeof askedFields)[number] | `custom.${string}`

export type Condition =
  | { kind: 'previous'; outcome: Outcome }
  | { kind: 'lead'; field: AskedField; is: boolean; value: string }
  | { kind: 'not'; of: Condition }
  | { kind: 'and' | 'or'; of: Condition[] }

/** Of a step without a mail before it nothing of all this is true. */
export type Facts = {
  previous: { readonly [outcome in Outcome]?: boolean } | null
  lead: { readonly [field: string]: unknown; readonly custom: Readonly<Record<string, unknown>> }
}

export const CONDITION_DEPTH_MAX = 20

/** What is wrong with an expression, and at which character, counted from 1. */
export class ConditionFault extends Error {
  readonly at: number
  readonly expected: string

  constructor(at: number, expected: string, found: string) {
    super(`At character ${at}: expected ${expected}, found ${found}.`)
    this.name = 'ConditionFault'
    this.at = at
    this.expected = expected
  }
}

export function parseCondition(text: string): Condition {
  if (text.length > CONDITION_LENGTH_MAX)
    throw new ConditionFault(
      CONDITION_LENGTH_MAX + 1,
      'the end',
      `more than ${CONDITION_LENGTH_MAX} characters`,
    )
  const reader = new Reader(tokensOf(text))
  const condition = either(reader, 0)
  reader.refuseUnless('end', 'and, or, or the end')
  return condition
}

/** As a person would write it: it parses back to the same. */
export function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'previous':
      return `previous.${condition.outcome}`
    case 'lead':
      return `lead.${condition.field} ${condition.is ? '==' : '!='} "${condition.value.replace(/["\\]/g, '\\$&')}"`
    case 'not':
      return `not ${bracketed(condition.of)}`
    default:
      return condition.of.map(bracketed).join(` ${condition.kind} `)
  }
}

/** Whether it holds, and what about the mail before or the lead makes it so. */
export function holds(condition: Condition, facts: Facts): { holds: boolean; because: string } {
  switch (condition.kind) {
    case 'previous': {
      const is = facts.previous?.[condition.outcome] ?? false
      return {
        holds: is,
        because: facts.previous ? outcomeWords(condition.outcome, is) : 'there was no previous email',
      }
    }
    case 'lead': {
      const value = valueOf(facts.lead, condition.field)
      const isSame = folded(value) === folded(condition.value)
      return { holds: isSame === condition.is, because: valueWords(condition.field, value) }
    }
    case 'not': {
      const inner = holds(condition.of, facts)
      return { holds: !inner.holds, because: inner.because }
    }
    default: {
      // One that fails decides an `and`, and one that holds decides an `or`; else it is all of them.
      const decides = condition.kind === 'or'
      const parts = condition.of.map(part => holds(part, facts))
      const deciding = parts.find(part => part.holds === decides)
      if (deciding) return deciding
      return { holds: !decides, because: [...new Set(parts.map(part => part.because))].join(' and ') }
    }
  }
}

/** For the editor: `only if the previous mail was not opened`. */
export function inWords(condition: Condition): string {
  return `only if ${wordsOf(condition, true)}`
}

type Token =
  | { kind: 'word' | 'text'; value: string; at: number }
  | { kind: '(' | ')' | '!' | '==' | '!=' | 'end'; at: number }

const SPACE = /\s/
const WORD = /[A-Za-z0-9_.]/

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length;) {
    const character = text[at]!
    const two = text.slice(at, at + 2)
    if (SPACE.test(character)) at++
    else if (two === '==' || two === '!=') {
      tokens.push({ kind: two, at: at + 1 })
      at += 2
    } else if (character === '(' || character === ')' || character === '!') {
      tokens.push({ kind: character, at: at + 1 })
      at++
    } else if (character === '"' || character === "'") {
      const { value, end } = quotedAt(text, at)
      tokens.push({ kind: 'text', value, at: at + 1 })
      at = end
    } else if (WORD.test(character)) {
      let end = at + 1
      while (end < text.length && WORD.test(text[end]!)) end++
      tokens.push({ kind: 'word', value: text.slice(at, end), at: at + 1 })
      at = end
    } else throw new ConditionFault(at + 1, 'a name, a text in quotes, or a bracket', shown(character))
  }
  return [...tokens, { kind: 'end', at: text.length + 1 }]
}

/** Within quotes, a backslash escapes a quote or another backslash. */
function quotedAt(text: string, start: number): { value: string; end: number } {
  const quote = text[start]!
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]!
    if (character === quote) return { value: readable(value, start), end: at + 1 }
    const next = text[at + 1]
    if (character === '\\' && (next === '\\' || next === '"' || next === "'")) {
      value += next
      at++
    } else value += character
  }
  throw new ConditionFault(start + 1, `a closing ${quote}`, 'the end')
}

function readable(value: string, start: number): string {
  if (value.isWellFormed() && !/\p{Cc}/u.test(value)) return value
  throw new ConditionFault(start + 1, 'a line of text', 'characters that cannot be read')
}

class Reader {
  private readonly tokens: readonly Token[]
  private place = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  get next(): Token {
    return this.tokens[this.place]!
  }

  take(): Token {
    const token = this.next
    if (token.kind !== 'end') this.place++
    return token
  }

  takes(word: 'and' | 'or' | 'not'): boolean {
    const { next } = this
    if (next.kind !== 'word' || next.value.toLowerCase() !== word) return false
    this.place++
    return true
  }

  refuseUnless(kind: Token['kind'], expected: string): void {
    if (this.next.kind !== kind) throw unexpected(this.next, expected)
  }
}

function either(reader: Reader, depth: number): Condition {
  return joined(reader, 'or', () => joined(reader, 'and', () => single(reader, depth)))
}

function joined(reader: Reader, kind: 'and' | 'or', part: () => Condition): Condition {
  const of = [part()]
  while (reader.takes(kind)) of.push(part())
  return of.length === 1 ? of[0]! : { kind, of }
}

const EXPECTED = 'a name like previous.opened or lead.title'

function single(reader: Reader, depth: number): Condition {
  if (depth > CONDITION_DEPTH_MAX)
    throw unexpected(reader.next, `at most ${CONDITION_DEPTH_MAX} brackets and negations within each other`)
  if (reader.takes('not')) return { kind: 'not', of: single(reader, depth + 1) }
  const token = reader.take()
  if (token.kind === '!') return { kind: 'not', of: single(reader, depth + 1) }
  if (token.kind === '(') {
    const inner = either(reader, depth + 1)
    reader.refuseUnless(')', 'and, or, or a closing bracket')
    reader.take()
    return inner
  }
  if (token.kind !== 'word') throw unexpected(token, EXPECTED)
  return flag(token.value) ?? comparison(reader, token)
}

/** `previous.opened`, `opened`, `not_opened`. */
function flag(word: string): Condition | undefined {
  const [, negated, name] = /^(?:previous\.|(not_))?(\w+)$/i.exec(word) ?? []
  const outcome = outcomes.find(outcome => outcome === name?.toLowerCase())
  if (!outcome) return undefined
  return negated ? { kind: 'not', of: { kind: 'previous', outcome } } : { kind: 'previous', outcome }
}

function comparison(reader: Reader, token: Token & { value: string }): Condition {
  const field = fieldOf(token.value)
  if (!field) throw unexpected(token, EXPECTED)
  const operator = reader.take()
  if (operator.kind !== '==' && operator.kind !== '!=') throw unexpected(operator, '== or !=')
  const value = reader.take()
  if (value.kind !== 'text') throw unexpected(value, 'a text in quotes')
  return { kind: 'lead', field, is: operator.kind === '==', value: value.value }
}

/** As in records (`lead.first_name`), or as in placeholders (`lead.firstName`). */
function fieldOf(word: string): AskedField | undefined {
  if (!word.startsWith('lead.')) return undefined
  const name = word.slice('lead.'.length)
  if (/^custom\.[a-z][a-z0-9_]{0,39}$/.test(name)) return name as AskedField
  const plain = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return askedFields.find(field => field === plain)
}

function unexpected(token: Token, expected: string): ConditionFault {
  const found = token.kind === 'end' ? 'the end' : shown('value' in token ? token.value : token.kind)
  return new ConditionFault(token.at, expected, found)
}

const SHOWN_LENGTH_MAX = 80

function shown(text: string): string {
  const line = text.toWellFormed().replace(/\p{Cc}+/gu, ' ')
  return `“${line.length > SHOWN_LENGTH_MAX ? `${line.slice(0, SHOWN_LENGTH_MAX).toWellFormed()}…` : line}”`
}

function bracketed(condition: Condition): string {
  const text = conditionText(condition)
  return condition.kind === 'and' || condition.kind === 'or' ? `(${text})` : text
}

function valueOf(lead: Facts['lead'], field: AskedField): string {
  const [from, key] = field.startsWith('custom.')
    ? [lead.custom, field.slice('custom.'.length)]
    : [lead, field]
  const value = Object.hasOwn(from, key) ? from[key] : undefined
  return value === null || value === undefined ? '' : String(value)
}

/** Nobody means another title by writing it in capitals. */
function folded(value: string): string {
  return value.trim().toLowerCase()
}

/** A negation is said where it belongs: “not (a and b)” is “not a or not b”. */
function wordsOf(condition: Condition, isMeant: boolean): string {
  switch (condition.kind) {
    case 'previous':
      return outcomeWords(condition.outcome, isMeant)
    case 'lead': {
      const is = condition.is === isMeant
      if (condition.value.trim() === '')
        return `the lead has ${is ? 'no' : 'a'} ${fieldWords(condition.field)}`
      return `the lead’s ${fieldWords(condition.field)} is ${is ? '' : 'not '}${shown(condition.value)}`
    }
    case 'not':
      return wordsOf(condition.of, !isMeant)
    default: {
      const joint = (condition.kind === 'and') === isMeant ? ' and ' : ' or '
      return condition.of.map(part => grouped(part, isMeant)).join(joint)
    }
  }
}

function grouped(condition: Condition, isMeant: boolean): string {
  const words = wordsOf(condition, isMeant)
  let inner = condition
  while (inner.kind === 'not') inner = inner.of
  return inner.kind === 'and' || inner.kind === 'or' ? `(${words})` : words
}

function outcomeWords(outcome: Outcome, is: boolean): string {
  switch (outcome) {
    case 'clicked':
      return `${is ? 'a' : 'no'} link in the previous email was clicked`
    case 'bounced':
      return `the previous email ${is ? 'bounced' : 'did not bounce'}`
    default:
      return `the previous email was ${is ? '' : 'not '}${outcome === 'replied' ? 'replied to' : outcome}`
  }
}

function valueWords(field: AskedField, value: string): string {
  if (value.trim() === '') return `the lead has no ${fieldWords(field)}`
  return `the lead’s ${fieldWords(field)} is ${shown(value)}`
}

function fieldWords(field: AskedField): string {
  return field.replace(/^custom\./, '').replaceAll('_', ' ')
}
