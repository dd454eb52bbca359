import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconX from 'icon:x'
import { callDirections, callKinds, callStates } from '#domains/calls/values.ts'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { Choice } from '../../ui/filter-fields.tsx'
import { useAgentName } from './agent-link.tsx'
import { agentChoicesQuery } from '../../records/calls/calls-cache.ts'
import type { CallsSearch } from '../../records/calls/search.ts'
import { directionWords, kindWords, statusWords } from '../../records/calls/words.ts'
import filtersClasses from '../../ui/filters.module.css'
import textClasses from '../../ui/text.module.css'

type Props = {
  search: CallsSearch
  put: (change: Record<string, unknown>) => void
  /** Absent without filters. */
  reset: (() => void) | undefined
}

export function CallFilters({ search, put, reset }: Props) {
  const { live, status, kind, direction, agent_id, lead_id } = search
  return (
    <search className={filtersClasses.filters} aria-label="Call filters">
      <Choice label="Status" any="Any" data={statuses} value={status} set={value => put({ status: value })} />
      <Choice label="Type" any="Any" data={kinds} value={kind} set={value => put({ kind: value })} />
      <Choice
        label="Direction"
        any="Any"
        data={directions}
        value={direction}
        set={value => put({ direction: value })}
      />
      <OfAgent value={agent_id} set={value => put({ agent_id: value })} />
      <Button
        size="xs"
        variant={live ? 'light' : 'default'}
        aria-pressed={live === true}
        onClick={() => put({ live: live ? '' : 'true' })}
      >
        Live or scheduled
      </Button>
      {lead_id && <OfLead id={lead_id} drop={() => put({ lead_id: '' })} />}
      {reset && (
        <Button size="xs" variant="subtle" color="gray" onClick={reset}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

const statuses = callStates.map(value => ({ value, label: statusWords[value].label }))
const kinds = callKinds.map(value => ({ value, label: kindWords[value] }))
const directions = callDirections.map(value => ({ value, label: directionWords[value] }))

type OfAgentProps = { value: string | undefined; set: (id: string | undefined) => void }

/** Trashed agents can still be filtered by. */
export function OfAgent({ value, set }: OfAgentProps) {
  const agents = useQuery(agentChoicesQuery).data ?? []
  const name = useAgentName(value ?? null)
  const known = agents.map(agent => ({ value: agent.id, label: agent.name }))
  const isKnown = !value || known.some(each => each.value === value)
  return (
    <Choice
      label="Agent"
      any="Any"
      data={isKnown ? known : [{ value, label: name ?? '…' }, ...known]}
      value={value}
      set={set}
    />
  )
}

function OfLead({ id, drop }: { id: string; drop: () => void }) {
  const words = `With ${useLeadName(id) ?? '…'}`
  return (
    <span className={filtersClasses.chosen}>
      <span className={`${textClasses.cut} ${filtersClasses.chosenWord}`}>{words}</span>
      <ActionIcon size="sm" aria-label={`Remove filter: ${words}`} onClick={drop}>
        <IconX size={14} />
      </ActionIcon>
    </span>
  )
}
