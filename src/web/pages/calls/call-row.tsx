import IconPhoneIncoming from 'icon:phone-incoming'
import IconPhoneOutgoing from 'icon:phone-outgoing'
import { memo } from 'react'
import type { CallInList } from '#domains/calls/contract.ts'
import { Time } from '../../ui/time.tsx'
import { usePeople } from '../../records/leads/people.ts'
import { Badge } from '../../ui/badge.tsx'
import { useAgentName } from './agent-link.tsx'
import { CallLink } from './call-name.tsx'
import { Lasted, Ticking } from './duration.tsx'
import { directionWords, isLive, kindWords, numberOf, statusWords } from '../../records/calls/words.ts'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './calls.module.css'

/** One row; all of it links to the call. */
export const CallRow = memo(function CallRow({ call }: { call: CallInList }) {
  const about = call.outcome ?? call.summary ?? call.end_reason
  const number = call.lead_id ? numberOf(call) : null
  return (
    <li className={`${rowsClasses.opens} ${classes.row}`}>
      <span className={`${rowsClasses.state} ${classes.state}`}>
        <Badge words={statusWords[call.status]} />
      </span>
      <span className={classes.who}>
        <CallLink call={call} className={rowsClasses.link} />
        <span className={`${textClasses.meta} ${textClasses.cut} ${classes.dim}`}>
          <Direction direction={call.direction} />
          {number}
        </span>
      </span>
      <span className={classes.what}>
        <By call={call} />
        {about && (
          <span className={`${textClasses.meta} ${textClasses.cut} ${classes.dim}`} title={about}>
            {about}
          </span>
        )}
      </span>
      <span className={`${rowsClasses.when} ${classes.long}`}>
        <Long call={call} />
      </span>
      <span className={`${rowsClasses.when} ${classes.when}`}>
        {call.status === 'SCHEDULED' && call.scheduled_at ? (
          <Time at={call.scheduled_at} ahead />
        ) : (
          <Time at={call.started_at} />
        )}
      </span>
    </li>
  )
})

export function Direction({ direction }: Pick<CallInList, 'direction'>) {
  const Shape = direction === 'inbound' ? IconPhoneIncoming : IconPhoneOutgoing
  return <Shape size={14} role="img" aria-label={directionWords[direction]} />
}

/** The agent or team member on the call. */
export function By({ call: { kind, agent_id, user_id } }: { call: CallInList }) {
  const agent = useAgentName(agent_id)
  const person = usePeople().get(user_id ?? '')
  const words = agent_id ? (agent ?? '…') : person ? person.name || person.email : kindWords[kind]
  return <span className={textClasses.cut}>{words}</span>
}

function Long({ call }: { call: CallInList }) {
  if (isLive(call)) return <Ticking since={call.connected_at ?? call.started_at} />
  return call.duration_sec !== null && call.duration_sec > 0 ? <Lasted seconds={call.duration_sec} /> : null
}
