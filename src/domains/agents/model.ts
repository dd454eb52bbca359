import { invalid, type Fault } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { FAULTS_MAX, schemaCheck } from '#platform/schema-check.ts'
import { currencyDigits } from '#domains/invoices/amounts.ts'
import type { Agent, AgentChange, AgentVersion, Deployment, NewAgent, Price } from './contract.ts'
import { CustomTool } from './tool-contract.ts'
import { isBuiltIn, toolName } from './tools.ts'
import { DEFAULT_OUTBOUND, DEFAULT_TEXT, versionedFields, type VersionedField } from './values.ts'

export function newAgent(input: NewAgent, made: { id: string; at: string }): Agent {
  return {
    id: made.id,
    name: input.name,
    kind: input.kind ?? 'voice',
    description: input.description ?? null,
    instructions: input.instructions,
    model: input.model ?? null,
    voice: input.voice ?? null,
    greeting: input.greeting ?? null,
    tools: input.tools ?? [],
    phone_number: input.phone_number ?? null,
    transfer_to: input.transfer_to ?? null,
    outbound: input.outbound ?? DEFAULT_OUTBOUND,
    text: input.text ?? DEFAULT_TEXT,
    price: input.price ?? null,
    listed: input.listed ?? false,
    version: 1,
    created_at: made.at,
    updated_at: made.at,
    deleted_at: null,
  }
}

/** `currency`: the one that the chain settles in; undefined where none is configured, and nothing can be bought anyway. */
export function checkOffer({ price, listed }: Pick<Agent, 'price' | 'listed'>, currency: string | undefined) {
  const faults = [...priceFaults(price, listed), ...currencyFaults(price, listed, currency)]
  if (faults.length > 0) throw invalid(faults)
}

/** What cannot be true of any agent, however well each field is written. */
export function checkSpeaking(agent: Pick<Agent, 'tools' | 'transfer_to' | 'outbound' | 'text'>): void {
  const shape = agent.tools.flatMap(shapeFaults)
  // What is no tool has no name that could be used twice.
  const faults =
    shape.length > 0 ? shape : [...toolFaults(agent), ...quietFaults(agent), ...hoursFaults(agent)]
  if (faults.length > 0) throw invalid(faults.slice(0, FAULTS_MAX))
}

/** Whether it is one that strangers may buy. */
export function isOnSale(agent: Agent): agent is Agent & { price: Price } {
  return agent.listed && agent.price !== null && agent.deleted_at === null
}

/** Names once each: the order is the team's. */
export function tidy<Fields extends AgentChange>(fields: Fields): Fields {
  return fields.tools ? { ...fields, tools: [...new Set(fields.tools)] } : fields
}

/** What it is now, as a version keeps it. */
export function versionOf(agent: Agent): AgentVersion['agent'] {
  return Object.fromEntries(versionedFields.map(field => [field, agent[field]])) as AgentVersion['agent']
}

/** The fields in which the later differs; none where there was nothing before. */
export function versionChanges(
  before: AgentVersion['agent'] | undefined,
  after: AgentVersion['agent'],
): VersionedField[] {
  if (!before) return []
  const changed = difference(before, after)?.after ?? {}
  return versionedFields.filter(field => field in changed)
}

export type Snapshot = Deployment['agent']

/**
 * What is sold: the agent as it is now. Its numbers, its price, the tools that its own services answer and
 * how it answers in text, with the facts of its team, stay with the seller.
 */
export function snapshotOf(agent: Agent): Snapshot {
  const { name, kind, description, instructions, model, voice, greeting, tools, outbound } = agent
  const named = tools.filter(tool => typeof tool === 'string')
  return { name, kind, description, instructions, model, voice, greeting, tools: named, outbound }
}

/** The agent in the buyer's team: it transfers to no one until they set a number. */
export function claimed(snapshot: Snapshot): NewAgent {
  return { ...snapshot, tools: snapshot.tools.filter(tool => tool !== 'transfer') }
}

const faultsOfTool = schemaCheck(CustomTool)

function shapeFaults(tool: Agent['tools'][number], at: number): Fault[] {
  if (typeof tool === 'string') return []
  return faultsOfTool(tool).map(({ path, message }) => ({ path: `tools[${at}].${path}`, message }))
}

function toolFaults({ tools, transfer_to }: Pick<Agent, 'tools' | 'transfer_to'>): Fault[] {
  const names = tools.map(toolName)
  const faults = tools.flatMap((tool, at): Fault[] => {
    if (typeof tool === 'string') return []
    const path = `tools[${at}].name`
    if (isBuiltIn(tool.name)) return [{ path, message: 'is the name of a built-in tool' }]
    return names.indexOf(tool.name) !== at || names.lastIndexOf(tool.name) !== at
      ? [{ path, message: 'is a duplicate' }]
      : parameterFaults(tool.parameters, at)
  })
  if (names.includes('transfer') && transfer_to === null)
    faults.push({ path: 'transfer_to', message: 'is required for the transfer tool' })
  return faults
}

function parameterFaults(parameters: readonly { name: string }[], at: number): Fault[] {
  const names = parameters.map(({ name }) => name)
  return names.flatMap((name, place) =>
    names.indexOf(name) === place
      ? []
      : [{ path: `tools[${at}].parameters[${place}].name`, message: 'is a duplicate' }],
  )
}

function quietFaults({ outbound: { quiet_hours } }: Pick<Agent, 'outbound'>): Fault[] {
  return quiet_hours && quiet_hours.from === quiet_hours.until
    ? [{ path: 'outbound.quiet_hours.until', message: 'must be different from the start time' }]
    : []
}

function hoursFaults({ text: { hours } }: Pick<Agent, 'text'>): Fault[] {
  return (hours?.spans ?? []).flatMap(({ from, until }, at) =>
    from < until
      ? []
      : [{ path: `text.hours.spans[${at}].until`, message: 'must be later than the start time' }],
  )
}

function priceFaults(price: Price | null, listed: boolean): Fault[] {
  if (!price) return listed ? [{ path: 'price', message: 'is required to list the agent' }] : []
  const { amount, currency } = price
  if (!/[1-9]/.test(amount)) return [{ path: 'price.amount', message: 'must be more than zero' }]
  const digits = currencyDigits(currency)
  const fraction = amount.split('.')[1]?.replace(/0+$/, '') ?? ''
  // The invoice of a sale has whole cents.
  return fraction.length > digits
    ? [{ path: 'price.amount', message: `can have at most ${digits} decimals in ${currency}` }]
    : []
}

function currencyFaults(price: Price | null, listed: boolean, currency: string | undefined): Fault[] {
  if (!listed || !price || !currency || price.currency === currency) return []
  return [{ path: 'price.currency', message: `must be ${currency}, the currency buyers pay in` }]
}
