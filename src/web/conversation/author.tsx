import type { ConversationEntry } from '#domains/conversations/contract.ts'
import { usePeople } from '../records/leads/people.ts'
import textClasses from '../ui/text.module.css'
import classes from './entry.module.css'

const kindWords: Partial<Record<ConversationEntry['author']['kind'], string>> = {
  sequence: 'Sequence',
  workflow: 'Workflow',
  agent: 'AI',
}

export function Author({ entry: { author, address } }: { entry: ConversationEntry }) {
  const member = usePeople().get(author.id ?? '')
  const name = author.name || member?.name || member?.email || address || 'Former member'
  const kind = kindWords[author.kind]
  return (
    <>
      <b className={classes.author} dir="auto">
        {name}
      </b>
      {kind && <span className={`${textClasses.chip} ${classes.agent}`}>{kind}</span>}
    </>
  )
}
