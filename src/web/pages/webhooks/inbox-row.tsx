import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { InboundEvent } from '#domains/webhooks/contract.ts'
import { patterns } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { InboxSearch } from './search.ts'
import { endpointNames, inboundWords, timesInWords } from './words.ts'
import classes from '../../ui/log-rows.module.css'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'

type Props = { event: InboundEvent; search: InboxSearch; isOpen: boolean }

/** One row. The link covers all of it; elements with their own hover lie above it. */
export const InboxRow = memo(function InboxRow({ event, search, isOpen }: Props) {
  const { id, type, status, endpoint, event_id, duplicates, replays, received_at } = event
  return (
    <li className={`${rowsClasses.opens} ${classes.row} ${classes.inbound}`} data-open={isOpen || undefined}>
      <Link
        to={patterns.inbox}
        search={{ ...search, event: id }}
        className={`${rowsClasses.link} ${classes.link}`}
        aria-label={`${type} ${event_id}`}
        preload={false}
      >
        {type}
      </Link>
      <span className={`${rowsClasses.state} ${classes.state}`}>
        <Badge words={inboundWords[status]} />
      </span>
      <span className={`${textClasses.meta} ${textClasses.cut} ${classes.endpoint}`}>
        {endpointNames[endpoint]}
      </span>
      <code className={`${textClasses.meta} ${textClasses.cut} ${classes.code}`}>{event_id}</code>
      <span className={`${textClasses.meta} ${textClasses.cut} ${classes.counts}`}>
        {timesInWords(duplicates, replays)}
      </span>
      <span className={`${rowsClasses.when} ${classes.when}`}>
        <Time at={received_at} />
      </span>
    </li>
  )
})
