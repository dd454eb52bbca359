import IconAlertCircle from 'icon:alert-circle'
import IconClockPause from 'icon:clock-pause'
import IconMessages from 'icon:messages'
import type { ReactNode } from 'react'
import type { ConversationEntry, SendingCheck } from '#domains/conversations/contract.ts'
import { shortDayAndTime } from '../records/conversations/words.ts'
import { useNow } from '../ui/time.tsx'
import classes from './composer.module.css'

type Props = {
  sending: SendingCheck | undefined
  /** What was written since typing began. */
  newer: ConversationEntry | undefined
  /** What is to be known of a text that was drafted. */
  drafted: string | undefined
  clash: boolean
  fault: string | undefined
}

/** What holds or refuses the message, and what has happened while it was written. */
export function ComposerNotices({ sending, newer, drafted, clash, fault }: Props) {
  const now = useNow()
  return (
    <>
      {clash ? (
        <Notice tone="warn" sign={<IconMessages size={15} />} alert>
          Not sent: someone else wrote or changed this conversation. Check it, then send again.
        </Notice>
      ) : (
        newer && (
          <Notice tone="warn" sign={<IconMessages size={15} />}>
            {newer.direction === 'in' ? 'They have' : `${newer.author.name ?? 'Somebody'} has`} written since
            you started.
          </Notice>
        )
      )}
      {drafted && (
        <Notice tone="warn" sign={<IconMessages size={15} />}>
          {drafted}
        </Notice>
      )}
      {sending?.refusal && (
        <Notice tone="bad" sign={<IconAlertCircle size={15} />}>
          {sending.detail ?? 'A message cannot be sent here.'}
        </Notice>
      )}
      {!sending?.refusal && sending?.held_until && (
        <Notice tone="warn" sign={<IconClockPause size={15} />}>
          Held until {shortDayAndTime(sending.held_until, now)}.{sending.detail && ` ${sending.detail}`}
        </Notice>
      )}
      {fault && (
        <Notice tone="bad" sign={<IconAlertCircle size={15} />} alert>
          {fault}
        </Notice>
      )}
    </>
  )
}

type NoticeProps = { tone: 'warn' | 'bad'; sign: ReactNode; alert?: true; children: ReactNode }

function Notice({ tone, sign, alert, children }: NoticeProps) {
  return (
    <p className={classes.notice} data-tone={tone} role={alert ? 'alert' : 'status'}>
      <span aria-hidden className={classes.noticeSign}>
        {sign}
      </span>
      <span>{children}</span>
    </p>
  )
}
