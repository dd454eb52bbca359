import type { Conversation } from '#domains/conversations/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { useCan } from '../../queries.ts'
import { Bar } from '../../ui/states.tsx'
import classes from './conversation-waiting.module.css'

const COMPOSER_PX = 134
const SUBJECT_PX = 29
const NOTHING_PX = 46
/** A few messages. */
const MESSAGES_PX = 420

type Props = {
  lead: Lead
  /** Undefined until it is known whether there is one. */
  known: Conversation | null | undefined
}

/** As tall as what takes its place, as far as that can be told. */
export function ConversationWaiting({ lead, known }: Props) {
  const canWrite = useCan('conversations:write')
  const canBegin = canWrite && Boolean(lead.email || lead.phone)
  const composer = COMPOSER_PX + (known || !lead.email ? 0 : SUBJECT_PX)
  return (
    <section className={classes.section} aria-label="Conversation" aria-busy>
      <h2 className={classes.head}>Conversation</h2>
      {known ? (
        <>
          {canWrite && <Bar width="100%" height={composer} />}
          <Bar width="100%" height={MESSAGES_PX} />
        </>
      ) : (
        <Bar width="100%" height={canBegin ? composer : NOTHING_PX} />
      )}
    </section>
  )
}
