import { keeper } from '#platform/records.ts'
import { agentEvents, type Agent } from './contract.ts'

export const agentColumns = [
  'id',
  'name',
  'kind',
  'description',
  'instructions',
  'model',
  'voice',
  'greeting',
  'tools',
  'phone_number',
  'transfer_to',
  'outbound',
  'text',
  'price',
  'listed',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof Agent)[]

export const records = keeper<Agent>({
  noun: 'agent',
  table: 'agents',
  columns: agentColumns,
  json: ['tools', 'outbound', 'text', 'price'],
  events: agentEvents,
  nameOf: ({ name }) => name,
})
