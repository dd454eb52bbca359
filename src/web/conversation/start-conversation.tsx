import { Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Conversation, NewConversation } from '#domains/conversations/contract.ts'
import { REPLY_LENGTH_MAX, SUBJECT_LENGTH_MAX, type FirstChannel } from '#domains/conversations/values.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { SMS_LENGTH_MAX } from '#domains/messages/values.ts'
import { AttachButton } from './attach-button.tsx'
import { ChannelIcon } from './channel-icon.tsx'
import { ComposerNotices } from './composer-notices.tsx'
import { CopiesButton, EmailFields, type CopiesShown } from './email-fields.tsx'
import { Attachments } from './lazy-attachments.tsx'
import { copiesFault, filesFault, goneFault, letterOf } from './letter.ts'
import { SavedReplies } from './saved-replies.tsx'
import { SendButton, type When } from './send-button.tsx'
import { TemplatesButton } from './lazy-templates-button.tsx'
import { useAttachments } from './use-attachments.ts'
import { useFileDrop } from './use-file-drop.ts'
import { useFrom } from './use-from.ts'
import { inWords } from '../problem.ts'
import {
  changeDraft,
  changeDraftFiles,
  replyDraft,
  sentReply,
  useReplyDraft,
} from '../records/conversations/drafts.ts'
import { firstSendingQuery } from '../records/conversations/conversations-cache.ts'
import { startConversation } from '../records/conversations/conversation-writes.ts'
import { channelWords } from '../records/conversations/words.ts'
import { useUploading } from '../records/files/uploads.ts'
import { isTyping } from '../ui/keys.ts'
import { startDraftKey } from './start-draft.ts'
import composerClasses from './composer.module.css'
import textClasses from '../ui/text.module.css'

type Props = {
  lead: Lead
  /** Those for which there is an address. */
  channels: readonly FirstChannel[]
  keep: (begun: Conversation) => void
  field: RefObject<HTMLTextAreaElement | null>
  /** Is set when the conversation takes the place of this. */
  wasWriting: RefObject<boolean>
}

/** The first message to a lead. What was typed stays until it is sent. */
export function StartConversation({ lead, channels, keep, field, wasWriting }: Props) {
  const key = startDraftKey(lead.id)
  const draft = useReplyDraft(key)
  const channel = channels.find(each => each === draft.tab) ?? channels[0] ?? 'email'
  const isEmail = channel === 'email'
  const text = draft.reply
  const { senders, from } = useFrom(draft.mailbox_id)
  const [busy, setBusy] = useState(false)
  const isUnderWay = useRef(false)
  const [fault, setFault] = useState<string>()
  const [asked, setAsked] = useState<CopiesShown>('no')
  const copies = asked === 'no' && draft.cc.length + draft.bcc.length > 0 ? 'yes' : asked
  const [asksSubject, setAsksSubject] = useState(false)
  const [drafted, setDrafted] = useState<string>()
  const sending = useQuery(firstSendingQuery({ lead_id: lead.id }, channel)).data
  const isRefused = Boolean(sending?.refusal)
  const files = useAttachments({
    get: () => replyDraft(key).files,
    set: change => changeDraftFiles(key, change),
  })
  const uploading = useUploading(draft.files)
  const add = (chosen: readonly File[]) => {
    setFault(undefined)
    files.add(chosen)
  }
  const drop = useFileDrop({ enabled: isEmail && !busy, add, refuse: files.refuse })

  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    return () => {
      // The button that sent it can have no focus any more.
      if (isUnderWay.current || current?.contains(document.activeElement)) wasWriting.current = true
    }
  }, [wasWriting])

  function change(next: Parameters<typeof changeDraft>[1]) {
    changeDraft(key, { tab: channel, ...next })
    setFault(undefined)
  }
  function insert(words: string) {
    const { current } = field
    const start = current?.selectionStart ?? text.length
    const end = current?.selectionEnd ?? text.length
    // The caret is put behind it before the next letter is typed.
    flushSync(() => change({ reply: text.slice(0, start) + words + text.slice(end) }))
    current?.focus()
    current?.setSelectionRange(start + words.length, start + words.length)
  }
  async function submit(when: When = {}) {
    if (!text.trim() || isUnderWay.current || isRefused) return
    if (isEmail && !draft.subject.trim()) return setAsksSubject(true)
    isUnderWay.current = true
    setBusy(true)
    setFault(undefined)
    setDrafted(undefined)
    try {
      await send(when)
    } catch (error) {
      setFault(goneFault(error, replyDraft(key).files) ?? inWords(error))
      field.current?.focus()
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  async function send(when: When) {
    const wrong = isEmail ? await letterFault(key) : undefined
    if (wrong !== undefined) return setFault(wrong || undefined)
    const { reply, subject, ...rest } = replyDraft(key)
    const body: NewConversation = {
      channel,
      lead_id: lead.id,
      text: reply.trim(),
      ...(isEmail && { subject: subject.trim(), ...letterOf({ ...rest, from }) }),
      ...when,
    }
    const { conversation } = await startConversation(body)
    changeDraft(key, sentReply)
    keep(conversation)
  }
  /** Wherever in the composer one writes. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isTyping(event.target)) return
    event.preventDefault()
    void submit()
  }

  return (
    <section
      ref={box}
      className={composerClasses.composer}
      aria-label="Write"
      data-composer
      data-files
      data-over={drop.isOver || undefined}
      {...drop.zone}
      onKeyDown={onKeyDown}
    >
      <div className={composerClasses.top}>
        <Channels channels={channels} channel={channel} set={tab => change({ tab })} />
        <span className={`${textClasses.cut} ${composerClasses.to}`}>
          to {sending?.to ?? (isEmail ? lead.email : lead.phone)}
        </span>
        {isEmail && copies === 'no' && <CopiesButton show={() => setAsked('asked')} />}
      </div>
      {isEmail && (
        <>
          <EmailFields
            senders={senders}
            from={from}
            setFrom={mailbox_id => change({ mailbox_id })}
            cc={draft.cc}
            bcc={draft.bcc}
            set={change}
            shown={copies}
            begun={() => setAsked('yes')}
            disabled={busy}
          />
          <TextInput
            className={composerClasses.subject}
            variant="unstyled"
            aria-label="Subject"
            placeholder="Subject"
            value={draft.subject}
            maxLength={SUBJECT_LENGTH_MAX}
            readOnly={busy}
            error={asksSubject && !draft.subject.trim() ? 'Enter a subject' : undefined}
            onChange={event => {
              change({ subject: event.currentTarget.value })
              setAsksSubject(false)
            }}
          />
        </>
      )}
      <div className={composerClasses.field}>
        <Textarea
          ref={field}
          aria-label={`First message by ${channelWords[channel]}`}
          aria-keyshortcuts="r"
          placeholder="Write a message"
          autosize
          minRows={2}
          maxRows={10}
          maxLength={isEmail ? REPLY_LENGTH_MAX : SMS_LENGTH_MAX}
          variant="unstyled"
          readOnly={busy}
          value={text}
          onChange={event => change({ reply: event.currentTarget.value })}
          onKeyDown={event => {
            if (event.key === 'Escape') field.current?.blur()
          }}
          onPaste={drop.onPaste}
        />
      </div>
      {isEmail && (
        <div className={composerClasses.attached}>
          <Attachments files={draft.files} remove={files.remove} disabled={busy} />
        </div>
      )}
      <ComposerNotices
        sending={sending}
        newer={undefined}
        drafted={drafted}
        clash={false}
        fault={fault ?? (isEmail ? files.fault : undefined)}
      />
      <div className={composerClasses.foot}>
        <SavedReplies insert={insert} />
        {isEmail && (
          <TemplatesButton
            lead_id={lead.id}
            disabled={busy}
            insert={({ subject, text }) => {
              if (subject) change({ subject })
              insert(text)
            }}
            tell={setDrafted}
          />
        )}
        {isEmail && <AttachButton add={add} disabled={busy} />}
        <span className={composerClasses.hint}>Ctrl+Enter to send</span>
        <SendButton
          isNote={false}
          busy={busy}
          disabled={!text.trim() || isRefused}
          sending={sending}
          uploading={isEmail ? uploading : 0}
          send={when => void submit(when)}
        />
      </div>
    </section>
  )
}

/** Why it cannot be sent once the uploads are done; empty if somebody has removed a file meanwhile. */
async function letterFault(key: string): Promise<string | undefined> {
  const { files } = replyDraft(key)
  return copiesFault(replyDraft(key)) ?? (await filesFault(files, () => replyDraft(key).files))
}

type ChannelsProps = {
  channels: readonly FirstChannel[]
  channel: FirstChannel
  set: (channel: FirstChannel) => void
}

function Channels({ channels, channel, set }: ChannelsProps) {
  return (
    <fieldset className={composerClasses.tabs}>
      <legend className={textClasses.hidden}>Channel</legend>
      {channels.map(each => (
        <label key={each} className={composerClasses.tab}>
          <input type="radio" name="channel" checked={each === channel} onChange={() => set(each)} />
          <span>
            <span aria-hidden className={composerClasses.tabSign}>
              <ChannelIcon channel={each} />
            </span>
            {channelWords[each]}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
