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

/** Everything about a form that visitors do not see; it takes effect at once. */
export function FormSettings({ form }: { form: FormWithCounts }) {
  const canWrite = useCan('forms:write')
  return (
    <PageBody>
      <Section title="Name and address">
        <Stack gap="md" maw={480}>
          <SavedInput
            label="Name"
            value={form.name}
            canWrite={canWrite}
            maxLength={NAME_LENGTH_MAX}
            save={text =>
              text.trim()
                ? void forms.change(form.id, { name: text.trim() }, `Renamed to ${text.trim()}`)
                : 'A form needs a name'
            }
          />
          <SlugInput form={form} canWrite={canWrite} maxLength={SLUG_LENGTH_MAX} />
        </Stack>
      </Section>
      <Section
        title="Leads"
        about="Where answers fill in fields of a lead, whoever sends them is found by the e-mail address or the phone number, or becomes a new lead."
      >
        <Select
          label="When the lead is known already"
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
              'Changed what happens to known leads',
            )
          }
        />
      </Section>
      <Section
        title="Tell people"
        about="They get each submission by mail; those in quarantine are left out."
      >
        <NotifyInput form={form} canWrite={canWrite} />
      </Section>
      <Section
        title="Answer by itself"
        about="A mail to whoever filled in the form, at most one a day to the same address."
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
  { value: 'fill_empty', label: 'Fill in only what is empty' },
  { value: 'overwrite', label: 'Overwrite with the new answers' },
]

function NotifyInput({ form, canWrite }: { form: FormWithCounts; canWrite: boolean }) {
  const [fault, setFault] = useState<string>()
  function set(notify: string[]) {
    const wrong = notify.find(address => !EMAIL.test(address.trim()))
    setFault(wrong && `${wrong} is not a valid e-mail address`)
    if (!wrong)
      void forms.change(form.id, { notify: notify.map(address => address.trim()) }, 'Changed who is told')
  }
  if (!canWrite)
    return (
      <TextInput label="E-mail addresses" maw={480} readOnly value={form.notify.join(', ') || 'Nobody'} />
    )
  return (
    <TagsInput
      label="E-mail addresses"
      description={`Press Enter after each, at most ${NOTIFY_MAX}`}
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
      title="Delete"
      about="The page is gone at once. For 30 days the form can be brought back from the trash."
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
