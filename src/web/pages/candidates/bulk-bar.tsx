import { ActionIcon, Button } from '@mantine/core'
import IconTrash from 'icon:trash'
import IconUserPlus from 'icon:user-plus'
import IconX from 'icon:x'
import type { ListedCandidate } from '#domains/candidates/contract.ts'
import type { Selection } from '../../ui/record-list/selection.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { count } from '../../ui/words.ts'
import { convertMany, trashMany } from '../../records/candidates/candidate-writes.ts'
import classes from '../../ui/bulk-bar.module.css'

/** Bulk actions for the selected candidates. */
export function BulkBar({ selection }: { selection: Selection<ListedCandidate> }) {
  const { records, size, keep, clear } = selection
  // Candidates that were not converted stay selected.
  const convert = useSubmit(async () => keep(await convertMany(records)))
  const trash = useSubmit(async () => (await trashMany(records)) && clear())
  if (size === 0) return null
  return (
    <div className={classes.place} data-bulk-bar>
      <div className={classes.bar} role="toolbar" aria-label="Selected candidates">
        <span className={classes.count} role="status">
          {count(size)} selected
        </span>
        <Button
          size="xs"
          leftSection={<IconUserPlus size={16} />}
          loading={convert.busy}
          disabled={trash.busy}
          onClick={convert.submit}
        >
          Convert to leads
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={16} />}
          loading={trash.busy}
          disabled={convert.busy}
          onClick={trash.submit}
        >
          Move to trash
        </Button>
        <ActionIcon aria-label="Clear selection" onClick={clear}>
          <IconX size={16} />
        </ActionIcon>
      </div>
    </div>
  )
}
