import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Bar } from '../../ui/states.tsx'
import { differencesOf } from './differences.ts'
import { contentOf, draftFrom } from './draft-content.ts'
import { publishForm } from './form-writes.ts'
import { versionsQuery } from '../../records/forms/forms-cache.ts'
import { hostedAddress } from './hosted.ts'
import { useTargetName } from './targets.ts'
import textClasses from '../../ui/text.module.css'

type Props = { form: FormWithCounts; close: () => void }

/** What changes for visitors, before it is published. */
export function PublishDialog({ form, close }: Props) {
  async function publish() {
    await publishForm(form)
    close()
  }
  return (
    <FormDialog
      title={`Publish ${form.name}`}
      size={480}
      verb={form.version === 0 ? 'Publish' : `Publish version ${form.version + (form.draft_changed ? 1 : 0)}`}
      focus="verb"
      act={publish}
      refused="Couldn't publish the form"
      close={close}
    >
      {form.version === 0 ? (
        <Text>The form will be available at {hostedAddress(form.slug)}.</Text>
      ) : (
        <Changes form={form} />
      )}
      {Object.keys(form.field_mapping).length === 0 && (
        <Text>No field is mapped to a lead field, so submissions will not create leads.</Text>
      )}
    </FormDialog>
  )
}

function Changes({ form }: { form: FormWithCounts }) {
  const query = useInfiniteQuery(versionsQuery(form.id))
  const targetName = useTargetName()
  const shown = query.data?.pages[0]?.data[0]
  if (query.isPending) return <Bar width="70%" height={40} />
  // Publishing works without the list of changes.
  if (!shown) return <Text>Visitors will see the current draft.</Text>
  const differences = differencesOf(shown.content, contentOf(draftFrom(form)), targetName)
  if (differences.length === 0) return <Text>Visitors will see version {shown.version} again.</Text>
  return (
    <div>
      <Text>Changes since version {shown.version}:</Text>
      <ul className={textClasses.bullets}>
        {differences.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
