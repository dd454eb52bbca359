import IconAlertTriangle from 'icon:alert-triangle'
import IconArrowBackUp from 'icon:arrow-back-up'
import IconCheck from 'icon:check'
import IconClick from 'icon:click'
import IconEye from 'icon:eye'
import IconMailOff from 'icon:mail-off'
import IconUserOff from 'icon:user-off'
import type { Icon } from '../../ui/icon.tsx'
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

/** Engagement with a message as icons. Opens by machines do not count. */
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
            <Shape size={16} />
          </span>
        )
      })}
    </span>
  )
}
