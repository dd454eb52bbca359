import { Checkbox, Stack } from '@mantine/core'
import type { Form, FormWithCounts } from '#domains/forms/contract.ts'
import { SavedInput } from '../../ui/saved-input.tsx'
import textClasses from '../../ui/text.module.css'
import { forms } from '../../records/forms/store.ts'

const SUBJECT_LENGTH_MAX = 500
const BODY_LENGTH_MAX = 10_000

type Reply = NonNullable<Form['auto_reply']>

const first: Reply = {
  enabled: false,
  subject: 'We have received your message',
  body: 'Hello {{first_name}},\n\nthank you for your message. We will get back to you soon.',
}

export function AutoReply({ form, canWrite }: { form: FormWithCounts; canWrite: boolean }) {
  const reply = form.auto_reply ?? first
  const set = (change: Partial<Reply>, say: string) =>
    void forms.change(form.id, { auto_reply: { ...reply, ...change } }, say)
  const keys = form.fields
    .filter(({ type }) => type === 'text' || type === 'hidden')
    .map(({ key }) => `{{${key}}}`)
  return (
    <Stack gap="md" maw={480}>
      <Checkbox
        label="Send an answer"
        checked={reply.enabled}
        disabled={!canWrite}
        onChange={event => {
          const enabled = event.currentTarget.checked
          set({ enabled }, enabled ? 'Answers are sent from now on' : 'No answers are sent any more')
        }}
      />
      {reply.enabled && (
        <>
          <SavedInput
            label="Subject"
            value={reply.subject}
            canWrite={canWrite}
            maxLength={SUBJECT_LENGTH_MAX}
            save={text =>
              text.trim() ? set({ subject: text.trim() }, 'Changed the subject') : 'A mail needs a subject'
            }
          />
          <SavedInput
            label="Text"
            value={reply.body}
            canWrite={canWrite}
            rows={6}
            maxLength={BODY_LENGTH_MAX}
            save={text => (text.trim() ? set({ body: text }, 'Changed the text') : 'A mail needs a text')}
          />
          <p className={textClasses.dim}>
            {keys.length > 0
              ? `These stand for answers: ${keys.join(' ')}. `
              : 'A field of the kind Text can stand in the mail as {{key}}. '}
            An answer that does not look like a name is left out, so that nobody can send mail with words of
            their own through your form.
          </p>
        </>
      )}
    </Stack>
  )
}
