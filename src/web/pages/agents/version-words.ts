import type { AgentVersion } from '#domains/agents/contract.ts'
import type { VersionedField } from '#domains/agents/values.ts'
import { rulesInWords } from './calling-words.ts'

type Snapshot = AgentVersion['agent']

const names: Record<VersionedField, string> = {
  name: 'Name',
  instructions: 'Instructions',
  greeting: 'Greeting',
  model: 'Model',
  voice: 'Voice',
  tools: 'Tools',
  transfer_to: 'Transfers to',
  outbound: 'Outbound calls',
  text: 'Text answers',
}

/** What a version changed, a line per field; without the version before, only the field names. */
export function changesInWords({ agent, changes }: AgentVersion, before: Snapshot | undefined): string[] {
  return changes.map(field => `${names[field]}: ${before ? wordsOf(field, before, agent) : 'changed'}`)
}

function wordsOf(field: VersionedField, before: Snapshot, after: Snapshot): string {
  if (field === 'tools') return toolsInWords(before.tools, after.tools)
  if (field === 'outbound') return rulesInWords(after.outbound)
  if (field === 'instructions' || field === 'text') return 'edited'
  return after[field] === null ? 'removed' : `“${after[field]}”`
}

type Tools = Snapshot['tools']

function toolsInWords(before: Tools, after: Tools): string {
  const [was, is] = [byName(before), byName(after)]
  const changed = [...is].filter(([name, text]) => was.has(name) && was.get(name) !== text)
  const parts = [
    listed('added', missing(is, was)),
    listed('removed', missing(was, is)),
    listed(
      'changed',
      changed.map(([name]) => name),
    ),
  ].filter(Boolean)
  return parts.join('; ') || 'reordered'
}

function byName(tools: Tools): Map<string, string> {
  return new Map(
    tools.map(tool => (typeof tool === 'string' ? [tool, ''] : [tool.name, JSON.stringify(tool)])),
  )
}

function missing(from: Map<string, string>, other: Map<string, string>): string[] {
  return [...from.keys()].filter(name => !other.has(name))
}

function listed(what: string, tools: string[]): string {
  return tools.length > 0 ? `${what} ${tools.join(', ')}` : ''
}
