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
  subject: 'We received your message',
  body: 'Hello {{first_name}},\n\nThank you for your message. We will get back to you soon.',
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
        label="Send an auto-reply"
        checked={reply.enabled}
        disabled={!canWrite}
        onChange={event => {
          const enabled = event.currentTarget.checked
          set({ enabled }, enabled ? 'Turned on the auto-reply' : 'Turned off the auto-reply')
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
              text.trim() ? set({ subject: text.trim() }, 'Changed the subject') : 'Enter a subject'
            }
          />
          <SavedInput
            label="Message"
            value={reply.body}
            canWrite={canWrite}
            rows={6}
            maxLength={BODY_LENGTH_MAX}
            save={text => (text.trim() ? set({ body: text }, 'Changed the message') : 'Enter a message')}
          />
          <p className={textClasses.dim}>
            {keys.length > 0
              ? `Placeholders: ${keys.join(' ')}. `
              : 'Use {{key}} to insert the answer to a text field. '}
            Answers that do not look like a name are left out, so that nobody can send their own text through
            your form.
          </p>
        </>
      )}
    </Stack>
  )
}
