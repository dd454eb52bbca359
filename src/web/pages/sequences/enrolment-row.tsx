import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Enrolment } from '#domains/enrolments/contract.ts'
import type { Sequence } from '#domains/sequences/contract.ts'
import { patterns } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { EnrolmentMenu } from '../../records/enrolments/enrolment-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { NextAttempt } from '../../records/deliveries/next-attempt.tsx'
import type { SequenceSearch } from '../../records/sequences/search.ts'
import {
  holdOf,
  holdWords,
  outreachWords,
  stepTitle,
  stopWords,
  waitsForPerson,
} from '../../records/sequences/words.ts'
import own from '../../records/sequences/enrolments.module.css'
import classes from '../../ui/log-rows.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'

type Props = { enrolment: Enrolment; sequence: Sequence; search: SequenceSearch; isOpen: boolean }

export const EnrolmentRow = memo(function EnrolmentRow({ enrolment, sequence, search, isOpen }: Props) {
  const { id, lead_id, status, version } = enrolment
  const name = useLeadName(lead_id) ?? '…'
  return (
    <li className={`${rowsClasses.opens} ${classes.row} ${own.row}`} data-open={isOpen || undefined}>
      <Link
        to={patterns.sequence}
        params={{ id: sequence.id }}
        search={{ ...search, enrolment: id }}
        className={`${rowsClasses.link} ${classes.link} ${own.lead}`}
        preload={false}
      >
        {name}
      </Link>
      <span className={own.state}>
        <Badge words={outreachWords[status]} />
        {version !== sequence.version && !enrolment.ended_at && (
          <span className={textClasses.meta}>version {version}</span>
        )}
      </span>
      <Next enrolment={enrolment} sequence={sequence} />
      {!enrolment.ended_at && (
        <span className={own.menu}>
          <EnrolmentMenu enrolment={enrolment} lead={name} sequence={sequence.name} />
        </span>
      )}
    </li>
  )
})

/** The next step and when, why it is held, or how it ended. */
function Next({ enrolment, sequence }: { enrolment: Enrolment; sequence: Sequence }) {
  const { ended_at, stop_reason, next_step_at, step_index, version } = enrolment
  const held = holdOf(enrolment)
  if (ended_at)
    return (
      <span className={own.next}>
        {stop_reason ? stopWords[stop_reason] : 'Ended'} <Time at={ended_at} />
      </span>
    )
  // The steps of older versions are not loaded here; the drawer shows them.
  const step = version === sequence.version ? sequence.steps[step_index] : undefined
  return (
    <span className={own.next}>
      <span>
        Step {step_index + 1}
        {step && ` · ${stepTitle(step)}`}
      </span>
      {held ? (
        <span className={waitsForPerson(held) ? textClasses.bad : textClasses.warn}>{holdWords[held]}</span>
      ) : (
        next_step_at && <NextAttempt at={next_step_at} />
      )}
    </span>
  )
}
