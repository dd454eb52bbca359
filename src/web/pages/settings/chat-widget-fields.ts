import type { ChatWidget, ChatWidgetChange } from '#domains/chat/contract.ts'
import type { QuestionType } from '#domains/chat/values.ts'
import type { FieldFault } from '../../problem.ts'
import { weekdays, type Range } from './availability-fields.ts'

export type QuestionFields = {
  /** Tells it apart while it has no key. */
  id: string
  /** Empty until it is saved: then it is made of the label. */
  key: string
  type: QuestionType
  label: string
  required: boolean
  /** The lead field that the answer fills; empty for none. */
  target: string
}

export type WidgetFields = Pick<
  ChatWidget,
  'name' | 'is_on' | 'colour' | 'timezone' | 'takes_files' | 'agent_id' | 'agent_mode'
> & {
  greeting: string
  privacy_url: string
  /** One for each line of the form; empty lines are left out. */
  sites: string[]
  /** False: people answer at all times. */
  has_hours: boolean
  /** Monday first; a day without hours is closed. */
  week: Range[][]
  questions: QuestionFields[]
}

/** What the parts of the form are given. */
export type PartProps = {
  fields: WidgetFields
  set: (change: Partial<WidgetFields>) => void
  /** `exactly`: not that of a part of it. */
  faultOf: (path: string, exactly?: true) => string | undefined
  editable: boolean
}

const DOMAIN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/
const COLOUR = /^#[0-9a-f]{6}$/
const WEB_ADDRESS = /^https?:\/\/[^\s<>"]+$/
const KEY_LENGTH_MAX = 40
const WORKING_DAYS = 5

export function fieldsOf(widget: ChatWidget): WidgetFields {
  const { name, is_on, colour, timezone, takes_files, agent_id, agent_mode, hours } = widget
  return {
    name,
    is_on,
    colour,
    timezone,
    takes_files,
    agent_id,
    agent_mode,
    greeting: widget.greeting ?? '',
    privacy_url: widget.privacy_url ?? '',
    sites: widget.allowed_domains,
    has_hours: hours.length > 0,
    week: weekdays.map((_, index) =>
      hours.filter(({ day }) => day === index + 1).map(({ from, until }) => ({ from, until })),
    ),
    questions: widget.questions.map(({ key, type, label, required = false }) => ({
      id: key,
      key,
      type,
      label,
      required,
      target: widget.field_mapping[key] ?? '',
    })),
  }
}

/** Office hours, to begin with. */
export function usualWeek(): Range[][] {
  return weekdays.map((_, index) => (index < WORKING_DAYS ? [{ from: '09:00', until: '17:00' }] : []))
}

/** What the server would refuse, by field. */
export function faultsOf({
  name,
  colour,
  sites,
  has_hours,
  week,
  questions,
  privacy_url,
}: WidgetFields): FieldFault[] {
  const faults: FieldFault[] = []
  const tell = (path: string, message: string) => faults.push({ path, message })
  if (!name.trim()) tell('name', 'is required')
  if (!COLOUR.test(colour)) tell('colour', 'must be a colour like #1f56b0')
  const domains = sites.map(siteIn)
  domains.forEach((site, index) => {
    if (site === '') return
    if (!DOMAIN.test(site)) tell(`sites.${index}`, 'must be a site like www.example.com')
    else if (domains.indexOf(site) < index) tell(`sites.${index}`, 'is already in the list')
  })
  if (has_hours && week.flat().length === 0) tell('hours', 'Choose at least one day')
  if (has_hours)
    week.forEach((ranges, index) => {
      const isOpen = ranges.every(({ from, until }) => from && until && from < until)
      if (!isOpen) tell(`week.${index}`, 'The end must be after the start')
    })
  questions.forEach(({ label }, index) => {
    if (!label.trim()) tell(`questions.${index}`, 'is required')
  })
  if (privacy_url.trim() && !WEB_ADDRESS.test(privacy_url.trim()))
    tell('privacy_url', 'must be a URL like https://www.example.com/privacy')
  return faults
}

export function changeOf(before: ChatWidget, fields: WidgetFields): ChatWidgetChange | undefined {
  const [was, is] = [asSent(fieldsOf(before)), asSent(fields)]
  const names = (Object.keys(is) as (keyof typeof is)[]).filter(
    name => JSON.stringify(is[name]) !== JSON.stringify(was[name]),
  )
  return names.length > 0 ? Object.fromEntries(names.map(name => [name, is[name]])) : undefined
}

/** An error of the server at the field of the form: it knows neither empty lines nor the days of the week. */
export function inForm({ path, message }: FieldFault, fields: WidgetFields): FieldFault {
  const [, name, index = '', rest = ''] = /^(\w+)(?:\[(\d+)\]|\.)?(.*)$/.exec(path) ?? []
  if (name === 'allowed_domains' && index) {
    const lines = fields.sites.flatMap((site, line) => (siteIn(site) ? [line] : []))
    return { path: `sites.${lines[Number(index)] ?? index}`, message }
  }
  if (name === 'questions' && index) return { path: `questions.${index}`, message }
  if (name === 'field_mapping') {
    const at = keysOf(fields.questions).indexOf(rest)
    return { path: at < 0 ? 'questions' : `questions.${at}.target`, message }
  }
  return name === 'hours' ? { path: 'hours', message } : { path, message }
}

/** People paste from the address bar. */
export function siteIn(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
}

function asSent(fields: WidgetFields) {
  const { name, is_on, timezone, takes_files, agent_id, agent_mode, questions, week } = fields
  const keys = keysOf(questions)
  return {
    name: name.trim(),
    is_on,
    allowed_domains: fields.sites.map(siteIn).filter(Boolean),
    colour: fields.colour,
    greeting: fields.greeting.trim() || null,
    timezone,
    hours: fields.has_hours
      ? week.flatMap((ranges, index) => ranges.map(({ from, until }) => ({ day: index + 1, from, until })))
      : [],
    questions: questions.map(({ type, label, required }, index) => ({
      key: keys[index]!,
      type,
      label: label.trim(),
      required,
    })),
    field_mapping: Object.fromEntries(
      questions.flatMap(({ target }, index) => (target ? [[keys[index]!, target]] : [])),
    ) as ChatWidget['field_mapping'],
    takes_files,
    privacy_url: fields.privacy_url.trim() || null,
    agent_id,
    agent_mode,
  } satisfies ChatWidgetChange
}

/** What is saved keeps its key, since answers are stored under it. */
function keysOf(questions: readonly QuestionFields[]): string[] {
  const taken = new Set(questions.map(({ key }) => key).filter(Boolean))
  return questions.map(({ key, label, type }) => {
    if (key) return key
    const words = label
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[^a-z]+|_+$/g, '')
    const stem = words.slice(0, KEY_LENGTH_MAX - 3) || type
    let next = stem
    for (let count = 2; taken.has(next); count++) next = `${stem}_${count}`
    taken.add(next)
    return next
  })
}
