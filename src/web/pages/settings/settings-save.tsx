import { Button } from '@mantine/core'
import draftPageClasses from '../../ui/draft-page.module.css'
import classes from './outreach-settings.module.css'

type Props = { form: { isChanged: boolean; busy: boolean; discard: () => void }; className?: string }

/** The buttons of a settings form: save or discard. */
export function SettingsSave({ form: { isChanged, busy, discard }, className = classes.save }: Props) {
  return (
    <div className={className} data-unsaved={isChanged || undefined}>
      <Button type="submit" disabled={!isChanged} loading={busy}>
        Save
      </Button>
      {isChanged && (
        <>
          <Button variant="subtle" color="gray" onClick={discard}>
            Discard
          </Button>
          <span className={draftPageClasses.unsaved} role="status">
            Unsaved changes
          </span>
        </>
      )}
    </div>
  )
}
