import type { Agent, CustomTool } from '#domains/agents/contract.ts'
import { builtInTools, type BuiltInTool } from '#domains/agents/values.ts'
import type { FieldFault } from '../../problem.ts'
import { asSentence } from '../../ui/words.ts'
import type { AgentTab } from '../../records/agents/search.ts'

export type OwnParameter = {
  key: string
  name: string
  type: CustomTool['parameters'][number]['type']
  description: string
  required: boolean
}
export type OwnTool = {
  key: string
  name: string
  description: string
  url: string
  parameters: OwnParameter[]
}

/** All fields as they are typed. */
export type AgentFields = {
  name: string
  instructions: string
  greeting: string
  model: string
  voice: string
  /** Tools known only by name: built-in ones and unknown ones. */
  named: string[]
  own: OwnTool[]
  phone_number: string
  transfer_to: string
  outbound: Agent['outbound']
  /** Topics as lines. */
  text: Agent['text']
}

const PHONE = /^\+[1-9][0-9]{6,14}$/
const TOOL = /^[a-z][a-z0-9_]{0,59}$/

let keys = 0
/** A React key that stays the same while the name is being typed. */
export const newKey = () => `own-${++keys}`

export function fieldsOf(agent: Agent): AgentFields {
  const { name, instructions, greeting, model, voice, tools, phone_number, transfer_to, outbound, text } =
    agent
  return {
    name,
    instructions,
    greeting: greeting ?? '',
    model: model ?? '',
    voice: voice ?? '',
    named: tools.filter(tool => typeof tool === 'string'),
    own: tools.filter(tool => typeof tool !== 'string').map(ownOf),
    phone_number: phone_number ?? '',
    transfer_to: transfer_to ?? '',
    outbound,
    text,
  }
}

/** What the server would refuse, by field, checked before saving. */
export function faultsOf(fields: AgentFields): FieldFault[] {
  const { name, instructions, phone_number, transfer_to, named, own, outbound, text } = fields
  const faults: FieldFault[] = []
  const tell = (path: string, message: string) => faults.push({ path, message })
  if (!name.trim()) tell('name', 'Enter a name')
  if (!instructions.trim()) tell('instructions', 'Enter instructions')
  for (const [path, number] of Object.entries({ phone_number, transfer_to }))
    if (number.trim() && !PHONE.test(digitsOf(number)))
      tell(path, 'Include the country code, like +4930123456')
  if (named.includes('transfer') && !transfer_to.trim())
    tell('transfer_to', 'Enter a number to transfer to, or turn that tool off')
  for (const [at, tool] of own.entries())
    for (const [path, message] of Object.entries(ownFaults(tool, fields))) tell(`own[${at}].${path}`, message)
  const { quiet_hours } = outbound
  if (quiet_hours && (!quiet_hours.from || !quiet_hours.until))
    tell('quiet_hours', 'Enter a start and an end')
  else if (quiet_hours && quiet_hours.from === quiet_hours.until)
    tell('quiet_hours', 'Start and end must differ')
  const span = text.hours?.spans[0]
  if (span && !(span.from && span.until && span.from < span.until))
    tell('text', 'The end must be after the start')
  return faults
}

/** The server numbers all tools together; here those by name come first. */
export function placedHere(faults: readonly FieldFault[], { named }: AgentFields): FieldFault[] {
  return faults.map(({ path, message }) => ({
    path: path
      .replace(/^tools\[(\d+)\]/, (_, at: string) => `own[${Number(at) - named.length}]`)
      .replace(/^outbound\.quiet_hours.*/, 'quiet_hours')
      .replace(/^text\..*/, 'text'),
    message: asSentence(message),
  }))
}

/** The tab with the field. */
export function tabOf({ path }: FieldFault): AgentTab {
  if (path.startsWith('own') || path.startsWith('tools')) return 'tools'
  if (path === 'phone_number' || path === 'transfer_to') return 'phone'
  return path.startsWith('quiet_hours') || path.startsWith('outbound') ? 'calling' : 'conversation'
}

export function isBuiltIn(name: string): name is BuiltInTool {
  return (builtInTools as readonly string[]).includes(name)
}

export function newTool(): OwnTool {
  return { key: newKey(), name: '', description: '', url: '', parameters: [] }
}

export function newParameter(): OwnParameter {
  return { key: newKey(), name: '', type: 'string', description: '', required: true }
}

/** `Look up order` → `look_up_order`: a name that a model can call. */
export function asToolName(typed: string): string {
  return typed
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replaceAll(/[^a-z0-9_]/g, '')
    .slice(0, 60)
}

function ownOf({ name, description, url, parameters }: CustomTool, at: number): OwnTool {
  return {
    // The same each time, so that saved tools stay in place.
    key: `kept-${at}-${name}`,
    name,
    description,
    url,
    parameters: parameters.map((parameter, at) => ({
      key: `kept-${at}-${parameter.name}`,
      name: parameter.name,
      type: parameter.type,
      description: parameter.description ?? '',
      required: parameter.required ?? false,
    })),
  }
}

/** As the API expects it. */
export function bodyOf(fields: AgentFields) {
  return {
    name: fields.name.trim(),
    instructions: fields.instructions.trim(),
    greeting: fields.greeting.trim() || null,
    model: fields.model.trim() || null,
    voice: fields.voice.trim() || null,
    tools: [...fields.named, ...fields.own.map(toolOf)],
    phone_number: digitsOf(fields.phone_number) || null,
    transfer_to: digitsOf(fields.transfer_to) || null,
    outbound: fields.outbound,
    text: textOf(fields.text),
  }
}

function textOf(text: Agent['text']): Agent['text'] {
  const topics = [...new Set(text.topics.map(topic => topic.trim()).filter(Boolean))]
  return { ...text, topics, facts: text.facts?.trim() || null }
}

function toolOf({ name, description, url, parameters }: OwnTool): CustomTool {
  return {
    name,
    description: description.trim(),
    parameters: parameters.map(({ name, type, description, required }) => ({
      name,
      type,
      ...(description.trim() && { description: description.trim() }),
      required,
    })),
    url: url.trim(),
  }
}

function ownFaults(tool: OwnTool, { named, own }: AgentFields): Record<string, string> {
  const { name, description, url, parameters } = tool
  const isTwice = named.includes(name) || own.some(other => other !== tool && other.name === name)
  const parameterNames = parameters.map(parameter => parameter.name)
  return {
    ...(!TOOL.test(name) && { name: 'Use lower-case letters, digits and _, like look_up_order' }),
    ...(name && isTwice && { name: 'Another tool has this name' }),
    ...(isBuiltIn(name) && { name: 'This is the name of a built-in tool' }),
    ...(!description.trim() && { description: 'Describe when to use it and what it returns' }),
    ...(!isAddress(url.trim()) && { url: 'Enter a URL that starts with https://' }),
    ...Object.fromEntries(
      parameterNames.flatMap((name, at) => {
        if (!TOOL.test(name)) return [[`parameters[${at}].name`, 'Use lower-case letters, digits and _']]
        return parameterNames.indexOf(name) === at ? [] : [[`parameters[${at}].name`, 'Duplicate name']]
      }),
    ),
  }
}

function isAddress(url: string): boolean {
  return /^https:\/\/[^\s/]+/.test(url) && URL.canParse(url)
}

function digitsOf(typed: string): string {
  return typed.replaceAll(/[\s()/.-]/g, '')
}
