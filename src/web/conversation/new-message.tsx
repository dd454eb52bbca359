import { SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { NewConversation } from '#domains/conversations/contract.ts'
import {
  firstChannels,
  REPLY_LENGTH_MAX,
  SUBJECT_LENGTH_MAX,
  type FirstChannel,
} from '#domains/conversations/values.ts'
import { SMS_LENGTH_MAX } from '#domains/messages/values.ts'
import { api } from '../api.ts'
import { patterns } from '../paths.ts'
import type { Recipient } from '../records/conversations/recipients.ts'
import { refreshLists } from '../records/conversations/refresh.ts'
import type { InboxSearch } from '../records/conversations/search.ts'
import { conversations } from '../records/conversations/store.ts'
import { channelOf, channelWords } from '../records/conversations/words.ts'
import { dropUpload, useUploading, type Attachment } from '../records/files/uploads.ts'
import { leads } from '../records/leads/store.ts'
import { LeadSelect } from '../records/record-select.tsx'
import { faultsByField } from '../ui/field-faults.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { createStore } from '../ui/store.ts'
import { plural } from '../ui/words.ts'
import { AttachButton } from './attach-button.tsx'
import { Attachments } from './lazy-attachments.tsx'
import { CopiesButton, EmailFields, type CopiesShown } from './email-fields.tsx'
import { useAttachments } from './use-attachments.ts'
import { useFileDrop } from './use-file-drop.ts'
import { useFrom } from './use-from.ts'
import { copiesFault, filesFault, goneFault, letterOf } from './letter.ts'
import textClasses from '../ui/text.module.css'
import fieldsClasses from './email-fields.module.css'
import classes from './new-message.module.css'

const KEYS = ['lead_id', 'to', 'subject', 'text']
const noCopies: { cc: readonly Recipient[]; bcc: readonly Recipient[] } = { cc: [], bcc: [] }

type Props = { lead_id: string | undefined; search: InboxSearch; close: () => void }

/** Writes to a lead, or to an address that is none yet, and opens the conversation. */
export function NewMessage({ lead_id: preset, search, close }: Props) {
  const navigate = useNavigate()
  const [kind, setKind] = useState<'lead' | 'address'>('lead')
  const [leadId, setLeadId] = useState<string | null>(preset ?? null)
  const [to, setTo] = useState('')
  const [chosen, setChosen] = useState<FirstChannel>('email')
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const lead = useQuery({ ...leads.query(leadId ?? ''), enabled: leadId !== null }).data
  const channel = kind === 'address' && to.trim() ? (to.includes('@') ? 'email' : 'sms') : chosen
  const isEmail = channel === 'email'
  const [copies, setCopies] = useState(noCopies)
  const [copiesShown, setCopiesShown] = useState<CopiesShown>('no')
  const [mailbox, setMailbox] = useState<string | null>()
  const { senders, from } = useFrom(mailbox)
  const [box] = useState(() => createStore<readonly Attachment[]>([]))
  const attached = box.use(now => now)
  const files = useAttachments(box)
  const uploading = useUploading(attached)
  const [waits, setWaits] = useState(false)
  const add = (chosen: readonly File[]) => {
    setFaults({})
    files.add(chosen)
  }
  const drop = useFileDrop({ enabled: isEmail && !waits, add, refuse: files.refuse })
  // A closed dialog keeps nothing.
  useEffect(() => () => box.get().forEach(({ key }) => dropUpload(key)), [box])

  async function send() {
    const wrong = {
      ...(kind === 'lead' && !leadId && { lead_id: 'Choose a lead' }),
      ...(kind === 'address' && !to.trim() && { to: 'Enter an email address or phone number' }),
      ...(isEmail && !subject.trim() && { subject: 'Enter a subject' }),
      ...(!text.trim() && { text: 'Write a message' }),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    if (isEmail && !(await isReady())) return
    const body: NewConversation = {
      channel,
      text: text.trim(),
      ...(kind === 'lead' ? { lead_id: leadId! } : { to: addressFrom(to) }),
      ...(isEmail && { subject: subject.trim(), ...letterOf({ ...copies, files: box.get(), from }) }),
    }
    const { id } = conversations.keep(await api('POST /api/conversations', { body }))
    close()
    void refreshLists()
    await navigate({ to: patterns.conversation, params: { id }, search })
  }
  async function isReady(): Promise<boolean> {
    setWaits(true)
    try {
      const fault = copiesFault(copies) ?? (await filesFault(attached, box.get))
      if (fault) setFaults({ '': fault })
      return fault === undefined
    } finally {
      setWaits(false)
    }
  }

  return (
    <FormDialog
      title="New message"
      size={560}
      verb="Send"
      beside={isEmail && <AttachButton add={add} disabled={waits} />}
      act={send}
      refused={error => {
        const gone = goneFault(error, attached)
        setFaults(gone ? { '': gone } : faultsByField(error, KEYS))
      }}
      fault={faults[''] ?? (isEmail ? files.fault : undefined)}
      close={close}
    >
      <Stack
        gap="md"
        className={classes.message}
        data-files
        data-over={drop.isOver || undefined}
        {...drop.zone}
      >
        <SegmentedControl
          aria-label="To"
          value={kind}
          onChange={value => setKind(value as typeof kind)}
          data={[
            { value: 'lead', label: 'A lead' },
            { value: 'address', label: 'Another address' },
          ]}
        />
        {kind === 'lead' ? (
          <>
            <LeadSelect value={leadId} set={setLeadId} error={faults.lead_id} readOnly={waits} autoFocus />
            <SegmentedControl
              aria-label="Channel"
              value={chosen}
              onChange={value => setChosen(value as FirstChannel)}
              data={firstChannels.map(value => ({
                value,
                label: channelWords[value],
                disabled: lead !== undefined && !(value === 'email' ? lead.email : lead.phone),
              }))}
            />
          </>
        ) : (
          <TextInput
            label="Email address or phone number"
            placeholder="name@example.com or +49 30 123456"
            value={to}
            readOnly={waits}
            error={faults.to}
            data-autofocus
            autoComplete="off"
            onChange={event => setTo(event.currentTarget.value)}
          />
        )}
        {isEmail && (copiesShown !== 'no' || from !== undefined) && (
          <div className={fieldsClasses.boxed}>
            <EmailFields
              senders={senders}
              from={from}
              setFrom={setMailbox}
              {...copies}
              set={change => setCopies(now => ({ ...now, ...change }))}
              shown={copiesShown}
              begun={() => setCopiesShown('yes')}
              disabled={waits}
            />
          </div>
        )}
        {isEmail && (
          <TextInput
            label="Subject"
            value={subject}
            readOnly={waits}
            rightSection={copiesShown === 'no' && <CopiesButton show={() => setCopiesShown('asked')} />}
            rightSectionWidth={64}
            maxLength={SUBJECT_LENGTH_MAX}
            error={faults.subject}
            onChange={event => setSubject(event.currentTarget.value)}
          />
        )}
        <Textarea
          label="Message"
          value={text}
          readOnly={waits}
          autosize
          minRows={5}
          maxRows={14}
          maxLength={isEmail ? REPLY_LENGTH_MAX : SMS_LENGTH_MAX}
          error={faults.text}
          onChange={event => setText(event.currentTarget.value)}
          onPaste={drop.onPaste}
        />
        {isEmail && <Attachments files={attached} remove={files.remove} />}
        {waits && uploading > 0 && (
          <p role="status" className={textClasses.meta}>
            Uploading {plural(uploading, 'file')}…
          </p>
        )}
      </Stack>
    </FormDialog>
  )
}

/** Phone numbers are typed in groups. */
function addressFrom(typed: string): string {
  const text = typed.trim()
  return channelOf(text) === 'email' ? text : text.replaceAll(/[\s().-]/g, '')
}
