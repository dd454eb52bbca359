import IconChevronDown from 'icon:chevron-down'
import { useId, useState, type ReactNode } from 'react'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { longName, othersOf, shortName, type Recipient } from '../records/conversations/recipients.ts'
import { useOurAddresses } from '../records/conversations/senders.ts'
import { addressOf } from '../records/conversations/words.ts'
import textClasses from '../ui/text.module.css'
import classes from './entry.module.css'

type Props = { entry: ConversationEntry; conversation: Conversation; children: ReactNode }

/** The author and, where there are others than the other side and us, who else got the email: unfolded, everybody. */
export function EmailRecipients({ entry, conversation, children }: Props) {
  const ours = useOurAddresses()
  const [open, setOpen] = useState(false)
  const listId = useId()
  const { direction, address } = entry
  const known = ours && [...ours, addressOf(conversation), ...(address ? [address] : [])]
  const summary = known && summaryOf(entry, known)
  if (!summary)
    return (
      <span className={textClasses.cut}>
        {children}
        {direction === 'out' && address && <span className={textClasses.dim}> to {address}</span>}
      </span>
    )
  return (
    <div className={classes.recipients}>
      <div className={classes.recipientsLine}>
        <span className={classes.who}>{children}</span>
        <button
          type="button"
          className={classes.unfold}
          aria-expanded={open}
          aria-controls={listId}
          title="All recipients"
          onClick={() => setOpen(!open)}
        >
          <span className={textClasses.cut} dir="auto">
            {summary.named}
          </span>
          {summary.more > 0 && <span>(+{summary.more})</span>}
          <IconChevronDown size={12} aria-hidden className={classes.unfoldSign} />
        </button>
      </div>
      <dl id={listId} className={classes.everybody} hidden={!open}>
        <Group name="To" all={toOf(entry)} />
        <Group name="Cc" all={entry.cc} />
        <Group name="Bcc" all={entry.bcc} />
      </dl>
    </div>
  )
}

function Group({ name, all }: { name: string; all: readonly Recipient[] }) {
  if (all.length === 0) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <ul>
          {all.map(each => (
            <li key={each.address} dir="auto">
              {longName(each)}
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}

type Summary = { named: string; more: number }

/** "to Ada, cc Bob" and how many more, or nothing where it went to nobody else. */
function summaryOf(entry: ConversationEntry, known: readonly string[]): Summary | undefined {
  const nobody: readonly Recipient[] = []
  const to = othersOf({ to: entry.to, cc: nobody }, known)
  const cc = othersOf({ to: nobody, cc: entry.cc }, [...known, ...to.map(({ address }) => address)])
  const { bcc, direction } = entry
  const others = to.length + cc.length + bcc.length
  if (others === 0) return undefined
  const shown = direction === 'out' ? [...toOf(entry).slice(0, 1), ...to] : to
  const named = [
    shown[0] && `to ${shortName(shown[0])}`,
    cc[0] && `cc ${shortName(cc[0])}`,
    bcc[0] && `bcc ${shortName(bcc[0])}`,
  ].filter(word => word !== undefined)
  const more = shown.length + cc.length + bcc.length - named.length
  return { named: named.join(', '), more }
}

/** Of what the team sent, whom it was written to comes first. */
function toOf({ to, address, direction }: ConversationEntry): readonly Recipient[] {
  const isThere = to.some(each => each.address.toLowerCase() === address?.toLowerCase())
  return direction === 'out' && address && !isThere ? [{ address, name: null }, ...to] : to
}
