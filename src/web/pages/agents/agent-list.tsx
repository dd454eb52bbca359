import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Agent } from '#domains/agents/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { TrashedRow } from '../../ui/list-page.tsx'
import { money } from '../../ui/money.ts'
import { Dotted } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import classes from '../../ui/list-page.module.css'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'
import { agents } from '../../records/agents/store.ts'

type Props = { agents: Agent[]; trashed: boolean; more: ReactNode }

export function AgentList({ agents: listed, trashed, more }: Props) {
  const canWrite = useCan('voice:write')
  return (
    <div className={pageClasses.list}>
      <ul className={rowsClasses.rows} aria-label="Agents">
        {listed.map(agent =>
          trashed ? (
            <TrashedRow
              key={agent.id}
              name={agent.name}
              short="Voice agent"
              deletedAt={agent.deleted_at}
              restore={canWrite ? () => agents.bringBack(agent.id) : undefined}
            />
          ) : (
            <li key={agent.id} className={`${rowsClasses.row} ${classes.row}`}>
              <span className={classes.name}>
                <Link to={patterns.agent} params={{ id: agent.id }}>
                  {agent.name}
                </Link>
                <span className={textClasses.under}>{agent.description ?? 'Voice agent'}</span>
              </span>
              <span className={classes.state}>
                <AgentState agent={agent} />
              </span>
              <span className={classes.rest}>
                <span className={classes.parts}>
                  {agent.price && <span>{money(agent.price.amount, agent.price.currency)}</span>}
                  {agent.phone_number && <span>{agent.phone_number}</span>}
                  <span className={textClasses.dim}>
                    changed <Time at={agent.updated_at} />
                  </span>
                </span>
              </span>
            </li>
          ),
        )}
      </ul>
      {more}
    </div>
  )
}

export function AgentState({ agent }: { agent: Agent }) {
  if (agent.listed) return <Dotted tone="green">Listed</Dotted>
  return <Dotted tone="slate">Unlisted</Dotted>
}
