import { Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ChangeEvent, type KeyboardEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Conversation } from '#domains/conversations/contract.ts'
import { REPLY_LENGTH_MAX, SUBJECT_LENGTH_MAX } from '#domains/conversations/values.ts'
import { SMS_LENGTH_MAX, WHATSAPP_LENGTH_MAX } from '#domains/messages/values.ts'
import { sendingQuery } from '../records/conversations/conversations-cache.ts'
import { changeDraft, changeDraftFiles, replyDraft, useReplyDraft } from '../records/conversations/drafts.ts'
import { tellWriting } from '../records/conversations/writers.ts'
import { channelWords } from '../records/conversations/words.ts'
import { useUploading } from '../records/files/uploads.ts'
import { AgentDraft } from './lazy-agent-draft.tsx'
import { AttachButton } from './attach-button.tsx'
import { ChatHint, ChatPresence } from './chat-presence.tsx'
import { Attachments } from './lazy-attachments.tsx'
import { ComposerNotices } from './composer-notices.tsx'
import { ComposerTabs } from './composer-tabs.tsx'
import { DraftButton } from './lazy-draft-button.tsx'
import { CopiesButton, EmailFields, type CopiesShown } from './email-fields.tsx'
import { MentionList, useMentions } from './mention-list.tsx'
import { SavedReplies } from './saved-replies.tsx'
import { SendButton } from './send-button.tsx'
import { TemplatesButton } from './lazy-templates-button.tsx'
import { WhatsAppTemplateButton } from './whatsapp-template-button.tsx'
import { useAttachments } from './use-attachments.ts'
import { useChannels } from './use-channels.ts'
import { useFileDrop } from './use-file-drop.ts'
import { useReplyFrom } from './use-from.ts'
import { useNewerMessage, useSend } from './use-send.ts'
import { isTyping } from '../ui/keys.ts'
import textClasses from '../ui/text.module.css'
import classes from './composer.module.css'

const lengthMax: Partial<Record<string, number>> = { sms: SMS_LENGTH_MAX, whatsapp: WHATSAPP_LENGTH_MAX }

type Props = { conversation: Conversation; field: RefObject<HTMLTextAreaElement | null> }

/** Where a reply or a note is written. What was typed stays until it is saved. */
export function Composer({ conversation, field }: Props) {
  const { id } = conversation
  const draft = useReplyDraft(id)
  const channels = useChannels(conversation)
  const tab = tabOf(draft.tab, channels, conversation)
  const isNote = tab === 'note'
  const text = isNote ? draft.note : draft.reply
  const { senders, from } = useReplyFrom(conversation, draft.mailbox_id)
  const channel = isNote ? conversation.channel : tab
  const check = useQuery({
    ...sendingQuery(id, channel, channel === 'email' ? from : undefined),
    enabled: !isNote,
  }).data
  const sending = isNote ? undefined : check
  const newest = useNewerMessage(id, draft.seen)
  const mentions = useMentions(field, isNote, insert)
  const isEmail = tab === 'email'
  const isChat = tab === 'chat'
  const isWhatsApp = tab === 'whatsapp'
  const takesFiles = isEmail || isChat || isWhatsApp
  const { busy, fault, clash, send, clear } = useSend({ conversation, tab, from, field })
  const files = useAttachments({
    get: () => replyDraft(id).files,
    set: change => changeDraftFiles(id, change),
  })
  const uploading = useUploading(draft.files)
  const add = (chosen: readonly File[]) => {
    clear()
    files.add(chosen)
  }
  const drop = useFileDrop({ enabled: takesFiles && !busy, add, refuse: files.refuse })
  const [asked, setAsked] = useState<CopiesShown>('no')
  const copies = asked === 'no' && draft.cc.length + draft.bcc.length > 0 ? 'yes' : asked
  const [drafted, setDrafted] = useState<string>()
  const [asksSubject, setAsksSubject] = useState(false)
  const needsSubject = isEmail && conversation.subject === null
  const isRefused = Boolean(sending?.refusal)

  function type(next: string) {
    const isFirst = text.trim() === ''
    changeDraft(id, {
      ...(isNote ? { note: next } : { reply: next }),
      tab,
      ...(isFirst && newest.last && { seen: newest.last }),
    })
    clear()
    if (next.trim()) tellWriting(id)
  }
  /** Replaces what is selected, or from some place to the caret. */
  function insert(words: string, from?: number) {
    const { current } = field
    const start = from ?? current?.selectionStart ?? text.length
    const end = current?.selectionEnd ?? text.length
    // The caret is put behind it before the next letter is typed.
    flushSync(() => type(text.slice(0, start) + words + text.slice(end)))
    current?.focus()
    current?.setSelectionRange(start + words.length, start + words.length)
  }
  function submit(when: { send_at?: string; send_anyway?: true } = {}) {
    if (!text.trim() || busy || isRefused) return
    if (needsSubject && !draft.subject.trim()) return setAsksSubject(true)
    setDrafted(undefined)
    void send(when)
  }
  /** In the place of what was typed as a reply; it is a text like any other from then on. */
  function takeDrafted(words: string) {
    const next = isNote ? conversation.channel : tab
    flushSync(() => changeDraft(id, { reply: words, tab: next, ...(newest.last && { seen: newest.last }) }))
    clear()
    field.current?.focus()
  }
  /** Wherever in the composer one writes. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isTyping(event.target)) return
    event.preventDefault()
    submit()
  }

  return (
    <>
      {conversation.agent_id !== null && <AgentDraft id={id} use={takeDrafted} />}
      <section
        className={classes.composer}
        aria-label="Write"
        data-composer
        data-files
        data-note={isNote || undefined}
        data-over={drop.isOver || undefined}
        {...drop.zone}
        onKeyDown={onKeyDown}
      >
        <div className={classes.top}>
          <ComposerTabs tab={tab} channels={channels} set={next => changeDraft(id, { tab: next })} />
          <span className={`${textClasses.cut} ${classes.to}`}>
            {isNote ? (
              'Only your team sees notes'
            ) : isChat ? (
              <ChatPresence conversation={conversation} />
            ) : (
              sending?.to && `to ${sending.to}`
            )}
          </span>
          {isEmail && copies === 'no' && <CopiesButton show={() => setAsked('asked')} />}
        </div>
        {isEmail && (
          <EmailFields
            senders={senders}
            from={from}
            setFrom={mailbox_id => changeDraft(id, { mailbox_id })}
            cc={draft.cc}
            bcc={draft.bcc}
            set={change => {
              changeDraft(id, { tab, ...change })
              clear()
            }}
            shown={copies}
            begun={() => setAsked('yes')}
            disabled={busy}
          />
        )}
        {needsSubject && (
          <TextInput
            className={classes.subject}
            variant="unstyled"
            aria-label="Subject"
            placeholder="Subject"
            value={draft.subject}
            maxLength={SUBJECT_LENGTH_MAX}
            error={asksSubject && !draft.subject.trim() ? 'Enter a subject' : undefined}
            onChange={event => {
              changeDraft(id, { subject: event.currentTarget.value })
              setAsksSubject(false)
            }}
          />
        )}
        <div className={classes.field}>
          <Textarea
            ref={field}
            aria-label={isNote ? 'Note' : `Reply by ${channelWords[tab]}`}
            aria-keyshortcuts={isNote ? 'n' : 'r'}
            placeholder={isNote ? 'Write a note. @ mentions a colleague' : 'Write a reply'}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={lengthMax[tab] ?? REPLY_LENGTH_MAX}
            variant="unstyled"
            readOnly={busy}
            value={text}
            onChange={(event: ChangeEvent<HTMLTextAreaElement>) => {
              type(event.currentTarget.value)
              mentions.look(event.currentTarget)
            }}
            onKeyDown={event => {
              if (!mentions.onKeyDown(event) && event.key === 'Escape') field.current?.blur()
            }}
            onPaste={drop.onPaste}
            onBlur={mentions.close}
            {...mentions.aria}
          />
          {mentions.typed !== undefined && <MentionList {...mentions} />}
        </div>
        {takesFiles && (
          <div className={classes.attached}>
            <Attachments
              files={draft.files}
              remove={key => {
                clear()
                files.remove(key)
              }}
              disabled={busy}
            />
          </div>
        )}
        {isChat && <ChatHint conversation={conversation} />}
        <ComposerNotices
          sending={sending}
          // In a chat, people write while others write.
          newer={text.trim() && !(isChat && newest.newer?.direction === 'in') ? newest.newer : undefined}
          drafted={drafted}
          clash={clash}
          fault={fault ?? (takesFiles ? files.fault : undefined)}
        />
        <div className={classes.foot}>
          {!isNote && <SavedReplies insert={insert} />}
          {isEmail && conversation.lead_id !== null && (
            <TemplatesButton
              lead_id={conversation.lead_id}
              disabled={busy}
              insert={({ subject, text }) => {
                if (needsSubject && subject) changeDraft(id, { subject })
                insert(text)
              }}
              tell={setDrafted}
            />
          )}
          {!isNote && conversation.last_direction === 'in' && (
            <DraftButton id={id} disabled={busy} insert={insert} tell={setDrafted} />
          )}
          {isWhatsApp && <WhatsAppTemplateButton conversation={conversation} isNeeded={isRefused} />}
          {takesFiles && <AttachButton add={add} disabled={busy} />}
          <span className={classes.hint}>Ctrl+Enter to {isNote ? 'save' : 'send'}</span>
          <SendButton
            isNote={isNote}
            isChat={isChat}
            busy={busy}
            disabled={!text.trim() || isRefused}
            sending={sending}
            uploading={takesFiles ? uploading : 0}
            send={submit}
          />
        </div>
      </section>
    </>
  )
}

/** The tab that was chosen, if it is there; else the channel of the last message. */
function tabOf(
  chosen: ReturnType<typeof useReplyDraft>['tab'],
  channels: ReturnType<typeof useChannels>,
  { channel }: Conversation,
) {
  if (chosen === 'note') return 'note'
  if (chosen && channels.includes(chosen)) return chosen
  return channels.includes(channel) ? channel : (channels[0] ?? channel)
}
