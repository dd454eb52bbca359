import { Button, Group, Modal, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Conversation, NewConversation } from '#domains/conversations/contract.ts'
import {
  firstChannels,
  REPLY_LENGTH_MAX,
  SUBJECT_LENGTH_MAX,
  type FirstChannel,
} from '#domains/conversations/values.ts'
import { SMS_LENGTH_MAX } from '#domains/messages/values.ts'
import { startConversation } from '../records/conversations/conversation-writes.ts'
import { firstSendingQuery } from '../records/conversations/conversations-cache.ts'
import { conversationOfLead } from '../records/conversations/of-lead.ts'
import { isEmail as isEmailAddress, type Recipient } from '../records/conversations/recipients.ts'
import { channelOf, channelWords } from '../records/conversations/words.ts'
import { dropUpload, useUploading, type Attachment } from '../records/files/uploads.ts'
import { leads } from '../records/leads/store.ts'
import { LeadSelect } from '../records/record-select.tsx'
import { faultsByField } from '../ui/field-faults.ts'
import { FocusBack } from '../ui/focus-back.ts'
import { isTyping } from '../ui/keys.ts'
import { createStore } from '../ui/store.ts'
import { useBusy } from '../ui/use-submit.ts'
import { AttachButton } from './attach-button.tsx'
import { Attachments } from './lazy-attachments.tsx'
import { ComposerNotices } from './composer-notices.tsx'
import { DraftButton } from './lazy-draft-button.tsx'
import { CopiesButton, EmailFields, type CopiesShown } from './email-fields.tsx'
import { SavedReplies } from './saved-replies.tsx'
import { SendButton, type When } from './send-button.tsx'
import { TemplatesButton } from './lazy-templates-button.tsx'
import { useAttachments } from './use-attachments.ts'
import { useFileDrop } from './use-file-drop.ts'
import { useFrom } from './use-from.ts'
import { copiesFault, filesFault, goneFault, letterOf } from './letter.ts'
import fieldsClasses from './email-fields.module.css'
import classes from './new-message.module.css'

const KEYS = ['lead_id', 'to', 'subject', 'text']
const QUIET_MS = 300
const PHONE = /^\+\d{6,15}$/
const noCopies: { cc: readonly Recipient[]; bcc: readonly Recipient[] } = { cc: [], bcc: [] }

/** The people of an account or a deal: no other address is offered. */
export type Among = { account_id: string | null }

type Props = {
  lead_id: string | undefined
  among?: Among
  /** Is given the conversation that goes on with it, and what was written. */
  sent: (conversation: Conversation, message_id: string) => unknown
  close: () => void
}

/** Writes to a lead, or to an address that is none yet. */
export function NewMessage({ lead_id: preset, among, sent, close }: Props) {
  const [kind, setKind] = useState<'lead' | 'address'>('lead')
  const [leadId, setLeadId] = useState<string | null>(preset ?? null)
  const [to, setTo] = useState('')
  const [chosen, setChosen] = useState<FirstChannel>()
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [drafted, setDrafted] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const lead = useQuery({ ...leads.query(leadId ?? ''), enabled: leadId !== null }).data
  const usual = lead && !lead.email && lead.phone ? 'sms' : 'email'
  const channel = kind === 'address' && to.trim() ? (to.includes('@') ? 'email' : 'sms') : (chosen ?? usual)
  const isEmail = channel === 'email'
  const [copies, setCopies] = useState(noCopies)
  const [copiesShown, setCopiesShown] = useState<CopiesShown>('no')
  const [mailbox, setMailbox] = useState<string | null>()
  const { senders, from } = useFrom(mailbox)
  const [box] = useState(() => createStore<readonly Attachment[]>([]))
  const attached = box.use(now => now)
  const files = useAttachments(box)
  const uploading = useUploading(attached)
  const sending = useSendingCheck(kind === 'lead' ? leadId : null, kind === 'address' ? to : '', channel)
  const known = useInfiniteQuery({
    ...conversationOfLead(leadId ?? ''),
    enabled: kind === 'lead' && leadId !== null,
  }).data?.pages[0]?.data[0]
  const { busy, run } = useBusy(refused)
  const isRefused = Boolean(sending?.refusal)
  const add = (chosen: readonly File[]) => {
    setFaults({})
    files.add(chosen)
  }
  const drop = useFileDrop({ enabled: isEmail && !busy, add, refuse: files.refuse })
  // A closed dialog keeps nothing.
  useEffect(() => () => box.get().forEach(({ key }) => dropUpload(key)), [box])

  async function send(when: When) {
    const wrong = {
      ...(kind === 'lead' && !leadId && { lead_id: 'Choose a lead' }),
      ...(kind === 'address' && !to.trim() && { to: 'Enter an email address or phone number' }),
      ...(isEmail && !subject.trim() && { subject: 'Enter a subject' }),
      ...(!text.trim() && { text: 'Write a message' }),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0 || isRefused) return
    const fault = isEmail ? (copiesFault(copies) ?? (await filesFault(attached, box.get))) : undefined
    if (fault !== undefined) return setFaults({ '': fault })
    const body: NewConversation = {
      channel,
      text: text.trim(),
      ...(kind === 'lead' ? { lead_id: leadId! } : { to: addressFrom(to) }),
      ...(isEmail && { subject: subject.trim(), ...letterOf({ ...copies, files: box.get(), from }) }),
      ...when,
    }
    const { conversation, message_id } = await startConversation(body)
    close()
    await sent(conversation, message_id)
  }
  function refused(error: unknown) {
    const gone = goneFault(error, attached)
    setFaults(gone ? { '': gone } : faultsByField(error, KEYS))
  }
  function submit(when: When = {}) {
    run(() => send(when))
  }
  function insert(words: string) {
    const { current } = field
    const start = current?.selectionStart ?? text.length
    const end = current?.selectionEnd ?? text.length
    // The caret is put behind it before the next letter is typed.
    flushSync(() => setText(now => now.slice(0, start) + words + now.slice(end)))
    current?.focus()
    current?.setSelectionRange(start + words.length, start + words.length)
  }
  /** Wherever in the dialog one writes. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isTyping(event.target)) return
    event.preventDefault()
    submit()
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title="New message" size={560}>
        <Stack
          gap="md"
          className={classes.message}
          data-files
          data-over={drop.isOver || undefined}
          {...drop.zone}
          onKeyDown={onKeyDown}
        >
          {!among && (
            <SegmentedControl
              aria-label="To"
              value={kind}
              onChange={value => setKind(value as typeof kind)}
              data={[
                { value: 'lead', label: 'A lead' },
                { value: 'address', label: 'Another address' },
              ]}
            />
          )}
          {kind === 'lead' ? (
            <>
              <LeadSelect
                value={leadId}
                set={id => {
                  setLeadId(id)
                  setChosen(undefined)
                }}
                account_id={among?.account_id ?? null}
                error={faults.lead_id}
                readOnly={busy}
                autoFocus={!preset}
              />
              <SegmentedControl
                aria-label="Channel"
                value={channel}
                onChange={value => setChosen(value as FirstChannel)}
                data={firstChannels
                  .filter(value => value !== 'whatsapp')
                  .map(value => ({
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
              readOnly={busy}
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
                disabled={busy}
              />
            </div>
          )}
          {isEmail && (
            <TextInput
              label="Subject"
              value={subject}
              readOnly={busy}
              rightSection={copiesShown === 'no' && <CopiesButton show={() => setCopiesShown('asked')} />}
              rightSectionWidth={64}
              maxLength={SUBJECT_LENGTH_MAX}
              error={faults.subject}
              onChange={event => setSubject(event.currentTarget.value)}
            />
          )}
          <Textarea
            ref={field}
            label="Message"
            data-autofocus={preset ? true : undefined}
            value={text}
            readOnly={busy}
            autosize
            minRows={5}
            maxRows={14}
            maxLength={isEmail ? REPLY_LENGTH_MAX : SMS_LENGTH_MAX}
            error={faults.text}
            onChange={event => setText(event.currentTarget.value)}
            onPaste={drop.onPaste}
          />
          {isEmail && <Attachments files={attached} remove={files.remove} />}
          <div>
            <ComposerNotices
              sending={sending}
              newer={undefined}
              drafted={drafted}
              clash={false}
              fault={faults[''] ?? (isEmail ? files.fault : undefined)}
            />
          </div>
          <Group gap="xs">
            <SavedReplies insert={insert} />
            {isEmail && kind === 'lead' && leadId !== null && (
              <TemplatesButton
                lead_id={leadId}
                disabled={busy}
                insert={template => {
                  if (template.subject) setSubject(template.subject)
                  insert(template.text)
                }}
                tell={setDrafted}
              />
            )}
            {known?.last_direction === 'in' && (
              <DraftButton id={known.id} disabled={busy} insert={insert} tell={setDrafted} />
            )}
            {isEmail && <AttachButton add={add} disabled={busy} />}
            <Group gap="sm" ml="auto">
              <Button variant="default" onClick={close} visibleFrom="sm">
                Cancel
              </Button>
              <SendButton
                isNote={false}
                busy={busy}
                disabled={isRefused}
                sending={sending}
                uploading={isEmail ? uploading : 0}
                send={submit}
              />
            </Group>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** Phone numbers are typed in groups. */
function addressFrom(typed: string): string {
  const text = typed.trim()
  return channelOf(text) === 'email' ? text : text.replaceAll(/[\s().-]/g, '')
}

/** What would hold or refuse the message, once it is said whom it is for. */
function useSendingCheck(lead_id: string | null, typed: string, channel: FirstChannel) {
  const [address] = useDebouncedValue(addressFrom(typed), QUIET_MS)
  const isWhole = isEmailAddress(address) || PHONE.test(address)
  return useQuery({
    ...firstSendingQuery(lead_id === null ? { to: address } : { lead_id }, channel),
    enabled: lead_id !== null || (isWhole && channelOf(address) === channel),
  }).data
}
