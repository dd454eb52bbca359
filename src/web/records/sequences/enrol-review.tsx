import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconAlertTriangle from 'icon:alert-triangle'
import { useState, type ReactNode } from 'react'
import type { EnrolmentReview } from '#domains/enrolments/contract.ts'
import type { Sequence } from '#domains/sequences/contract.ts'
import { patterns } from '../../paths.ts'
import { count, plural } from '../../ui/words.ts'
import { LeadLink } from '../leads/lead-link.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { isOfSender } from './words.ts'
import classes from '../../ui/review-dialog.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import noticeClasses from '../../ui/notice.module.css'

const NAMES_MAX = 50

type Props = {
  sequence: Sequence
  review: EnrolmentReview
  again: boolean
  setAgain: (again: boolean) => void
  enrol: () => void
  close: () => void
}

/** Who would be enrolled and who would not. Each number expands to its leads. */
export function EnrolReview({ sequence, review, again, setAgain, enrol, close }: Props) {
  const { will_enrol, suppressed, already, no_address, unknown, in_another, missing, warnings } = review
  const canEnrol = will_enrol.length > 0 && warnings.length === 0
  const others = new Map(in_another.map(({ lead_id, sequence_name }) => [lead_id, sequence_name]))
  return (
    <Stack gap="md">
      {warnings.length > 0 && (
        <div className={`${noticeClasses.box} ${classes.warnings}`} role="note">
          <IconAlertTriangle size={16} aria-hidden />
          <ul aria-label="Fix before enrolling">
            {warnings.map(({ path, message }) => (
              <li key={path}>{message}</li>
            ))}
            <li>
              Leads can be enrolled once this is fixed.{' '}
              <Link to={patterns.sequence} params={{ id: sequence.id }} search={{}}>
                Open sequence
              </Link>
            </li>
          </ul>
        </div>
      )}
      <ul className={rowsClasses.rows} aria-label="Review">
        <Line tone="good" ids={will_enrol} always one="lead will be enrolled" many="leads will be enrolled" />
        {missing.filter(isSet).map(({ placeholder }) => (
          <li key={placeholder} className={classes.count}>
            {`{{${placeholder}}}`} is not set and stays empty.{' '}
            <Link to={patterns.outreachSettings}>Set it under Sending</Link>
          </li>
        ))}
        {missing
          .filter(each => !isSet(each))
          .map(({ placeholder, lead_ids }) => (
            <Line
              key={placeholder}
              tone="warn"
              ids={lead_ids}
              one={`of them has no value for {{${placeholder}}}, so it stays empty`}
              many={`of them have no value for {{${placeholder}}}, so it stays empty`}
            />
          ))}
        <Line
          tone="warn"
          ids={[...others.keys()]}
          one="of them is also in another sequence"
          many="of them are also in another sequence"
          beside={id => ` in ${others.get(id)}`}
        />
        <Line ids={suppressed} one="is on the suppression list" many="are on the suppression list" />
        <Line
          ids={already}
          one="is or was already in this sequence"
          many="are or were already in this sequence"
        />
        <Line ids={no_address} one="cannot be reached by any step" many="cannot be reached by any step" />
        {unknown > 0 && (
          <li className={classes.count}>
            {unknown === 1 ? '1 lead no longer exists' : `${unknown} leads no longer exist`}
          </li>
        )}
      </ul>
      {sequence.status !== 'ACTIVE' && (
        <p className={textClasses.dim}>
          {sequence.name} is {sequence.status === 'DRAFT' ? 'a draft' : 'paused'}: enrolled leads wait until
          it is {sequence.status === 'DRAFT' ? 'activated' : 'resumed'}.
        </p>
      )}
      {(already.length > 0 || again) && (
        <Checkbox
          label="Include leads that were in this sequence before"
          checked={again}
          onChange={event => setAgain(event.currentTarget.checked)}
        />
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={close} ref={canEnrol ? null : takeFocus}>
          Cancel
        </Button>
        <Button disabled={!canEnrol} onClick={enrol} ref={canEnrol ? takeFocus : null}>
          {will_enrol.length === 0 ? 'No leads to enrol' : `Enrol ${plural(will_enrol.length, 'lead')}`}
        </Button>
      </Group>
    </Stack>
  )
}

function isSet({ placeholder }: { placeholder: string }): boolean {
  return isOfSender(placeholder)
}

type LineProps = {
  ids: readonly string[]
  one: string
  many: string
  tone?: 'good' | 'warn'
  /** Shown even for zero. */
  always?: boolean
  beside?: (id: string) => ReactNode
}

function Line({ ids, one, many, tone, always = false, beside }: LineProps) {
  const [open, setOpen] = useState(false)
  if (ids.length === 0 && !always) return null
  const words = (
    <>
      <strong>{count(ids.length)}</strong> {ids.length === 1 ? one : many}
    </>
  )
  if (ids.length === 0) return <li className={classes.count}>{words}</li>
  return (
    <li className={classes.count} data-tone={tone}>
      <details onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>{words}</summary>
        {open && (
          <ul className={classes.names}>
            {ids.slice(0, NAMES_MAX).map(id => (
              <li key={id}>
                <LeadLink id={id} />
                {beside?.(id)}
              </li>
            ))}
            {ids.length > NAMES_MAX && <li>and {count(ids.length - NAMES_MAX)} more</li>}
          </ul>
        )}
      </details>
    </li>
  )
}
