import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewConversation } from '#domains/conversations/contract.ts'
import {
  conversationChannels,
  REPLY_LENGTH_MAX,
  SUBJECT_LENGTH_MAX,
  type ConversationChannel,
} from '#domains/conversations/values.ts'
import { SMS_LENGTH_MAX } from '#domains/messages/values.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { refreshLists } from '../../records/conversations/refresh.ts'
import type { InboxSearch } from '../../records/conversations/search.ts'
import { conversations } from '../../records/conversations/store.ts'
import { channelOf, channelWords } from '../../records/conversations/words.ts'
import { leads } from '../../records/leads/store.ts'
import { LeadSelect } from '../../records/record-select.tsx'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'

const KEYS = ['lead_id', 'to', 'subject', 'text']

type Props = { lead_id: string | undefined; search: InboxSearch; close: () => void }

/** Writes to a lead, or to an address that is none yet, and opens the conversation. */
export function NewMessage({ lead_id: preset, search, close }: Props) {
  const navigate = useNavigate()
  const [kind, setKind] = useState<'lead' | 'address'>('lead')
  const [leadId, setLeadId] = useState<string | null>(preset ?? null)
  const [to, setTo] = useState('')
  const [chosen, setChosen] = useState<ConversationChannel>('email')
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const lead = useQuery({ ...leads.query(leadId ?? ''), enabled: leadId !== null }).data
  const channel = kind === 'address' && to.trim() ? channelOf(to) : chosen
  const isEmail = channel === 'email'

  async function send() {
    const wrong = {
      ...(kind === 'lead' && !leadId && { lead_id: 'Choose a lead' }),
      ...(kind === 'address' && !to.trim() && { to: 'Enter an email address or phone number' }),
      ...(isEmail && !subject.trim() && { subject: 'Enter a subject' }),
      ...(!text.trim() && { text: 'Write a message' }),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    const body: NewConversation = {
      channel,
      text: text.trim(),
      ...(kind === 'lead' ? { lead_id: leadId! } : { to: addressFrom(to) }),
      ...(isEmail && { subject: subject.trim() }),
    }
    const { id } = conversations.keep(await api('POST /api/conversations', { body }))
    close()
    void refreshLists()
    await navigate({ to: patterns.conversation, params: { id }, search })
  }

  return (
    <FormDialog
      title="New message"
      size={560}
      verb="Send"
      act={send}
      refused={error => setFaults(faultsByField(error, KEYS))}
      fault={faults['']}
      close={close}
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
          <LeadSelect value={leadId} set={setLeadId} error={faults.lead_id} autoFocus />
          <SegmentedControl
            aria-label="Channel"
            value={chosen}
            onChange={value => setChosen(value as ConversationChannel)}
            data={conversationChannels.map(value => ({
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
          error={faults.to}
          data-autofocus
          autoComplete="off"
          onChange={event => setTo(event.currentTarget.value)}
        />
      )}
      {isEmail && (
        <TextInput
          label="Subject"
          value={subject}
          maxLength={SUBJECT_LENGTH_MAX}
          error={faults.subject}
          onChange={event => setSubject(event.currentTarget.value)}
        />
      )}
      <Textarea
        label="Message"
        value={text}
        autosize
        minRows={5}
        maxRows={14}
        maxLength={isEmail ? REPLY_LENGTH_MAX : SMS_LENGTH_MAX}
        error={faults.text}
        onChange={event => setText(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Phone numbers are typed in groups. */
function addressFrom(typed: string): string {
  const text = typed.trim()
  return channelOf(text) === 'email' ? text : text.replaceAll(/[\s().-]/g, '')
}
