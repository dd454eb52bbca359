import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconUserSearch from 'icon:user-search'
import { useState } from 'react'
import type { PreviewStep } from '#domains/enrolments/contract.ts'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { MailFrame } from '../../ui/mail-frame.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { Time, timeOfDay } from '../../ui/time.tsx'
import { orList, plural } from '../../ui/words.ts'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { LeadPicker } from '../../records/leads/lead-picker.tsx'
import type { StepsDraft } from './draft.ts'
import { readCondition } from './draft-problems.ts'
import type { SequenceSearch } from '../../records/sequences/search.ts'
import { previewQuery } from '../../records/sequences/sequences-cache.ts'
import { holdWords, stepWords } from '../../records/sequences/words.ts'
import classes from '../../records/sequences/steps.module.css'
import textClasses from '../../ui/text.module.css'
import cardClasses from '../../ui/card.module.css'
import noticeClasses from '../../ui/notice.module.css'

type Props = {
  sequence: SequenceWithWarnings
  draft: StepsDraft
  search: SequenceSearch
  show: (search: SequenceSearch) => void
}

/** Every step as one lead would get it, with its due time; nothing is sent. */
export function Preview({ sequence, draft, search: { lead }, show }: Props) {
  const isUnsaved = draft.state.use(({ saving }) => saving !== 'saved')
  const [form, setForm] = useState<'mail' | 'text'>('mail')
  return (
    <section className={classes.preview} aria-label="Preview">
      <div className={classes.previewHead}>
        <ChooseLead id={lead ?? null} choose={id => show({ preview: true, lead: id })} />
        {lead && (
          <SegmentedControl
            size="xs"
            aria-label="Email format"
            value={form}
            data={[
              { value: 'mail', label: 'HTML' },
              { value: 'text', label: 'Plain text' },
            ]}
            onChange={value => setForm(value as 'mail' | 'text')}
          />
        )}
      </div>
      {isUnsaved && (
        <p className={`${noticeClasses.box} ${classes.previewNote}`}>
          The preview shows the saved steps. Save to see your changes.
        </p>
      )}
      {lead ? (
        <Shown sequence={sequence} leadId={lead} form={form} />
      ) : (
        <Empty title="No lead chosen" compact>
          Choose a lead to see every email and text message they would get.
        </Empty>
      )}
    </section>
  )
}

function ChooseLead({ id, choose }: { id: string | null; choose: (id: string) => void }) {
  const [open, setOpen] = useState(false)
  const name = useLeadName(id)
  const button = (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconUserSearch size={16} />}
      aria-haspopup="listbox"
      aria-expanded={open}
      onClick={() => setOpen(true)}
    >
      {id ? `For ${name ?? '…'}` : 'Choose a lead'}
    </Button>
  )
  if (!open) return button
  return (
    <LeadPicker
      label="Preview for"
      close={() => setOpen(false)}
      pick={lead => {
        setOpen(false)
        choose(lead.id)
      }}
    >
      {button}
    </LeadPicker>
  )
}

type ShownProps = { sequence: SequenceWithWarnings; leadId: string; form: 'mail' | 'text' }

function Shown({ sequence, leadId, form }: ShownProps) {
  const query = useQuery(previewQuery(sequence, leadId))
  if (query.error && !query.data) return <Fault error={query.error} retry={() => void query.refetch()} />
  if (!query.data)
    return (
      <div role="status" aria-busy aria-label="Loading preview">
        <Bar width="100%" height={220} />
      </div>
    )
  if (query.data.length === 0)
    return (
      <Empty title="No steps yet" compact>
        Add steps to see a preview.
      </Empty>
    )
  return (
    <ol className={cardClasses.cards} aria-label="What the lead would get">
      {query.data.map(step => (
        <Step key={step.step_index} step={step} form={form} />
      ))}
    </ol>
  )
}

function Step({ step, form }: { step: PreviewStep; form: 'mail' | 'text' }) {
  const { step_index, type, due_at, held, condition, to, subject, html, text, segments, missing } = step
  const only = condition ? readCondition(condition).words : undefined
  return (
    <li className={`${cardClasses.card} ${classes.previewStep}`}>
      <div className={classes.previewTop}>
        <h2>
          {step_index + 1} {stepWords[type].name}
        </h2>
        <span className={classes.dim}>
          <Time at={due_at} ahead />, {timeOfDay(due_at)}
        </span>
      </div>
      {only && <p className={classes.dim}>{only.charAt(0).toUpperCase() + only.slice(1)}</p>}
      {held && <p className={classes.warning}>{holdWords[held]}</p>}
      {missing.length > 0 && (
        <p className={textClasses.bad}>No value for {orList(missing.map(name => `{{${name}}}`))}</p>
      )}
      {to && <p className={classes.dim}>To {to}</p>}
      {subject && <p className={classes.subject}>{subject}</p>}
      {html && form === 'mail' ? (
        <MailFrame className={classes.mail} title={`Email of step ${step_index + 1}`} html={html} />
      ) : (
        text && <p className={classes.plain}>{text}</p>
      )}
      {segments !== null && <p className={classes.dim}>Sent as {plural(segments, 'text message')}</p>}
    </li>
  )
}
