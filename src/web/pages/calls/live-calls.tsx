import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { CallInList } from '#domains/calls/contract.ts'
import { paths } from '../../paths.ts'
import { Dotted } from '../../ui/stage.tsx'
import { By, Direction } from './call-row.tsx'
import { callQuery } from '../../records/calls/calls-cache.ts'
import { CallLink } from './call-name.tsx'
import { Ticking } from './duration.tsx'
import { speakerWords, statusWords, toolName } from '../../records/calls/words.ts'
import rowsClasses from '../../ui/rows.module.css'
import cardClasses from '../../ui/card.module.css'
import classes from './calls.module.css'

/** The live calls, each with what was said last. */
export function LiveCalls({ calls, hasMore }: { calls: CallInList[]; hasMore: boolean }) {
  return (
    <section className={classes.live} aria-labelledby="live-calls">
      <h2 className={classes.heading} id="live-calls">
        Live now
        <span className={classes.count}>
          {calls.length}
          {hasMore && '+'}
        </span>
        {hasMore && (
          <Link to={paths.calls} search={{ live: 'true' }}>
            Show all
          </Link>
        )}
      </h2>
      <ul className={classes.cards}>
        {calls.map(call => (
          <LiveCard key={call.id} call={call} />
        ))}
      </ul>
    </section>
  )
}

const LiveCard = memo(function LiveCard({ call }: { call: CallInList }) {
  const { tone, label } = statusWords[call.status]
  return (
    <li className={`${cardClasses.card} ${classes.card}`}>
      <div className={classes.cardHead}>
        <CallLink call={call} className={rowsClasses.link} />
        <span>
          <Ticking since={call.connected_at ?? call.started_at} />
        </span>
      </div>
      <div className={classes.cardAbout}>
        <Dotted tone={tone}>{label}</Dotted>
        <span className={classes.cardBy}>
          <Direction direction={call.direction} />
          <By call={call} />
        </span>
      </div>
      <LastLine id={call.id} />
    </li>
  )
})

/** The call is loaded once; new lines arrive by the live stream. */
function LastLine({ id }: { id: string }) {
  const transcript = useQuery(callQuery(id)).data?.transcript
  const last = transcript?.findLast(line => line.text || line.tool)
  return (
    <p className={classes.last}>
      {last ? (
        <>
          <b>{speakerWords[last.speaker]}</b> {last.tool ? toolName(last.tool.name) : last.text}
        </>
      ) : (
        transcript && 'Nothing said yet.'
      )}
    </p>
  )
}
