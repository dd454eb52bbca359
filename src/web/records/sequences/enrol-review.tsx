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

/** Who will be enrolled and who not, before anything happens. Each number opens to the leads it counts. */
export function EnrolReview({ sequence, review, again, setAgain, enrol, close }: Props) {
  const { will_enrol, suppressed, already, no_address, unknown, in_another, missing, warnings } = review
  const canEnrol = will_enrol.length > 0 && warnings.length === 0
  const others = new Map(in_another.map(({ lead_id, sequence_name }) => [lead_id, sequence_name]))
  return (
    <Stack gap="md">
      {warnings.length > 0 && (
        <div className={`${noticeClasses.box} ${classes.warnings}`} role="note">
          <IconAlertTriangle size={16} aria-hidden />
          <ul aria-label="What is not right yet">
            {warnings.map(({ path, message }) => (
              <li key={path}>{message}</li>
            ))}
            <li>
              Nobody can be enrolled until it exists.{' '}
              <Link to={patterns.sequence} params={{ id: sequence.id }} search={{}}>
                Open the sequence
              </Link>
            </li>
          </ul>
        </div>
      )}
      <ul className={rowsClasses.rows} aria-label="Review">
        <Line tone="good" ids={will_enrol} always one="lead will be enrolled" many="leads will be enrolled" />
        {missing.filter(isSet).map(({ placeholder }) => (
          <li key={placeholder} className={classes.count}>
            Nothing is set for {`{{${placeholder}}}`}: it stays empty.{' '}
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
              one={`of them has nothing for {{${placeholder}}}: it stays empty`}
              many={`of them have nothing for {{${placeholder}}}: it stays empty`}
            />
          ))}
        <Line
          tone="warn"
          ids={[...others.keys()]}
          one="of them is in another sequence as well"
          many="of them are in another sequence as well"
          beside={id => ` in ${others.get(id)}`}
        />
        <Line ids={suppressed} one="is on the do-not-contact list" many="are on the do-not-contact list" />
        <Line
          ids={already}
          one="is or was in this sequence already"
          many="are or were in this sequence already"
        />
        <Line
          ids={no_address}
          one="has no address or number that a step could reach"
          many="have no address or number that a step could reach"
        />
        {unknown > 0 && (
          <li className={classes.count}>
            {unknown === 1 ? '1 is no lead any more' : `${unknown} are no leads any more`}
          </li>
        )}
      </ul>
      {sequence.status !== 'ACTIVE' && (
        <p className={textClasses.dim}>
          {sequence.name} is {sequence.status === 'DRAFT' ? 'a draft' : 'paused'}: those you enrol wait until
          it is {sequence.status === 'DRAFT' ? 'activated' : 'resumed'}.
        </p>
      )}
      {(already.length > 0 || again) && (
        <Checkbox
          label="Also those who went through this sequence before"
          checked={again}
          onChange={event => setAgain(event.currentTarget.checked)}
        />
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={close} ref={canEnrol ? null : takeFocus}>
          Cancel
        </Button>
        <Button disabled={!canEnrol} onClick={enrol} ref={canEnrol ? takeFocus : null}>
          {will_enrol.length === 0 ? 'Nobody to enrol' : `Enrol ${plural(will_enrol.length, 'lead')}`}
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
  /** Said even of none. */
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
