import { Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { REPLY_LENGTH_MAX } from '#domains/conversations/values.ts'
import { ApiProblem, inWords, isProblem } from '../problem.ts'
import { forward } from '../records/conversations/conversation-writes.ts'
import type { ForwardDraft } from '../records/conversations/drafts.ts'
import { forwardDraft, keepForward } from '../records/conversations/forwarding.ts'
import { isEmail, type Recipient } from '../records/conversations/recipients.ts'
import { conversationName } from '../records/conversations/words.ts'
import { FileIcon } from '../records/files/file-icon.tsx'
import { sizeInWords } from '../records/imports/words.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { exactly } from '../ui/time.tsx'
import { asSentence } from '../ui/words.ts'
import { Author } from './author.tsx'
import { CopiesButton, EmailFields, type CopiesShown } from './email-fields.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { useFrom } from './use-from.ts'
import textClasses from '../ui/text.module.css'
import fieldsClasses from './email-fields.module.css'
import classes from './forward-dialog.module.css'

/** The fields that show what is wrong with them. */
const KEYS = ['to', 'cc', 'bcc', 'text'] as const
type Faults = Partial<Record<(typeof KEYS)[number] | 'rest', string>>

type Props = { conversation: Conversation; entry: ConversationEntry; close: () => void }

/** Passes an email on to somebody else, with a text above it. What was typed is kept until it is sent. */
export function ForwardDialog({ conversation, entry, close }: Props) {
  const { id, lead_id } = conversation
  const [draft, setDraft] = useState(() => forwardDraft(id, entry.id))
  const { to, cc, bcc, text } = draft
  const [faults, setFaults] = useState<Faults>({})
  const [copiesShown, setCopiesShown] = useState<CopiesShown>(cc.length + bcc.length > 0 ? 'yes' : 'no')
  const { senders, from } = useFrom(draft.mailbox_id, entry.mailbox_id ?? undefined)
  const isStranger = lead_id === null

  function set(change: Partial<ForwardDraft>) {
    setFaults({})
    setDraft(now => {
      const next = { ...now, ...change }
      keepForward(id, next)
      return next
    })
  }
  async function send() {
    const wrong = faultsOf(draft)
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    await forward(conversation, draft, from)
    close()
  }

  return (
    <FormDialog
      title="Forward email"
      size={560}
      verb="Send"
      disabled={isStranger}
      act={send}
      refused={error => setFaults(faultsFrom(error))}
      fault={
        isStranger
          ? `${conversationName(conversation)} is not a lead yet. Create or link a lead to forward this.`
          : faults.rest
      }
      close={close}
    >
      <Stack gap="md">
        <div className={fieldsClasses.boxed}>
          <RecipientsField
            label="To"
            max={1}
            value={to}
            set={to => set({ to })}
            fault={faults.to}
            disabled={false}
            isFirst
          >
            {copiesShown === 'no' && <CopiesButton show={() => setCopiesShown('asked')} />}
          </RecipientsField>
          <EmailFields
            senders={senders}
            from={from}
            setFrom={mailbox_id => set({ mailbox_id })}
            cc={cc}
            bcc={bcc}
            set={set}
            shown={copiesShown}
            begun={() => setCopiesShown('yes')}
            disabled={false}
            faults={faults}
          />
        </div>
        <Textarea
          label="Message"
          value={text}
          autosize
          minRows={4}
          maxRows={12}
          maxLength={REPLY_LENGTH_MAX}
          error={faults.text}
          onChange={event => set({ text: event.currentTarget.value })}
        />
        <PassedOn entry={entry} />
      </Stack>
    </FormDialog>
  )
}

/** What goes below the text. */
function PassedOn({ entry }: { entry: ConversationEntry }) {
  const { subject, at, text, files } = entry
  return (
    <section className={classes.passed} aria-label="Forwarded email">
      <p className={classes.subject} dir="auto">
        {subject ?? '(no subject)'}
      </p>
      <p className={textClasses.meta}>
        <Author entry={entry} />, <time dateTime={at}>{exactly(at)}</time>
      </p>
      {text && (
        <p className={classes.text} dir="auto">
          {text}
        </p>
      )}
      {files.length > 0 && (
        <ul className={classes.files} aria-label="Forwarded files">
          {files.map(file => (
            <li key={file.id}>
              <FileIcon file={file} />
              <span className={textClasses.cut} dir="auto">
                {file.name}
              </span>
              <span className={classes.size}>{sizeInWords(file.size)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function faultsOf({ to, cc, bcc, text }: ForwardDraft): Faults {
  const fault = to.length === 0 ? 'Enter an email address' : wrongIn(to)
  return {
    ...(fault && { to: fault }),
    ...(wrongIn(cc) && { cc: wrongIn(cc) }),
    ...(wrongIn(bcc) && { bcc: wrongIn(bcc) }),
    ...(!text.trim() && { text: 'Write a message' }),
  }
}

function wrongIn(all: readonly Recipient[]): string | undefined {
  const wrong = all.find(({ address }) => !isEmail(address))
  return wrong && `${wrong.address} is not an email address.`
}

/** At the field it is about, or else below all of them. */
function faultsFrom(error: unknown): Faults {
  if (!isProblem(error) || error.errors.length === 0) return { rest: inWords(error) }
  const faults: Faults = {}
  const others: ApiProblem['errors'] = []
  for (const each of error.errors) {
    const field = KEYS.find(key => each.path.replace(/\[\d+\]$/, '') === key)
    if (field) faults[field] = asSentence(each.message)
    else others.push(each)
  }
  if (others.length > 0) faults.rest = inWords(new ApiProblem({ ...error, errors: others }))
  return faults
}
