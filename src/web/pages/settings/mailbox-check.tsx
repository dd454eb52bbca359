import IconAlertTriangle from 'icon:alert-triangle'
import IconCircleCheck from 'icon:circle-check'
import IconClock from 'icon:clock'
import type { ReactNode } from 'react'
import textClasses from '../../ui/text.module.css'
import classes from './mailbox-settings.module.css'

export type Tone = 'ok' | 'warn' | 'bad' | 'none'

type Props = {
  tone: Tone
  title: string
  fix?: ReactNode
  /** Below the line. */
  more?: ReactNode
  children: ReactNode
}

/** One line, with its fix beside the problem. */
export function Check({ tone, title, fix, more, children }: Props) {
  const Shape = tone === 'ok' ? IconCircleCheck : tone === 'none' ? IconClock : IconAlertTriangle
  return (
    <li className={classes.check} data-tone={tone}>
      <Shape size={18} aria-hidden />
      <div className={classes.words}>
        <span className={classes.checkTitle}>{title}</span>
        <span className={textClasses.dim}>{children}</span>
      </div>
      {fix && <div className={classes.acts}>{fix}</div>}
      {more && <div className={classes.more}>{more}</div>}
    </li>
  )
}
