import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Message } from '#domains/messages/contract.ts'
import { patterns } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { LeadLink } from '../../records/leads/lead-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Marks } from './marks.tsx'
import type { OutboxSearch } from '../../records/enrolments/search.ts'
import { stateOf, titleOf, whyOf } from '../../records/enrolments/words.ts'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './rows.module.css'

type Props = { message: Message; search: OutboxSearch; isOpen: boolean }

/** The whole row is a link; its own controls lie above it. */
export const MessageRow = memo(function MessageRow({ message, search, isOpen }: Props) {
  const { id, address, lead_id, due_at, sent_at } = message
  const title = titleOf(message)
  const why = whyOf(message)
  return (
    <li className={`${rowsClasses.opens} ${classes.row}`} data-open={isOpen || undefined}>
      <span className={`${rowsClasses.state} ${classes.state}`}>
        <Badge words={stateOf(message)} />
      </span>
      <span className={classes.to}>
        <LeadLink id={lead_id} />
        <span className={`${textClasses.meta} ${textClasses.cut}`} title={address}>
          {address}
        </span>
      </span>
      <span className={classes.what}>
        <Link
          to={patterns.outbox}
          search={{ ...search, message: id }}
          className={rowsClasses.link}
          aria-label={`${title}, to ${address}`}
          preload={false}
        >
          {title}
        </Link>
        {why && (
          <span className={`${textClasses.meta} ${textClasses.cut}`} title={why}>
            {why}
          </span>
        )}
      </span>
      <Marks message={message} />
      <span className={`${rowsClasses.when} ${classes.when}`}>
        {sent_at ? <Time at={sent_at} /> : <Time at={due_at} ahead />}
      </span>
    </li>
  )
})
