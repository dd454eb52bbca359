import { Button, Group, Modal, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { Bar } from '../../ui/states.tsx'
import { toastFault } from '../../ui/toast.ts'
import { differencesOf } from './differences.ts'
import { contentOf, draftFrom } from './draft-content.ts'
import { publishForm } from './form-writes.ts'
import { versionsQuery } from '../../records/forms/forms-cache.ts'
import { hostedAddress } from './hosted.ts'
import { useTargetName } from './targets.ts'
import classes from '../../ui/draft-page.module.css'

type Props = { form: FormWithCounts; close: () => void }

/** What visitors will see from now on, before they see it. */
export function PublishDialog({ form, close }: Props) {
  const [busy, setBusy] = useState(false)
  async function publish() {
    setBusy(true)
    try {
      await publishForm(form)
      close()
    } catch (error) {
      toastFault(error, 'Not published')
      setBusy(false)
    }
  }
  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={`Publish ${form.name}`} size={480}>
        {form.version === 0 ? (
          <Text className={classes.address}>Visitors will find it at {hostedAddress(form.slug)}.</Text>
        ) : (
          <Changes form={form} />
        )}
        {Object.keys(form.field_mapping).length === 0 && (
          <Text mt="sm">
            No answer fills in a field of a lead, so submissions will be kept here and make no leads.
          </Text>
        )}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={busy} data-autofocus onClick={() => void publish()}>
            {form.version === 0
              ? 'Publish'
              : `Publish version ${form.version + (form.draft_changed ? 1 : 0)}`}
          </Button>
        </Group>
      </Modal>
    </>
  )
}

function Changes({ form }: { form: FormWithCounts }) {
  const query = useInfiniteQuery(versionsQuery(form.id))
  const targetName = useTargetName()
  const shown = query.data?.pages[0]?.data[0]
  if (query.isPending) return <Bar width="70%" height={40} />
  // Publishing does not depend on being told what is new.
  if (!shown) return <Text>Visitors will see the form as it is here.</Text>
  const differences = differencesOf(shown.content, contentOf(draftFrom(form)), targetName)
  if (differences.length === 0) return <Text>Visitors will see version {shown.version} again.</Text>
  return (
    <>
      <Text>New for visitors since version {shown.version}:</Text>
      <ul className={classes.differences}>
        {differences.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}
