import { useQuery } from '@tanstack/react-query'
import { callDirections, callKinds, callStates } from '#domains/calls/values.ts'
import { agentChoicesQuery } from '../../records/calls/calls-cache.ts'
import { directionWords, kindWords, statusWords } from '../../records/calls/words.ts'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import type { Option } from '../../ui/picker.tsx'
import { withChosen } from '../../ui/record-list/filters.ts'
import { valuesOf, type ListSearch } from '../../ui/record-list/search.ts'
import { useAgentName } from './agent-link.tsx'

type Props = { search: ListSearch; set: (next: ListSearch) => void }

export function CallFilters({ search, set }: Props) {
  const agents = useAgentOptions(search)
  const lead = useLeadName(valuesOf(search, 'lead_id')[0] ?? null)
  return (
    <ListBar
      label="Call filters"
      filters={[
        { kind: 'choice', name: 'status', label: 'Status', options: statuses },
        { kind: 'choice', name: 'kind', label: 'Type', options: kinds },
        { kind: 'choice', name: 'direction', label: 'Direction', options: directions },
        { kind: 'choice', name: 'agent_id', label: 'Agent', options: agents },
        { kind: 'record', name: 'lead_id', label: 'Lead', nameOf: () => lead ?? '…' },
        { kind: 'flag', name: 'live', label: 'Live or scheduled', words: 'only' },
      ]}
      search={search}
      set={set}
    />
  )
}

const statuses = callStates.map(value => ({ value, label: statusWords[value].label }))
const kinds = callKinds.map(value => ({ value, label: kindWords[value] }))
const directions = callDirections.map(value => ({ value, label: directionWords[value] }))

/** The agents, and a chosen one that is in the trash. */
export function useAgentOptions(search: ListSearch): Option[] {
  const agents = useQuery(agentChoicesQuery).data
  const known = agents?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const chosen = valuesOf(search, 'agent_id')
  const other = agents && chosen.find(id => !agents.some(agent => agent.id === id))
  const name = useAgentName(other ?? null)
  return withChosen(known, chosen, id => (id === other && name) || '…')
}
