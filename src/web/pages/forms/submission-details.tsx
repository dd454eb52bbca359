import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormWithCounts, Submission, Touch } from '#domains/forms/contract.ts'
import { useCan } from '../../queries.ts'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Fault } from '../../ui/states.tsx'
import { exactly, Time } from '../../ui/time.tsx'
import { LeadLink } from '../../records/leads/lead-link.tsx'
import { Beside, BesideWaiting, Fact, Facts, Part } from '../../ui/drawer.tsx'
import { deleteSubmission, releaseSubmission } from './form-writes.ts'
import { submissionQuery } from '../../records/forms/forms-cache.ts'
import { labelledAnswers, statusWords, suspicionWords } from '../../records/forms/submission-words.ts'
import textClasses from '../../ui/text.module.css'
import drawerClasses from '../../ui/drawer.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './submissions.module.css'

type Props = { id: string; form: FormWithCounts; close: () => void }

/** The details of one submission, beside the list. Mounted means open. */
export function SubmissionDetails({ id, form, close }: Props) {
  const query = useQuery(submissionQuery(id))
  const submission = query.data
  return (
    <Beside title="Submission" close={close}>
      {submission ? (
        <Details submission={submission} form={form} close={close} />
      ) : query.error ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : (
        <BesideWaiting label="Loading submission" />
      )}
    </Beside>
  )
}

function Details({
  submission,
  form,
  close,
}: {
  submission: Submission
  form: FormWithCounts
  close: () => void
}) {
  const { status, reasons, notes, values, lead_id, created_at, released_at, form_version } = submission
  const { word, tone } = statusWords[status]
  return (
    <div className={drawerClasses.parts}>
      <div className={drawerClasses.verdict}>
        <Dotted tone={tone}>{word}</Dotted>
        <Acts submission={submission} close={close} />
      </div>
      {reasons.length > 0 && (
        <Part title="Quarantine reasons">
          <ul className={textClasses.bullets}>
            {reasons.map(reason => (
              <li key={reason}>{suspicionWords[reason]}</li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Answers">
        <dl className={`${rowsClasses.rows} ${classes.answers}`}>
          {labelledAnswers(values, form.fields).map(({ key, label, text }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd>{text || <span className={textClasses.none}>Empty</span>}</dd>
            </div>
          ))}
        </dl>
      </Part>
      {notes.length > 0 && (
        <Part title="Not saved to the lead">
          <ul className={textClasses.bullets}>
            {notes.map(({ path, message }) => (
              <li key={path + message}>
                {path && `${path}: `}
                {message}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Details">
        <Facts>
          <Fact name="Lead">{lead_id ? <LeadLink id={lead_id} /> : 'None'}</Fact>
          <Fact name="Received">{exactly(created_at)}</Fact>
          {released_at && (
            <Fact name="Released">
              <Time at={released_at} />
            </Fact>
          )}
          <Fact name="Version">{form_version}</Fact>
          <TouchFacts touch={submission.last_touch} />
          <Fact name="IP address">{submission.ip ?? 'Unknown'}</Fact>
          <Fact name="Browser">{submission.user_agent ?? 'Unknown'}</Fact>
        </Facts>
      </Part>
      {submission.first_touch && (
        <Part title="First visit">
          <Facts>
            <Fact name="When">{exactly(submission.first_touch.at)}</Fact>
            <TouchFacts touch={submission.first_touch} />
          </Facts>
        </Part>
      )}
    </div>
  )
}

/** Sent by strangers: shown as text, never as links. */
function TouchFacts({ touch: { utm, referrer, page_url } }: { touch: Touch }) {
  return (
    <>
      {Object.entries(utm).map(([name, value]) => (
        <Fact key={name} name={`utm_${name}`}>
          {value}
        </Fact>
      ))}
      {page_url && <Fact name="Page">{page_url}</Fact>}
      {referrer && <Fact name="Referrer">{referrer}</Fact>}
    </>
  )
}

function Acts({ submission, close }: { submission: Submission; close: () => void }) {
  const canWrite = useCan('forms:write')
  const [asking, setAsking] = useState(false)
  if (!canWrite) return null
  const isHeld = submission.status === 'QUARANTINED'
  async function forget() {
    await deleteSubmission(submission)
    close()
  }
  return (
    <Group gap="sm">
      {isHeld && (
        <Button size="xs" onClick={() => void releaseSubmission(submission)}>
          Release
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && (
        <Confirm
          title="Delete this submission?"
          verb="Delete submission"
          act={forget}
          close={() => setAsking(false)}
        >
          Its answers and source are deleted permanently. A lead created from it stays.
        </Confirm>
      )}
    </Group>
  )
}
