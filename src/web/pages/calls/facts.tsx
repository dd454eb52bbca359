import { Link } from '@tanstack/react-router'
import type { Call } from '#domains/calls/contract.ts'
import { patterns } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { AgentLink } from './agent-link.tsx'
import { By, Direction } from './call-row.tsx'
import { Lasted, Ticking } from './duration.tsx'
import { isLive, numberOf } from '../../records/calls/words.ts'
import classes from './call-page.module.css'

/** One line with number, agent or team member, and duration. */
export function Facts({ call }: { call: Call }) {
  const number = numberOf(call)
  return (
    <ul className={classes.facts} aria-label="About this call">
      <li>
        <Direction direction={call.direction} />
        {number ?? 'Unknown number'}
      </li>
      {call.agent_id ? (
        <li>
          <AgentLink id={call.agent_id} />
          {call.agent_version !== null && <span className={classes.dim}>version {call.agent_version}</span>}
        </li>
      ) : (
        <li>
          <By call={call} />
        </li>
      )}
      {call.lead_id && (
        <li>
          <Link to={patterns.lead} params={{ id: call.lead_id }} search={{}}>
            Open lead
          </Link>
        </li>
      )}
      <li className={classes.clock}>
        <Long call={call} />
      </li>
    </ul>
  )
}

function Long({ call }: { call: Call }) {
  if (call.status === 'SCHEDULED' && call.scheduled_at)
    return (
      <span>
        Due <Time at={call.scheduled_at} ahead />
      </span>
    )
  if (isLive(call)) return <Ticking since={call.connected_at ?? call.started_at} />
  return (
    <>
      {call.duration_sec !== null && call.duration_sec > 0 && <Lasted seconds={call.duration_sec} />}
      <span className={classes.dim}>
        <Time at={call.started_at} />
      </span>
    </>
  )
}
