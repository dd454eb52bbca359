import type { Conversation } from '#domains/conversations/contract.ts'
import { emailOf, useVisit } from '../records/conversations/visits.ts'
import classes from './chat.module.css'

type Props = { conversation: Conversation }

/** A dot while their page is open. */
export function ChatPresence({ conversation }: Props) {
  const visit = useVisit(conversation)
  if (!visit) return null
  return (
    <span className={classes.presence} data-here={visit.is_here || undefined}>
      <span className={classes.dot} aria-hidden />
      {visit.is_here ? 'Here now' : 'Not here now'}
    </span>
  )
}

/** When they will read it, if they are not here. */
export function ChatHint({ conversation }: Props) {
  const visit = useVisit(conversation)
  if (!visit || visit.is_here) return null
  const email = emailOf(visit)
  return (
    <p className={classes.hint} role="status">
      {email ? `It is emailed to ${email} if they do not see it.` : 'They will see it when they come back.'}
    </p>
  )
}
