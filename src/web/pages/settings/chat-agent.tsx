// The few pages with radio buttons bring their style along.
import '@mantine/core/styles/Radio.layer.css'
import { Radio, Select } from '@mantine/core'
import type { ChatWidget } from '#domains/chat/contract.ts'
import { paths } from '../../paths.ts'
import { useAgentChoices } from '../../records/agents/choices.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Bar } from '../../ui/states.tsx'
import type { PartProps } from './chat-widget-fields.ts'
import textClasses from '../../ui/text.module.css'
import form from './outreach-settings.module.css'
import classes from './chat-widget.module.css'

/** Who answers first, if not a person. */
export function ChatAgent({ fields, set, faultOf, editable }: PartProps) {
  const { agent_id, agent_mode } = fields
  const agents = useAgentChoices(agent_id)
  if (!agents) return <Bar width="100%" height={60} />
  if (agents.length === 0)
    return (
      <div className={classes.none}>
        <p className={textClasses.dim}>There are no agents yet. Until then, people answer.</p>
        {editable && (
          <LinkButton size="xs" variant="default" to={paths.agents} search={{}}>
            Agents
          </LinkButton>
        )}
      </div>
    )
  return (
    <div className={form.fields}>
      <Select
        label="Agent"
        placeholder="None: people answer"
        data={agents.map(({ id, name }) => ({ value: id, label: name }))}
        value={agent_id}
        error={faultOf('agent_id')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Remove agent' }}
        nothingFoundMessage="No matches"
        onChange={agent_id => set({ agent_id })}
      />
      {agent_id !== null && (
        <Radio.Group
          label="What it does"
          value={agent_mode}
          onChange={value => set({ agent_mode: value as ChatWidget['agent_mode'] })}
        >
          <div className={classes.choices}>
            <Radio
              size="xs"
              value="draft"
              label="Drafts answers"
              description="A person reads each answer before it is sent."
            />
            <Radio
              size="xs"
              value="auto"
              label="Answers on its own"
              description="Visitors are told that they talk to an AI, and can ask for a person at any time."
            />
          </div>
        </Radio.Group>
      )}
    </div>
  )
}
