import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { Notification } from '#domains/notifications/contract.ts'
import { Time } from '../ui/time.tsx'
import { markRead } from './queries.ts'
import textClasses from '../ui/text.module.css'
import classes from './panel.module.css'

/** A link where there is a target, so that it can be opened in a new tab. */
export function Entry({ entry, close }: { entry: Notification; close: () => void }) {
  const { history } = useRouter()
  const { id, link, read_at } = entry
  function open(event: MouseEvent) {
    if (read_at === null) void markRead([id])
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    close()
    history.push(link)
  }
  const shown = { className: classes.entry, 'data-unread': read_at === null || undefined, onClick: open }
  return (
    <li>
      {link === null ? (
        <button type="button" {...shown}>
          <Words {...entry} />
        </button>
      ) : (
        <a href={link} {...shown}>
          <Words {...entry} />
        </a>
      )}
    </li>
  )
}

function Words({ title, text, source_name, created_at, read_at }: Notification) {
  return (
    <>
      <span className={classes.title}>
        {read_at === null && <VisuallyHidden>Unread: </VisuallyHidden>}
        {title}
      </span>
      {text && <span className={classes.text}>{text}</span>}
      <span className={classes.about}>
        <Time at={created_at} />
        {source_name && <span className={`${textClasses.cut} ${classes.source}`}>{source_name}</span>}
      </span>
    </>
  )
}
