import { NativeSelect, SegmentedControl } from '@mantine/core'
import type { Conversation } from '#domains/conversations/contract.ts'
import { agentModes, type AgentMode } from '#domains/conversations/values.ts'
import { useCan } from '../../queries.ts'
import { useAgentChoices } from '../../records/agents/choices.ts'
import { conversations } from '../../records/conversations/store.ts'
import textClasses from '../../ui/text.module.css'
import classes from './rail.module.css'

const modeWords: Record<AgentMode, string> = { off: 'Off', draft: 'Drafts', auto: 'Answers' }

const meanings: Record<AgentMode, (name: string) => string> = {
  off: name => `${name} does nothing here.`,
  draft: name => `${name} drafts answers. Nothing is sent until a person sends it.`,
  auto: name => `${name} answers on its own.`,
}

/** Which agent answers here, and how far it goes. */
export function ConversationAgent({ conversation }: { conversation: Conversation }) {
  const { id, agent_id, agent_mode } = conversation
  const canWrite = useCan('conversations:write')
  const agents = useAgentChoices(agent_id)
  if (!agents || agents.length === 0) return null
  const name = agents.find(agent => agent.id === agent_id)?.name

  function choose(next: string) {
    const chosen = agents?.find(agent => agent.id === next)
    if (!chosen)
      return void conversations.change(id, { agent_id: null, agent_mode: 'off' }, 'Removed the agent')
    const mode = agent_mode === 'off' ? 'draft' : agent_mode
    void conversations.change(id, { agent_id: chosen.id, agent_mode: mode }, meanings[mode](chosen.name))
  }
  function setMode(mode: AgentMode) {
    if (name) void conversations.change(id, { agent_mode: mode }, meanings[mode](name))
  }

  return (
    <section className={classes.group} aria-label="AI agent">
      <h2 className={classes.heading}>AI agent</h2>
      <fieldset disabled={!canWrite} className={classes.agent}>
        <NativeSelect
          aria-label="Agent"
          data={[{ value: '', label: 'None' }, ...agents.map(({ id, name }) => ({ value: id, label: name }))]}
          value={agent_id ?? ''}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        {name && (
          <>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label="What the agent does"
              data={agentModes.map(value => ({ value, label: modeWords[value] }))}
              value={agent_mode}
              disabled={!canWrite}
              onChange={value => setMode(value as AgentMode)}
            />
            <p className={textClasses.meta}>{meanings[agent_mode](name)}</p>
          </>
        )}
      </fieldset>
    </section>
  )
}
