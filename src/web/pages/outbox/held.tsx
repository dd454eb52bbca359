import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Enrolment } from '#domains/enrolments/contract.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { valuesOf } from '../../ui/record-list/search.ts'
import { Dotted } from '../../ui/stage.tsx'
import { Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { LeadLink, useLeadName } from '../../records/leads/lead-link.tsx'
import { holdWords, waitsForPerson } from '../../records/sequences/words.ts'
import { EnrolmentMenu } from '../../records/enrolments/enrolment-menu.tsx'
import { heldQuery } from './outbox-cache.ts'
import { ALL_ACTIVE, type OutboxSearch } from '../../records/enrolments/search.ts'
import { SequenceLink, useSequenceName } from '../../records/enrolments/sequence-link.tsx'
import { holdAdvice, holdOf } from '../../records/enrolments/words.ts'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './held.module.css'

/** Enrolments whose next message is held, why, and what to do about it. */
export function Held({ search }: { search: OutboxSearch }) {
  const query = useInfiniteQuery({ ...heldQuery(search), placeholderData: keepPreviousData })
  const enrolments = query.data?.pages.flatMap(page => page.data)
  const isFiltered = search.held !== undefined
  const isAll = valuesOf(search, 'held').includes(ALL_ACTIVE)
  if (query.isError && !enrolments) return <Fault error={query.error} retry={() => void query.refetch()} />
  // Nothing held is the normal case and needs no message.
  if (!enrolments || (enrolments.length === 0 && !isFiltered)) return null
  return (
    <section aria-labelledby="held-heading">
      <h2 id="held-heading" className={pageClasses.heading}>
        {isAll ? 'Active enrolments' : 'Held'}
      </h2>
      {enrolments.length === 0 ? (
        <p className={textClasses.dim}>
          {isAll ? 'No active enrolments.' : 'No enrolments held for this reason.'}
        </p>
      ) : (
        <ul className={rowsClasses.rows}>
          {enrolments.map(enrolment => (
            <Line key={enrolment.id} enrolment={enrolment} />
          ))}
        </ul>
      )}
      <MoreButton list={query} label="Show more" size="xs" />
    </section>
  )
}

function Line({ enrolment }: { enrolment: Enrolment }) {
  const { lead_id, sequence_id, step_index, next_step_at } = enrolment
  const held = holdOf(enrolment)
  const lead = useLeadName(lead_id) ?? 'this lead'
  const sequence = useSequenceName(sequence_id) ?? 'this sequence'
  return (
    <li className={`${rowsClasses.row} ${classes.line}`}>
      <span className={classes.who}>
        <LeadLink id={lead_id} />
        <span className={classes.where}>
          <SequenceLink id={sequence_id} />, step {step_index + 1}
        </span>
      </span>
      <span className={classes.why}>
        <Dotted tone={held ? (waitsForPerson(held) ? 'red' : 'amber') : 'blue'}>
          {held ? holdWords[held] : 'Scheduled'}
        </Dotted>
        {held && <span className={textClasses.meta}>{holdAdvice[held]}</span>}
      </span>
      <span className={`${rowsClasses.when} ${classes.when}`}>
        {next_step_at && <Time at={next_step_at} ahead />}
      </span>
      <EnrolmentMenu enrolment={enrolment} lead={lead} sequence={sequence} />
    </li>
  )
}
