import { Button } from '@mantine/core'
import { inWords } from '../problem.ts'
import { toastFault } from './toast.ts'
import classes from './save-notice.module.css'

type Saved = { saving: string; error: unknown }
type Props = {
  /** A draft that saves itself. */
  draft: {
    state: { use: <Part>(pick: (state: Saved) => Part) => Part }
    flush: () => Promise<boolean>
    takeTheirs: () => Promise<unknown>
    keepMine: () => Promise<unknown>
  }
  /** As a person says it: form, workflow. */
  noun: string
}

/** Why the draft is not saved, where only a person can decide what to do about it. Nothing typed is lost meanwhile. */
export function SaveNotice({ draft, noun }: Props) {
  const saving = draft.state.use(state => state.saving)
  const error = draft.state.use(state => state.error)
  if (saving === 'failed') {
    return (
      <div className={classes.notice} role="alert">
        <span>Your last changes could not be saved. {inWords(error)}</span>
        <Button size="xs" variant="default" onClick={() => void draft.flush()}>
          Try again
        </Button>
      </div>
    )
  }
  if (saving !== 'conflict') return null
  return (
    <div className={classes.notice} role="alert">
      <span>
        Somebody else changed this {noun} meanwhile, so your last changes are not saved. If you load theirs,
        yours are one undo away.
      </span>
      <Button
        size="xs"
        onClick={() => void draft.takeTheirs().catch(error => toastFault(error, 'Could not load it'))}
      >
        Load theirs
      </Button>
      <Button
        size="xs"
        variant="default"
        onClick={() => void draft.keepMine().catch(error => toastFault(error, 'Not saved'))}
      >
        Save mine over it
      </Button>
    </div>
  )
}
