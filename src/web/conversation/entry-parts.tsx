import type { ReactNode } from 'react'
import type { ConversationEntry } from '#domains/conversations/contract.ts'
import { exactly, timeOfDay } from '../ui/time.tsx'
import classes from './entry.module.css'

type LineProps = {
  sign: ReactNode
  direction?: ConversationEntry['direction']
  note?: true
  children: ReactNode
}

/** An entry with the sign of its channel. */
export function Line({ sign, direction, note, children }: LineProps) {
  return (
    <div className={classes.line} data-direction={direction ?? undefined}>
      <span className={classes.sign} data-note={note}>
        {sign}
      </span>
      <div className={classes.what}>{children}</div>
    </div>
  )
}

export function At({ at }: { at: string }) {
  return (
    <time className={classes.at} dateTime={at} title={exactly(at)}>
      {timeOfDay(at)}
    </time>
  )
}
