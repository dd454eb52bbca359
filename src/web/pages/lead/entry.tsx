import IconCalendar from 'icon:calendar'
import IconArrowRight from 'icon:arrow-right'
import IconBolt from 'icon:bolt'
import IconCheckbox from 'icon:checkbox'
import IconCoin from 'icon:coin'
import IconFileInvoice from 'icon:file-invoice'
import IconForms from 'icon:forms'
import IconDeviceMobile from 'icon:device-mobile'
import IconListCheck from 'icon:list-check'
import IconMessages from 'icon:messages'
import IconMail from 'icon:mail'
import IconMessage from 'icon:message'
import IconPencil from 'icon:pencil'
import IconPhone from 'icon:phone'
import IconPlus from 'icon:plus'
import IconRestore from 'icon:restore'
import IconSitemap from 'icon:sitemap'
import IconSend from 'icon:send'
import IconTrash from 'icon:trash'
import IconWorldSearch from 'icon:world-search'
import type { Icon } from '../../ui/icon.tsx'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { TimelineEntry } from '#domains/leads/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { useCan, useUser } from '../../queries.ts'
import { Time } from '../../ui/time.tsx'
import { eventInWords } from '../../ui/words.ts'
import { useFields } from '../../records/leads/choices.tsx'
import { usePeople } from '../../records/leads/people.ts'
import { ValueView } from '../../records/leads/value.tsx'
import { DealStage } from '../../records/opportunities/deal-stage.tsx'
import { ANYONE } from '../../records/tasks/search.ts'
import { callDetail } from './call-words.ts'
import { candidateDetail } from './candidate-words.ts'
import { causeInWords } from './cause.ts'
import { changesOf, detailsOf, type FieldChange } from './changes.ts'
import { FormAnswers } from './form-answers.tsx'
import { meetingDetail } from './meeting-words.ts'
import { conversationDetail } from './conversation-words.ts'
import { outreachDetail } from './outreach-words.ts'
import { receivedWords, recordFields, recordWords } from './record-words.ts'
import { useIsShown } from './shown-texts.ts'
import type { RecordWords } from './timeline-entry.ts'
import { workflowDetail } from './workflow-words.ts'
import textClasses from '../../ui/text.module.css'
import daysClasses from '../../ui/days.module.css'
import classes from './timeline.module.css'

const icons: Record<string, Icon> = {
  'lead.created': IconPlus,
  'lead.changed': IconPencil,
  'lead.noted': IconMessage,
  'lead.trashed': IconTrash,
  'lead.restored': IconRestore,
  'deal.stage_changed': IconCoin,
}

const nounIcons: Record<string, Icon> = {
  opportunity: IconCoin,
  task: IconCheckbox,
  project: IconListCheck,
  form: IconForms,
  email: IconMail,
  message: IconMail,
  sms: IconDeviceMobile,
  outreach: IconSend,
  workflow: IconSitemap,
  invoice: IconFileInvoice,
  meeting: IconCalendar,
  call: IconPhone,
  call_consent: IconPhone,
  candidate: IconWorldSearch,
  conversation: IconMessages,
}

/** One event: its cause, what happened, and when. */
export const Entry = memo(function Entry({ entry }: { entry: TimelineEntry }) {
  const Shape = icons[entry.type] ?? nounIcons[entry.type.split('.')[0] ?? ''] ?? IconBolt
  const user = useUser()
  return (
    <li className={classes.entry}>
      <span className={daysClasses.sign} aria-hidden>
        <Shape size={14} />
      </span>
      <div className={classes.what}>
        <p className={classes.line}>
          <span>
            <b>{causeInWords(entry.cause, user.id)}</b> <What entry={entry} />
          </span>
          <span className={classes.when}>
            <Time at={entry.at} />
          </span>
        </p>
        <Body entry={entry} />
      </div>
    </li>
  )
})

function What({ entry }: { entry: TimelineEntry }) {
  const fields = useFields()
  switch (entry.type) {
    case 'lead.created':
      return 'created this lead'
    case 'lead.trashed':
      return 'moved this lead to the trash'
    case 'lead.restored':
      return 'restored this lead'
    case 'lead.noted':
      return 'wrote a note'
    case 'lead.changed': {
      const labels = changesOf(entry.data, fields).map(({ field }) => field.label.toLowerCase())
      return `changed ${labels.join(', ')}`
    }
    case 'form.submitted':
      return 'was submitted'
    default: {
      const words = recordWords(entry)
      if (words) return <RecordWhat words={words} />
      return entry.type.startsWith('webhook:') ? receivedWords(entry.type) : <>· {eventInWords(entry.type)}</>
    }
  }
}

function RecordWhat({ words: { before, record, after } }: { words: RecordWords }) {
  return (
    <>
      {before} {record && <RecordName record={record} />} {after}
    </>
  )
}

function RecordName({ record: { kind, id, name } }: { record: NonNullable<RecordWords['record']> }) {
  const canSeeOutreach = useCan('outreach:write')
  if ((kind === 'message' || kind === 'sequence') && !canSeeOutreach) return <b>{name}</b>
  if (kind === 'message')
    return (
      <Link to={paths.outbox} search={{ show: 'all', message: id }}>
        {name}
      </Link>
    )
  if (kind === 'sequence')
    return (
      <Link to={patterns.sequence} params={{ id }} search={{}}>
        {name}
      </Link>
    )
  if (kind === 'workflow_run')
    return (
      <Link to={patterns.workflowRun} params={{ id }}>
        {name}
      </Link>
    )
  if (kind === 'call')
    return (
      <Link to={patterns.call} params={{ id }}>
        {name}
      </Link>
    )
  if (kind === 'conversation')
    return (
      <Link to={patterns.conversation} params={{ id }} search={{}}>
        {name}
      </Link>
    )
  if (kind === 'candidate')
    return (
      <Link to={patterns.candidate} params={{ id }}>
        {name}
      </Link>
    )
  if (kind === 'invoice')
    return (
      <Link to={patterns.invoice} params={{ id }}>
        {name}
      </Link>
    )
  if (kind === 'meeting')
    return (
      <Link to={paths.meetings} search={{ meeting: id }}>
        {name}
      </Link>
    )
  if (kind === 'task')
    return (
      <Link to={paths.tasks} search={{ assignee_id: ANYONE, task: id }}>
        {name}
      </Link>
    )
  return (
    <Link to={kind === 'project' ? patterns.project : patterns.opportunity} params={{ id }}>
      {name}
    </Link>
  )
}

function Body({ entry }: { entry: TimelineEntry }): ReactNode {
  const fields = useFields()
  if (entry.type === 'lead.noted')
    return (
      <p className={classes.note} data-team>
        {String(entry.data.text ?? '')}
      </p>
    )
  if (entry.type === 'lead.changed') {
    const changes = changesOf(entry.data, fields)
    return changes.map(change => <Change key={change.field.key} change={change} named={changes.length > 1} />)
  }
  if (entry.type === 'deal.stage_changed') return <StageChange data={entry.data} />
  if (entry.type === 'form.submitted') return <FormAnswers data={entry.data} />
  if (entry.type === 'opportunity.changed' || entry.type === 'task.changed') {
    const changes = changesOf(entry.data, recordFields).filter(({ field }) => recordFields.includes(field))
    return changes.map(change => <Change key={change.field.key} change={change} named={changes.length > 1} />)
  }
  const { at } = entry
  const written = conversationDetail(entry)
  if (written) return <Quote text={written} at={at} isNote={entry.type === 'conversation.noted'} />
  const { quote, about } = entry.type.startsWith('call') ? callDetail(entry) : outreachDetail(entry)
  if (quote) return <Quote text={quote} at={at} />
  const reason = about || workflowDetail(entry) || meetingDetail(entry) || candidateDetail(entry)
  if (reason) return <p className={classes.detail}>{reason}</p>
  if (entry.type.startsWith('lead.') || recordWords(entry)) return null
  return detailsOf(entry.data).map(([name, value]) => (
    <p key={name} className={classes.detail}>
      {name}: {value}
    </p>
  ))
}

/** Written by strangers: shown as plain text only. What the conversation above shows is not said again. */
function Quote({ text, at, isNote = false }: { text: string; at: string; isNote?: boolean }) {
  if (useIsShown(text, at)) return null
  return (
    <p className={classes.note} {...(isNote && { 'data-team': true })}>
      {text}
    </p>
  )
}

function StageChange({ data }: { data: Record<string, unknown> }) {
  const side = (value: unknown) => <DealStage stage={String((value as { stage?: unknown })?.stage ?? '')} />
  return (
    <p className={classes.change}>
      <span className={classes.before}>{side(data.before)}</span>
      <IconArrowRight size={14} role="img" aria-label="changed to" />
      <span className={classes.after}>{side(data.after)}</span>
    </p>
  )
}

/** The line above names the field. With several changes, each has its own label. */
function Change({ change: { field, before, after }, named }: { change: FieldChange; named: boolean }) {
  const people = usePeople()
  const side = (value: FieldChange['before']) =>
    value === null || value === '' ? (
      <span className={textClasses.none}>empty</span>
    ) : (
      <ValueView field={field} value={value} people={people} />
    )
  return (
    <p className={classes.change}>
      {named && <span className={classes.field}>{field.label}</span>}
      <span className={classes.before}>{side(before)}</span>
      <IconArrowRight size={14} role="img" aria-label="changed to" />
      <span className={classes.after}>{side(after)}</span>
    </p>
  )
}
