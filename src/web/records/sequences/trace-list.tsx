import { Link } from '@tanstack/react-router'
import type { TraceEntry } from '#domains/enrolments/contract.ts'
import type { Decision } from '#domains/enrolments/values.ts'
import { patterns } from '../../paths.ts'
import { Dotted } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import { useLeadName } from '../leads/lead-link.tsx'
import type { SequenceSearch } from './search.ts'
import { decisionWords } from './words.ts'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './enrolments.module.css'

type Props = {
  label: string
  entries: readonly TraceEntry[]
  /** For a list of many leads: the URL's search, so that each links to its drawer. */
  search?: SequenceSearch
}

/** Every decision with its reason, newest first. */
export function TraceList({ label, entries, search }: Props) {
  return (
    <div className={rowsClasses.rows}>
      <ol aria-label={label}>
        {entries.map(entry => (
          <Entry key={entry.id} entry={entry} search={search} />
        ))}
      </ol>
    </div>
  )
}

/** These concern the whole enrolment, not one step. */
const wholes: readonly Decision[] = ['enrolled', 'finished', 'stopped', 'moved']

function Entry({ entry, search }: { entry: TraceEntry; search: SequenceSearch | undefined }) {
  const { decision, reason, step_index, until, at } = entry
  const { tone, label } = decisionWords[decision]
  return (
    <li className={classes.entry}>
      <span>
        <Dotted tone={tone}>{label}</Dotted>
      </span>
      <span className={classes.reason}>
        {search && <Who entry={entry} search={search} />} {reason}{' '}
        <span className={textClasses.meta}>
          {!wholes.includes(decision) && `Step ${step_index + 1}`}
          {until && (
            <>
              , until <Time at={until} ahead />
            </>
          )}
        </span>
      </span>
      <Time at={at} />
    </li>
  )
}

function Who({ entry, search }: { entry: TraceEntry; search: SequenceSearch }) {
  const name = useLeadName(entry.lead_id)
  return (
    <Link
      to={patterns.sequence}
      params={{ id: entry.sequence_id }}
      search={{ ...search, enrolment: entry.enrolment_id }}
    >
      {name ?? '…'}
    </Link>
  )
}
