import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { cacheKeys, useCan } from '../../queries.ts'

const AGENTS_MAX = 100

type Props = {
  label: string
  description?: string
  value: string | null
  set: (id: string | null) => void
  error?: string | undefined
}

/** One of the team's agents, or none. */
export function AgentSelect({ label, description, value, set, error }: Props) {
  const enabled = useCan('voice:read')
  const { data } = useQuery({
    queryKey: [...cacheKeys.agents, 'names'],
    queryFn: ({ signal }) =>
      api('GET /api/voice/agents', { query: { sort: 'name', limit: AGENTS_MAX }, signal }),
    enabled,
  })
  const agents = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isGone = value !== null && data !== undefined && !agents.some(agent => agent.value === value)
  return (
    <Select
      label={label}
      description={description}
      placeholder="No agent"
      data={isGone ? [...agents, { value, label: 'Agent in the trash' }] : agents}
      value={value}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      nothingFoundMessage="No agents"
      onChange={set}
    />
  )
}

type Mode = 'off' | 'draft' | 'auto'
type Choice = { agent_id: string | null; agent_mode: Mode }
type ChoiceProps = Choice & { set: (choice: Choice) => void; fault: (path: string) => string | undefined }

const modes = [
  { value: 'off', label: 'Does nothing' },
  { value: 'draft', label: 'Drafts answers for a person' },
  { value: 'auto', label: 'Answers automatically' },
]

/** Which agent new conversations have, and what it does there. */
export function AgentChoice({ agent_id, agent_mode, set, fault }: ChoiceProps) {
  return (
    <>
      <AgentSelect
        label="Agent"
        description="For conversations that begin from now on."
        value={agent_id}
        error={fault('agent_id')}
        set={id =>
          set({ agent_id: id, agent_mode: id === null ? 'off' : agent_mode === 'off' ? 'draft' : agent_mode })
        }
      />
      {agent_id !== null && (
        <Select
          label="What the agent does"
          data={modes}
          value={agent_mode}
          error={fault('agent_mode')}
          allowDeselect={false}
          onChange={mode => mode && set({ agent_id, agent_mode: mode as Mode })}
        />
      )}
    </>
  )
}
