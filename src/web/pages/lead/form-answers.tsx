import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Answers } from '#domains/forms/contract.ts'
import { patterns } from '../../paths.ts'
import { labelledAnswers } from '../../records/forms/submission-words.ts'
import factsClasses from '../../ui/facts.module.css'
import classes from './timeline.module.css'
import { forms } from '../../records/forms/store.ts'

/**
 * The values of a submission, and a link to the form, which knows the labels and their order. Written by strangers:
 * shown as plain text only.
 */
export function FormAnswers({ data }: { data: Record<string, unknown> }) {
  const [id, submission] = [String(data.form_id ?? ''), String(data.submission_id ?? '')]
  const form = useQuery({ ...forms.query(id), enabled: id !== '', retry: false }).data
  const answers = labelledAnswers((data.values ?? {}) as Answers, form?.fields ?? []).filter(
    ({ text }) => text,
  )
  return (
    <div className={classes.note}>
      <dl className={`${factsClasses.facts} ${classes.answers}`}>
        {answers.map(({ key, label, text }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {id && (
        <Link to={patterns.form} params={{ id }} search={{ tab: 'submissions', submission }}>
          Open in {String(data.form_name ?? 'the form')}
        </Link>
      )}
    </div>
  )
}
