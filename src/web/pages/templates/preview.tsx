import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import IconChevronDown from 'icon:chevron-down'
import IconX from 'icon:x'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Rendered } from '#domains/templates/contract.ts'
import { inWords, isProblem, type FieldFault } from '../../problem.ts'
import { MailFrame } from '../../ui/mail-frame.tsx'
import { Bar } from '../../ui/states.tsx'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { LeadPicker } from '../../records/leads/lead-picker.tsx'
import type { Fields } from './edits.ts'
import type { TemplateSearch } from '../../records/templates/search.ts'
import { previewQuery } from '../../records/templates/templates-cache.ts'
import noticeClasses from '../../ui/notice.module.css'
import classes from './editor.module.css'

const QUIET_MS = 350

type View = 'mail' | 'dark' | 'text'
type Props = {
  fields: Fields
  search: TemplateSearch
  show: (search: TemplateSearch) => void
  /** Reports the errors the server found in the text. */
  told: (faults: FieldFault[]) => void
}

/** The email as its recipient would see it, updated when typing pauses. */
export function Preview({ fields, search, show, told }: Props) {
  const { subject, body, format } = fields
  const [quiet] = useDebouncedValue(
    useMemo(() => ({ subject, body, format }), [subject, body, format]),
    QUIET_MS,
  )
  const { data, error, isPending } = useQuery(previewQuery(quiet, search.lead))
  const [rendered, setRendered] = useState<Rendered>()
  const [view, setView] = useState<View>('mail')
  // While the text has errors, the last valid preview stays.
  if (data && data !== rendered) setRendered(data)
  const tell = useEffectEvent(told)
  useEffect(() => tell(isProblem(error, 422) ? error.errors : []), [error])
  return (
    <section className={classes.preview} aria-label="Preview">
      <div className={classes.previewHead}>
        <ForLead search={search} show={show} />
        <SegmentedControl
          size="xs"
          aria-label="Preview mode"
          value={view}
          onChange={next => setView(next as View)}
          data={[
            { value: 'mail', label: 'Light' },
            { value: 'dark', label: 'Dark' },
            { value: 'text', label: 'Text' },
          ]}
        />
      </div>
      {error && !isProblem(error, 422) && (
        <p className={noticeClasses.bar} role="alert">
          {isProblem(error, 404)
            ? 'This lead no longer exists. Choose another for the preview.'
            : inWords(error)}
        </p>
      )}
      {rendered && isProblem(error, 422) && (
        <p className={noticeClasses.bar}>Fix the errors to update the preview.</p>
      )}
      {rendered && rendered.missing.length > 0 && !isProblem(error, 422) && (
        <p className={noticeClasses.bar} role="status">
          <span>
            <Missing names={rendered.missing} lead={search.lead} />
          </span>
        </p>
      )}
      {rendered ? (
        <>
          <p className={classes.subjectLine}>
            {rendered.subject || <span className={classes.dim}>Re: previous email</span>}
          </p>
          {view === 'text' ? (
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
            <pre className={classes.text} tabIndex={0} role="region" aria-label="Email text">
              {rendered.text}
            </pre>
          ) : (
            <MailFrame
              className={classes.frame}
              title="Email preview"
              html={rendered.html}
              dark={view === 'dark'}
            />
          )}
        </>
      ) : (
        isPending &&
        body !== '' && (
          <div className={classes.previewWaiting} aria-busy>
            <Bar width="60%" height={18} />
            <Bar width="100%" height={180} />
          </div>
        )
      )}
      {body === '' && !rendered && <p className={noticeClasses.bar}>Write some text to see the preview.</p>}
    </section>
  )
}

function Missing({ names, lead }: { names: string[]; lead: string | undefined }) {
  const name = useLeadName(lead ?? null)
  return (
    <>
      {name ?? 'The sample data'} has no value for{' '}
      {names.map((each, index) => (
        <span key={each}>
          {index > 0 && ', '}
          <code>{`{{${each}}}`}</code>
        </span>
      ))}
      . Add a default: <code>{`{{${names[0]} | default: "…"}}`}</code>
    </>
  )
}

function ForLead({ search, show }: Pick<Props, 'search' | 'show'>) {
  const [open, setOpen] = useState(false)
  const { lead, ...rest } = search
  const name = useLeadName(lead ?? null)
  const button = (
    <Button
      size="xs"
      variant="default"
      rightSection={<IconChevronDown size={14} />}
      aria-haspopup="listbox"
      aria-expanded={open}
      onClick={() => setOpen(true)}
    >
      {lead ? `For ${name ?? '…'}` : 'For sample data'}
    </Button>
  )
  return (
    <span className={classes.forLead}>
      {open ? (
        <LeadPicker
          label="Preview for"
          pick={picked => {
            setOpen(false)
            show({ ...rest, lead: picked.id })
          }}
          close={() => setOpen(false)}
        >
          {button}
        </LeadPicker>
      ) : (
        button
      )}
      {lead && (
        <ActionIcon size="sm" aria-label="Back to sample data" onClick={() => show(rest)}>
          <IconX size={14} />
        </ActionIcon>
      )}
    </span>
  )
}
