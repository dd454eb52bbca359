// The few pages with radio buttons bring their style along.
import '@mantine/core/styles/Radio.layer.css'
import { Radio } from '@mantine/core'
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
