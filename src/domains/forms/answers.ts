import { isDay } from '#platform/clock.ts'
import { isEmail } from '#platform/contract.ts'
import type { Fault } from '#platform/problem.ts'
import type { Answers, FormContent, FormField } from './contract.ts'
import { own } from './model.ts'
import { ANSWER_LENGTH_MAX, ANSWERS_BYTES_MAX, LONG_ANSWER_LENGTH_MAX } from './values.ts'

type Answer = Answers[string]
type Reading = { value: Answer } | { wrong: string } | undefined

/** What a visitor sent, read by the form's own fields: the answers, and every fault at once in a visitor's words. */
export function readAnswers(
  { fields }: Pick<FormContent, 'fields'>,
  body: Readonly<Record<string, unknown>>,
): { values: Answers; faults: Fault[] } {
  const values: [string, Answer][] = []
  const faults: Fault[] = []
  for (const field of fields) {
    const reading = readAnswer(field, own(body, field.key))
    if (!reading) continue
    if ('wrong' in reading) faults.push({ path: field.key, message: reading.wrong })
    else values.push([field.key, reading.value])
  }
  const answers = Object.fromEntries(values)
  if (Buffer.byteLength(JSON.stringify(answers)) > ANSWERS_BYTES_MAX)
    faults.push({ path: '', message: 'Your answers are too long in total. Please shorten them.' })
  return { values: answers, faults }
}

/** Undefined where nothing was answered, and nothing had to be. */
function readAnswer(field: FormField, sent: unknown): Reading {
  const { type, required, default_value } = field
  if (type === 'checkbox') return readTick(field, sent)
  if (type === 'choices') return readChoices(field, sent)
  const text = textOf(sent, type === 'long_text')
  if (text === undefined) return { wrong: 'Please enter text.' }
  if (text !== '') return readers[type](text, field)
  // Nobody can fill in what is hidden.
  if (type === 'hidden') return default_value ? { value: default_value } : undefined
  return required ? { wrong: missing[type] ?? 'Please fill in this field.' } : undefined
}

type Reader = (text: string, field: FormField) => Reading

const readers: Record<Exclude<FormField['type'], 'checkbox' | 'choices'>, Reader> = {
  text: text => atMost(text, ANSWER_LENGTH_MAX),
  long_text: text => atMost(text, LONG_ANSWER_LENGTH_MAX),
  hidden: text => atMost(text, ANSWER_LENGTH_MAX),
  email: text =>
    isEmail(text) ? { value: text } : { wrong: 'Please enter an email address, like name@example.com.' },
  phone: readPhone,
  number: readNumber,
  date: text => (isDay(text) ? { value: text } : { wrong: 'Please enter a date, like 2026-03-31.' }),
  choice: (text, { options = [] }) =>
    options.includes(text) ? { value: text } : { wrong: 'Please choose one of the options.' },
}

const missing: Partial<Record<FormField['type'], string>> = {
  choice: 'Please choose one of the options.',
  date: 'Please enter a date.',
}

/** A number may come as one. What no database can keep, and what has no place in a line, becomes a space. */
function textOf(sent: unknown, lines: boolean): string | undefined {
  if (sent === undefined || sent === null) return ''
  if (typeof sent === 'number') return String(sent)
  if (typeof sent !== 'string') return undefined
  const text = sent.toWellFormed()
  return lines ? tidyLines(text) : text.replace(CONTROLS, ' ').trim()
}

const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
const CONTROLS_BUT_LINES = /[^\P{Cc}\n\t]+/gu

function tidyLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS_BUT_LINES, ' ').trim()
}

function atMost(text: string, max: number): Reading {
  return text.length <= max ? { value: text } : { wrong: `Please use at most ${max} characters.` }
}

/** E.164 in the end: whatever people put between the digits goes, and so does the 0 that is dialled only within a country. */
function readPhone(text: string): Reading {
  const abroad = text.replace(/^((?:\+|00)[^(]*)\(0\)/, '$1')
  const bare = abroad.replace(/[\s().\-–—/\u00a0\u202f]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{6,14}$/.test(bare)
    ? { value: bare }
    : { wrong: 'Please enter a phone number with its country code, like +49 30 123456.' }
}

function readNumber(text: string): Reading {
  const plain = text.replace(',', '.')
  const number = Number(plain)
  return /^[+-]?\d+(?:\.\d+)?$/.test(plain) && Number.isFinite(number)
    ? { value: number }
    : { wrong: 'Please enter a number, like 12.5.' }
}

const TICKED = new Set<unknown>([true, 'true', 'yes', 'on', '1', 1])
const EMPTY = new Set<unknown>([undefined, null, false, 'false', 'no', 'off', '0', 0, ''])

function readTick({ required }: FormField, sent: unknown): Reading {
  const word = typeof sent === 'string' ? sent.trim().toLowerCase() : sent
  if (TICKED.has(word)) return { value: true }
  if (!EMPTY.has(word)) return { wrong: 'Please check or uncheck this box.' }
  return required ? { wrong: 'Please check this box to continue.' } : { value: false }
}

/** In the order of the options, each once. */
function readChoices({ options = [], required }: FormField, sent: unknown): Reading {
  const list = (Array.isArray(sent) ? sent : [sent ?? '']).filter(item => item !== '')
  if (list.some(item => !options.includes(item as string)))
    return { wrong: 'Please choose from the options.' }
  if (list.length > 0) return { value: options.filter(option => list.includes(option)) }
  return required ? { wrong: 'Please choose at least one.' } : undefined
}
