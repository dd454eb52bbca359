import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconBell from 'icon:bell'
import { lazy, Suspense, useState } from 'react'
import { unreadQuery } from './queries.ts'
import classes from './bell.module.css'

const Panel = lazy(() => import('./panel.tsx').then(({ Panel }) => ({ default: Panel })))

const SHOWN_MAX = 9

/** The number of unread notifications; the list is loaded when first opened. */
export function Bell() {
  const unread = useQuery(unreadQuery).data ?? 0
  const shown = unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread
  const [wanted, setWanted] = useState(false)
  const button = (
    <ActionIcon
      className={classes.bell}
      aria-label={unread > 0 ? `Notifications, ${shown} unread` : 'Notifications'}
      aria-haspopup="dialog"
      onClick={() => setWanted(true)}
    >
      <IconBell size={16} aria-hidden />
      {unread > 0 && (
        <span className={classes.count} aria-hidden>
          {shown}
        </span>
      )}
    </ActionIcon>
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <Panel button={button} />
    </Suspense>
  )
}
