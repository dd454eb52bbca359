import { Button, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconTrash from 'icon:trash'
import { useState } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { NOTIFY_MAX, SLUG_LENGTH_MAX, type existingPolicies } from '#domains/forms/values.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { PageBody, Section } from '../../ui/page-head.tsx'
import { SavedInput } from '../../ui/saved-input.tsx'
import { AutoReply } from './auto-reply.tsx'
import { SlugInput } from './slug-input.tsx'
import { WebhookSettings } from './webhook-settings.tsx'
import { forms } from '../../records/forms/store.ts'

const NAME_LENGTH_MAX = 500
const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/

/** Settings that take effect immediately, without publishing. */
export function FormSettings({ form }: { form: FormWithCounts }) {
  const canWrite = useCan('forms:write')
  return (
    <PageBody>
      <Section title="Name and URL">
        <Stack gap="md" maw={480}>
          <SavedInput
            label="Name"
            value={form.name}
            canWrite={canWrite}
            maxLength={NAME_LENGTH_MAX}
            save={text =>
              text.trim()
                ? void forms.change(form.id, { name: text.trim() }, `Renamed to ${text.trim()}`)
                : 'Enter a name'
            }
          />
          <SlugInput form={form} canWrite={canWrite} maxLength={SLUG_LENGTH_MAX} />
        </Stack>
      </Section>
      <Section
        title="Leads"
        about="If fields are mapped, a submission updates the lead with the same email or phone, or creates a new one."
      >
        <Select
          label="If the lead already exists"
          maw={480}
          data={policies}
          value={form.on_existing}
          allowDeselect={false}
          readOnly={!canWrite}
          onChange={value =>
            value &&
            void forms.change(
              form.id,
              { on_existing: value as Policy },
              'Changed how existing leads are updated',
            )
          }
        />
      </Section>
      <Section
        title="Email notifications"
        about="Submissions are sent to these addresses, except those in quarantine."
      >
        <NotifyInput form={form} canWrite={canWrite} />
      </Section>
      <Section
        title="Auto-reply"
        about="An email to the person who submitted the form, at most once a day per address."
      >
        <AutoReply form={form} canWrite={canWrite} />
      </Section>
      <WebhookSettings form={form} canWrite={canWrite} />
      {canWrite && <Delete form={form} />}
    </PageBody>
  )
}

type Policy = (typeof existingPolicies)[number]

const policies: { value: Policy; label: string }[] = [
  { value: 'fill_empty', label: 'Only fill empty fields' },
  { value: 'overwrite', label: 'Overwrite with new answers' },
]

function NotifyInput({ form, canWrite }: { form: FormWithCounts; canWrite: boolean }) {
  const [fault, setFault] = useState<string>()
  function set(notify: string[]) {
    const wrong = notify.find(address => !EMAIL.test(address.trim()))
    setFault(wrong && `${wrong} is not a valid email address`)
    if (!wrong)
      void forms.change(form.id, { notify: notify.map(address => address.trim()) }, 'Changed the recipients')
  }
  if (!canWrite)
    return <TextInput label="Recipients" maw={480} readOnly value={form.notify.join(', ') || 'None'} />
  return (
    <TagsInput
      label="Recipients"
      description={`Press Enter after each email address, up to ${NOTIFY_MAX}`}
      maw={480}
      value={form.notify}
      maxTags={NOTIFY_MAX}
      error={fault}
      onChange={set}
    />
  )
}

function Delete({ form }: { form: FormWithCounts }) {
  const navigate = useNavigate()
  return (
    <Section
      title="Delete form"
      about="Takes the page offline immediately. You can restore the form from the trash for 30 days."
    >
      <Button
        variant="default"
        leftSection={<IconTrash size={16} />}
        onClick={() => void forms.trash(form).then(done => void (done && navigate({ to: paths.forms })))}
      >
        Move to trash
      </Button>
    </Section>
  )
}
