import { Link } from '@tanstack/react-router'
import type { InboundEventInFull } from '#domains/webhooks/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { typeLabel } from '../../records/audit/words.ts'
import { ANYONE } from '../../records/tasks/search.ts'
import classes from '../../ui/drawer.module.css'
import rowsClasses from '../../ui/rows.module.css'

type Caused = InboundEventInFull['caused'][number]

/** What an event caused, with links to the records. */
export function CausedList({ caused }: { caused: Caused[] }) {
  return (
    <ul className={`${rowsClasses.rows} ${classes.list}`}>
      {caused.map(each => (
        <li key={each.event_id}>
          <div className={classes.line}>
            <span className={classes.what}>{inWords(each.type)}</span>
            <ToRecord subject={each.subject} />
            {each.lead_id && each.subject.kind !== 'lead' && (
              <Link to={patterns.lead} params={{ id: each.lead_id }} search={{}}>
                Open lead
              </Link>
            )}
            <Time at={each.at} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function ToRecord({ subject: { kind, id } }: Pick<Caused, 'subject'>) {
  switch (kind) {
    case 'lead':
      return (
        <Link to={patterns.lead} params={{ id }} search={{}}>
          Open lead
        </Link>
      )
    case 'task':
      return (
        <Link to={paths.tasks} search={{ assignee_id: ANYONE, task: id }}>
          Open task
        </Link>
      )
    case 'account':
    case 'opportunity':
    case 'project':
    case 'form':
      return (
        <Link to={patterns[kind]} params={{ id }} search={{}}>
          Open {kind}
        </Link>
      )
    default:
      return null
  }
}

/** The label in the audit log. A type it does not know, like `call.ended`, becomes "Call ended". */
function inWords(type: string): string {
  const label = typeLabel(type)
  if (label !== type) return label
  const text = type.replaceAll(/[.:_]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
