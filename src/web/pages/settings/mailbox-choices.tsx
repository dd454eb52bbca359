// The few pages with radio buttons bring their style along.
import '@mantine/core/styles/Radio.layer.css'
import { Checkbox, Radio } from '@mantine/core'
import type { MailboxVisibility } from '#domains/mailboxes/values.ts'
import classes from './mailbox-settings.module.css'

type VisibilityProps = { visibility: MailboxVisibility; set: (visibility: MailboxVisibility) => void }

/** Asked about personal mailboxes only, and answered by their owner. */
export function Visibility({ visibility, set }: VisibilityProps) {
  return (
    <Radio.Group
      label="Who can read it"
      value={visibility}
      onChange={value => set(value as MailboxVisibility)}
    >
      <div className={classes.choices}>
        <Radio size="xs" value="team" label="Everyone in the team can read what leads write here" />
        <Radio size="xs" value="owner" label="Only you" />
      </div>
    </Radio.Group>
  )
}

type NewLeadsProps = { creates: boolean; set: (creates: boolean) => void }

/** Asked about shared mailboxes only. */
export function NewLeads({ creates, set }: NewLeadsProps) {
  return (
    <Checkbox
      label="Create leads from new senders"
      description="People who are not leads yet become leads when they write to this address."
      checked={creates}
      onChange={({ currentTarget }) => set(currentTarget.checked)}
    />
  )
}
