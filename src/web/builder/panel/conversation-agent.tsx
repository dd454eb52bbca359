import { AgentSelect } from '../../records/agents/agent-select.tsx'
import type { ControlProps } from './control-props.ts'

/** The agent that gets a conversation. */
export function ConversationAgent({ label, value, set, fault }: ControlProps) {
  return (
    <AgentSelect
      label={label}
      value={typeof value === 'string' ? value : null}
      set={id => set(id ?? undefined)}
      error={fault}
    />
  )
}
