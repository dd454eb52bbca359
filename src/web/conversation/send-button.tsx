import { ActionIcon, Button } from '@mantine/core'
import IconChevronDown from 'icon:chevron-down'
import { useState } from 'react'
import type { SendingCheck } from '#domains/conversations/contract.ts'
import { useIsAtLeast } from '../queries.ts'
import { sendingMoments } from '../records/conversations/moments.ts'
import { shortDayAndTime } from '../records/conversations/words.ts'
import { ButtonMenu, type MenuItem } from '../ui/menu.tsx'
import { timeOfDay, useNow } from '../ui/time.tsx'
import { plural } from '../ui/words.ts'
import { MomentDialog } from './lazy-moment-dialog.tsx'
import textClasses from '../ui/text.module.css'
import classes from './composer.module.css'

export type When = { send_at?: string; send_anyway?: true }

type Props = {
  isNote: boolean
  /** It goes at once, and at no other time. */
  isChat?: boolean
  busy: boolean
  disabled: boolean
  sending: SendingCheck | undefined
  /** How many files it still waits for, once it was asked to send. */
  uploading: number
  send: (when?: When) => void
}

/** The button says when the message goes; the arrow has other times. */
export function SendButton({ isNote, isChat, busy, disabled, sending, uploading, send }: Props) {
  const now = useNow()
  const isAdmin = useIsAtLeast('ADMIN')
  const [picks, setPicks] = useState(false)
  const held = sending?.held_until ?? null
  if (isNote)
    return (
      <Button className={classes.only} loading={busy} disabled={disabled} onClick={() => send()}>
        Add note
      </Button>
    )
  const items: MenuItem[] = [
    ...sendingMoments(now).map(({ label, at }) => ({
      label: `${label}, ${timeOfDay(at)}`,
      run: () => send({ send_at: at }),
    })),
    { label: 'Choose date and time…', run: () => setPicks(true) },
    ...(held && isAdmin ? [{ label: 'Send now anyway', run: () => send({ send_anyway: true }) }] : []),
  ]
  if (busy && uploading > 0) {
    const words = `Uploading ${plural(uploading, 'file')}…`
    return (
      <>
        <span role="status" className={textClasses.hidden}>
          {words}
        </span>
        <Button className={classes.only} disabled>
          {words}
        </Button>
      </>
    )
  }
  if (isChat)
    return (
      <Button className={classes.only} loading={busy} disabled={disabled} onClick={() => send()}>
        Send
      </Button>
    )
  return (
    <span className={classes.split}>
      <Button className={classes.send} loading={busy} disabled={disabled} onClick={() => send()}>
        {held ? heldInWords(shortDayAndTime(held, now)) : 'Send'}
      </Button>
      {disabled ? (
        <ActionIcon
          variant="filled"
          color="petrol"
          className={classes.later}
          aria-label="Send later"
          disabled
        >
          <IconChevronDown size={16} />
        </ActionIcon>
      ) : (
        <ButtonMenu
          button={
            <ActionIcon
              variant="filled"
              color="petrol"
              className={classes.later}
              aria-label="Send later"
              title="Send later"
            >
              <IconChevronDown size={16} />
            </ActionIcon>
          }
          items={items}
        />
      )}
      {picks && (
        <MomentDialog
          title="Send later"
          verb="Schedule"
          act={at => {
            setPicks(false)
            return send({ send_at: at })
          }}
          close={() => setPicks(false)}
        />
      )}
    </span>
  )
}

/** "Send at 15:00", "Send tomorrow 08:00". */
function heldInWords(when: string): string {
  return /^\d/.test(when) ? `Send at ${when}` : `Send ${when}`
}
