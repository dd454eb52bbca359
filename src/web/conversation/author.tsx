import type { ConversationEntry } from '#domains/conversations/contract.ts'
import { usePeople } from '../records/leads/people.ts'
import textClasses from '../ui/text.module.css'
import classes from './entry.module.css'

export function Author({ entry: { author, address } }: { entry: ConversationEntry }) {
  const member = usePeople().get(author.id ?? '')
  const name = author.name || member?.name || member?.email || address || 'Former member'
  return (
    <>
      <b className={classes.author} dir="auto">
        {name}
      </b>
      {(author.kind === 'sequence' || author.kind === 'workflow') && (
        <span className={`${textClasses.chip} ${classes.agent}`}>
          {author.kind === 'sequence' ? 'Sequence' : 'Workflow'}
        </span>
      )}
    </>
  )
}
