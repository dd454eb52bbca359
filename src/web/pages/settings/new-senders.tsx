import { Checkbox } from '@mantine/core'

type Props = { about?: string; creates: boolean; set: (creates: boolean) => void }

/** Asked about shared mailboxes, and about everything that has no mailbox. */
export function NewSenders({ about, creates, set }: Props) {
  return (
    <Checkbox
      label="New senders become leads"
      description={about ?? 'People who are not leads yet, when they write to this address.'}
      checked={creates}
      onChange={({ currentTarget }) => set(currentTarget.checked)}
    />
  )
}
