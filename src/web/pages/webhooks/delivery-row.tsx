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

type Props = {
  delivery: Delivery
  /** What its address belongs to. */
  to: string | undefined
  search: DeliveriesSearch
  isOpen: boolean
}

export const DeliveryRow = memo(function DeliveryRow({ delivery, to, search, isOpen }: Props) {
  const { id, type, status, attempts, next_at, created_at } = delivery
  return (
    <li className={`${classes.row} ${classes.outbound}`} data-open={isOpen || undefined}>
      <Link
        to={patterns.deliveries}
        search={{ ...search, delivery: id }}
        className={classes.link}
        aria-label={`${type} ${delivery.event_id}`}
        preload={false}
      >
        {type}
      </Link>
      <span className={classes.state}>
        <Badge words={deliveryWords[status]} />
      </span>
      <span className={classes.receiver}>{to}</span>
      <span className={classes.attempts}>{attempts > 0 ? plural(attempts, 'attempt') : 'Not tried yet'}</span>
      <span className={classes.counts}>
        <LastAnswer delivery={delivery} />
        {status === 'PENDING' && next_at && (
          <>
            {attempts > 0 && ', '}next <NextAttempt at={next_at} />
          </>
        )}
      </span>
      <span className={classes.when}>
        <Time at={created_at} />
      </span>
    </li>
  )
})

function LastAnswer({ delivery: { last_status, last_error, status } }: { delivery: Delivery }) {
  const said = last_status === null ? last_error : `answer ${last_status}`
  if (!said) return null
  return <span className={status === 'DELIVERED' ? undefined : classes.bad}>{said}</span>
}
