import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Delivery } from '#domains/deliveries/contract.ts'
import { patterns } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { plural } from '../../ui/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { NextAttempt } from '../../records/deliveries/next-attempt.tsx'
import type { DeliveriesSearch } from './search.ts'
import { deliveryWords } from './words.ts'
import classes from '../../ui/log-rows.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'

type Props = {
  delivery: Delivery
  /** The name of its endpoint. */
  to: string | undefined
  search: DeliveriesSearch
  isOpen: boolean
}

export const DeliveryRow = memo(function DeliveryRow({ delivery, to, search, isOpen }: Props) {
  const { id, type, status, attempts, next_at, created_at } = delivery
  return (
    <li className={`${rowsClasses.opens} ${classes.row} ${classes.outbound}`} data-open={isOpen || undefined}>
      <Link
        to={patterns.deliveries}
        search={{ ...search, delivery: id }}
        className={`${rowsClasses.link} ${classes.link}`}
        aria-label={`${type} ${delivery.event_id}`}
        preload={false}
      >
        {type}
      </Link>
      <span className={`${rowsClasses.state} ${classes.state}`}>
        <Badge words={deliveryWords[status]} />
      </span>
      <span className={`${textClasses.meta} ${textClasses.cut} ${classes.receiver}`}>{to}</span>
      <span className={`${textClasses.meta} ${textClasses.cut} ${classes.attempts}`}>
        {attempts > 0 ? plural(attempts, 'attempt') : 'No attempts yet'}
      </span>
      <span className={`${textClasses.meta} ${textClasses.cut} ${classes.counts}`}>
        <LastAnswer delivery={delivery} />
        {status === 'PENDING' && next_at && (
          <>
            {attempts > 0 && ', '}next <NextAttempt at={next_at} />
          </>
        )}
      </span>
      <span className={`${rowsClasses.when} ${classes.when}`}>
        <Time at={created_at} />
      </span>
    </li>
  )
})

function LastAnswer({ delivery: { last_status, last_error, status } }: { delivery: Delivery }) {
  const said = last_status === null ? last_error : `HTTP ${last_status}`
  if (!said) return null
  return <span className={status === 'DELIVERED' ? undefined : textClasses.bad}>{said}</span>
}
