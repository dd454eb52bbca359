import '@mantine/core/styles/Switch.layer.css'
import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import type { Agent } from '#domains/agents/contract.ts'
import { builtInTools, TOOLS_MAX } from '#domains/agents/values.ts'
import { patterns } from '../../paths.ts'
import { Section } from '../../ui/page-head.tsx'
import { isBuiltIn, newTool, type OwnTool } from './agent-fields.ts'
import { sessionQuery } from '../../records/agents/agents-cache.ts'
import { OwnToolCard } from './own-tool.tsx'
import { toolWords } from './tool-words.ts'
import type { AgentDraft } from './use-agent-draft.ts'
import textClasses from '../../ui/text.module.css'
import cardClasses from '../../ui/card.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './agent-page.module.css'

type Props = { agent: Agent; draft: AgentDraft; canWrite: boolean }

/** What the agent can do besides speaking and writing. */
export function ToolsPart({ agent, draft, canWrite }: Props) {
  const { named, own } = draft.fields
  const others = named.filter(name => !isBuiltIn(name))
  return (
    <>
      <Section
        title="Tools"
        about="What the agent can do in calls and conversations. Its instructions say when."
      >
        <ul className={`${rowsClasses.rows} ${classes.tools}`}>
          {builtInTools.map(name => (
            <BuiltIn key={name} name={name} agent={agent} draft={draft} />
          ))}
        </ul>
        {others.length > 0 && (
          <ul className={classes.others} aria-label="Other tools">
            {others.map(name => (
              <li key={name}>
                <code>{name}</code>
                <span className={textClasses.dim}>Unknown to Rapport.</span>
                {canWrite && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove ${name}`}
                    onClick={() => draft.set({ named: named.filter(each => each !== name) })}
                  >
                    Remove
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section
        title="Custom tools"
        about="Handled by your own service: it receives a signed request during the call and has five seconds to respond to the agent."
      >
        {own.length === 0 && (
          <p className={textClasses.dim}>None yet. For example, look up an order or check stock.</p>
        )}
        <OwnTools agent={agent} draft={draft} canWrite={canWrite} />
        {canWrite && named.length + own.length < TOOLS_MAX && (
          <Button
            className={classes.add}
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => draft.set({ own: [...own, newTool()] })}
          >
            Add tool
          </Button>
        )}
      </Section>
    </>
  )
}

function BuiltIn({ name, agent, draft }: { name: (typeof builtInTools)[number] } & Omit<Props, 'canWrite'>) {
  const { named, transfer_to } = draft.fields
  const { label, about } = toolWords[name]
  const isOn = named.includes(name)
  return (
    <li>
      <Switch
        label={label}
        description={about}
        checked={isOn}
        onChange={() => draft.set({ named: isOn ? named.filter(each => each !== name) : [...named, name] })}
      />
      {name === 'transfer' && isOn && (
        <p className={classes.beneath}>
          {transfer_to ? `To ${transfer_to}. ` : 'No number set yet. '}
          <Link to={patterns.agent} params={{ id: agent.id }} search={{ tab: 'phone' }}>
            {transfer_to ? 'Change number' : 'Set number'}
          </Link>
        </p>
      )}
    </li>
  )
}

function OwnTools({ agent, draft, canWrite }: Props) {
  const { own } = draft.fields
  const hasSaved = agent.tools.some(tool => typeof tool !== 'string')
  const { data: session } = useQuery({ ...sessionQuery(agent.id), enabled: hasSaved })
  const put = (key: string, change: Partial<OwnTool>) =>
    draft.set({ own: own.map(tool => (tool.key === key ? { ...tool, ...change } : tool)) })
  return (
    <div className={cardClasses.cards}>
      {own.map((tool, at) => (
        <OwnToolCard
          key={tool.key}
          tool={tool}
          canWrite={canWrite}
          endpointId={session?.webhooks.find(webhook => webhook.tool === tool.name)?.endpoint_id}
          fault={path => draft.fault(`own[${at}].${path}`)}
          set={change => put(tool.key, change)}
          remove={() => draft.set({ own: own.filter(({ key }) => key !== tool.key) })}
        />
      ))}
    </div>
  )
}
