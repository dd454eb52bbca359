import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconClick from '@tabler/icons-react/dist/esm/icons/IconClick.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconMailOff from '@tabler/icons-react/dist/esm/icons/IconMailOff.mjs'
import IconUserOff from '@tabler/icons-react/dist/esm/icons/IconUserOff.mjs'
import type { Icon } from '@tabler/icons-react'
import type { Message } from '#domains/messages/contract.ts'
import type { MessageOutcome } from '#domains/messages/values.ts'
import { exactly } from '../../ui/time.tsx'
import { heardOf, outcomeWords } from '../../records/enrolments/words.ts'
import classes from './rows.module.css'

export const outcomeIcons: Record<MessageOutcome, Icon> = {
  delivered: IconCheck,
  opened: IconEye,
  clicked: IconClick,
  replied: IconArrowBackUp,
  bounced: IconMailOff,
  complained: IconAlertTriangle,
  unsubscribed: IconUserOff,
}

const BAD: readonly MessageOutcome[] = ['bounced', 'complained', 'unsubscribed']

/** What was heard of a message, as signs with their words behind them. A machine that opens mails is no reader. */
export function Marks({ message }: { message: Message }) {
  const heard = heardOf(message).filter(({ machine }) => !machine)
  return (
    <span className={classes.marks}>
      {heard.map(({ what, at }) => {
        const Shape = outcomeIcons[what]
        return (
          <span
            key={what}
            role="img"
            aria-label={outcomeWords[what]}
            title={`${outcomeWords[what]} ${exactly(at)}`}
            data-bad={BAD.includes(what) || undefined}
          >
            <Shape size={15} stroke={1.8} />
          </span>
        )
      })}
    </span>
  )
}
