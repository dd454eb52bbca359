import { Select } from '@mantine/core'
import { agentChoices } from './agent-choices.ts'
import type { ControlProps } from './control-props.ts'

/** One of the team's voice agents, by name. */
export function Agent({ label, value, set, fault, around }: ControlProps) {
  const { chosen, choices, isGone } = agentChoices(value, around.catalog.agents)
  return (
    <Select
      label={label}
      placeholder="Default (oldest agent)"
      data={choices}
      value={chosen}
      error={isGone ? 'This voice agent does not exist.' : fault}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      nothingFoundMessage="No voice agents"
      comboboxProps={{ shadow: 'md' }}
      onChange={name => set(name ?? undefined)}
    />
  )
}
