import '@mantine/core/styles/Switch.layer.css'
import { Button, Popover } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import IconBell from 'icon:bell'
import { cloneElement, useEffect, useRef, type ReactElement, type Ref } from 'react'
import { useComeOpen } from '../ui/come-open.ts'
import { MoreButton } from '../ui/more-button.tsx'
import { Bar, Empty, Fault } from '../ui/states.tsx'
import { fallSilent } from './announcements.ts'
import { BrowserSwitch } from './browser-switch.tsx'
import { Entry } from './entry.tsx'
import { listQuery, markRead, unreadQuery } from './queries.ts'
import classes from './panel.module.css'

type ButtonProps = { ref?: Ref<HTMLButtonElement>; onClick?: () => void }

/** The list with its bell. Opens on mount, since it is loaded by opening it. */
export function Panel({ button }: { button: ReactElement<ButtonProps> }) {
  const { target, opened, setOpened } = useComeOpen()
  return (
    <Popover
      position="bottom-start"
      width="min(400px, calc(100vw - 16px))"
      opened={opened}
      onChange={setOpened}
      middlewares={{ flip: false, shift: { padding: 8 } }}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        {cloneElement(button, { ref: target, onClick: () => setOpened(now => !now) })}
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        <Inside close={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Inside({ close }: { close: () => void }) {
  const unread = useQuery(unreadQuery).data ?? 0
  const heading = useRef<HTMLHeadingElement>(null)
  // What the toasts announce is in the list.
  useEffect(fallSilent, [])
  function readAll() {
    // The button disappears: keep the focus.
    heading.current?.focus()
    void markRead()
  }
  return (
    <>
      <div className={classes.head}>
        <h2 ref={heading} tabIndex={-1} data-autofocus>
          Notifications
        </h2>
        {unread > 0 && (
          <Button size="xs" variant="subtle" onClick={readAll}>
            Mark all as read
          </Button>
        )}
      </div>
      <div className={classes.scroll}>
        <List close={close} />
      </div>
      <BrowserSwitch />
    </>
  )
}

function List({ close }: { close: () => void }) {
  const list = useInfiniteQuery(listQuery)
  if (list.isPending) return <Waiting />
  if (list.isError) return <Fault error={list.error} retry={() => void list.refetch()} />
  const entries = list.data.pages.flatMap(({ data }) => data)
  if (entries.length === 0)
    return (
      <Empty icon={<IconBell size={26} stroke={1.5} />} title="No notifications yet">
        Notifications from workflows appear here.
      </Empty>
    )
  return (
    <>
      <ul className={classes.list} aria-label="Notifications">
        {entries.map(entry => (
          <Entry key={entry.id} entry={entry} close={close} />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className={classes.more}>
          <MoreButton list={list} label="Show older" size="xs" />
        </div>
      )}
    </>
  )
}

function Waiting() {
  return (
    <div aria-busy aria-label="Loading">
      {[70, 55, 62].map(width => (
        <div key={width} className={classes.waiting}>
          <Bar width={`${width}%`} />
          <Bar width="40%" height={10} />
        </div>
      ))}
    </div>
  )
}
