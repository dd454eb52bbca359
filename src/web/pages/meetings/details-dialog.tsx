import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Meeting } from '#domains/meetings/contract.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { meetings } from '../../records/meetings/store.ts'

const TEXT_LENGTH_MAX = 500
const NOTES_LENGTH_MAX = 20_000

/** Everything but the time. */
export function DetailsDialog({ meeting, close }: { meeting: Meeting; close: () => void }) {
  const [title, setTitle] = useState(meeting.title)
  const [location, setLocation] = useState(meeting.location ?? '')
  const [description, setDescription] = useState(meeting.description ?? '')
  const [fault, setFault] = useState<string>()

  async function save() {
    if (!title.trim()) return setFault('Enter a title')
    const after = {
      title: title.trim(),
      location: location.trim() || null,
      description: description.trim() || null,
    }
    await meetings.changeOrThrow(meeting.id, after, `Updated ${after.title}`)
    close()
  }

  return (
    <FormDialog
      title="Edit meeting"
      size={480}
      verb="Save"
      act={save}
      refused={error => setFault(inWords(error))}
      close={close}
    >
      <TextInput
        label="Title"
        value={title}
        maxLength={TEXT_LENGTH_MAX}
        error={fault}
        data-autofocus
        onChange={event => {
          setTitle(event.currentTarget.value)
          setFault(undefined)
        }}
      />
      <TextInput
        label="Location"
        value={location}
        maxLength={TEXT_LENGTH_MAX}
        onChange={event => setLocation(event.currentTarget.value)}
      />
      <Textarea
        label="Notes"
        description="Shown to the guest in the invitation."
        rows={5}
        value={description}
        maxLength={NOTES_LENGTH_MAX}
        onChange={event => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
