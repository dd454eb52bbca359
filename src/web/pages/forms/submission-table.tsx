import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { FormField, FormWithCounts, Submission } from '#domains/forms/contract.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import type { Paged } from '../../ui/next-page.ts'
import { Dotted } from '../../ui/stage.tsx'
import { exactly, Time } from '../../ui/time.tsx'
import { LeadLink } from '../../records/leads/lead-link.tsx'
import { answerText, sourceOf, statusWords } from '../../records/forms/submission-words.ts'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './submissions.module.css'
import table from '../../ui/table.module.css'

/** More would not fit; the drawer shows all of them. */
const COLUMNS_MAX = 3
const NAME_LENGTH_MAX = 60

type Props = {
  form: FormWithCounts
  submissions: Submission[]
  open: (id: string) => void
  list: Paged
}

export function SubmissionTable({ form, submissions, open, list }: Props) {
  const fields = form.fields.filter(({ type }) => type !== 'hidden').slice(0, COLUMNS_MAX)
  return (
    // A region that scrolls must be reachable by keyboard.
    <div
      className={`${pageClasses.list} ${classes.body}`}
      role="region"
      aria-label="Submissions"
      tabIndex={0}
    >
      <div className={table.wrap}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Received</th>
              {fields.map(({ key, label }) => (
                <th key={key} scope="col" className={`${textClasses.cut} ${classes.answer}`}>
                  {label}
                </th>
              ))}
              <th scope="col">Status</th>
              <th scope="col">Lead</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {submissions.map(submission => (
              <Row key={submission.id} submission={submission} fields={fields} open={open} />
            ))}
          </tbody>
        </table>
      </div>
      {list.hasNextPage && (
        <div className={pageClasses.more}>
          <MoreButton list={list} label="Show older" variant="default" />
        </div>
      )}
    </div>
  )
}

type RowProps = { submission: Submission; fields: FormField[]; open: (id: string) => void }

function Row({ submission, fields, open }: RowProps) {
  const { id, status, values, lead_id, created_at } = submission
  const { word, tone } = statusWords[status]
  return (
    <tr className={table.row}>
      <td className={table.when}>
        {/* Covers the whole row; links lie above it. */}
        <UnstyledButton className={table.open} onClick={() => open(id)}>
          <Time at={created_at} />
          <VisuallyHidden>, open submission from {nameOf(submission, fields)}</VisuallyHidden>
        </UnstyledButton>
      </td>
      {fields.map(({ key }) => (
        <td key={key} className={`${textClasses.cut} ${classes.answer}`} title={answerText(values[key])}>
          {answerText(values[key])}
        </td>
      ))}
      <td className={table.when}>
        <Dotted tone={tone}>{word}</Dotted>
      </td>
      <td className={`${textClasses.cut} ${classes.lead}`}>
        {lead_id ? <LeadLink id={lead_id} /> : <span className={textClasses.dim}>None</span>}
      </td>
      <td className={`${textClasses.cut} ${classes.lead}`}>
        {sourceOf(submission) ?? <span className={textClasses.dim}>Direct</span>}
      </td>
    </tr>
  )
}

/** Identifies the submission for screen readers. */
function nameOf({ values, created_at }: Submission, fields: readonly FormField[]): string {
  const first = fields.map(({ key }) => answerText(values[key])).find(Boolean)
  return first?.slice(0, NAME_LENGTH_MAX) ?? exactly(created_at)
}
