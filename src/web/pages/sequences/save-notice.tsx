import { Button } from '@mantine/core'
import { inWords } from '../../problem.ts'
import { toastFault } from '../../ui/toast.ts'
import type { Draft } from './draft.ts'
import classes from '../../ui/save-notice.module.css'

/** Why the steps could not be saved, where only a person can decide what to do about it. Nothing typed is lost. */
export function SaveNotice({ draft }: { draft: Draft }) {
  const saving = draft.state.use(state => state.saving)
  const error = draft.state.use(state => state.error)
  const isPlaced = draft.state.use(state => state.refused.length > 0)
  if (saving === 'failed' || (saving === 'unsaved' && error !== undefined && !isPlaced)) {
    return (
      <div className={classes.notice} role="alert">
        <span>The steps could not be saved. {inWords(error)}</span>
        <Button size="xs" variant="default" onClick={() => void draft.save()}>
          Try again
        </Button>
      </div>
    )
  }
  if (saving !== 'conflict') return null
  const fault = (error: unknown) => toastFault(error, 'Could not load it')
  return (
    <div className={classes.notice} role="alert">
      <span>
        Somebody else changed these steps meanwhile. If you load theirs, yours are one undo away; if you keep
        yours, saving replaces theirs.
      </span>
      <Button size="xs" onClick={() => void draft.takeTheirs().catch(fault)}>
        Load theirs
      </Button>
      <Button size="xs" variant="default" onClick={() => void draft.keepMine().catch(fault)}>
        Keep mine
      </Button>
    </div>
  )
}
