import { Button } from '@mantine/core'
import { inWords } from '../../problem.ts'
import { toastFault } from '../toast.ts'
import type { Draft } from './draft.ts'
import noticeClasses from '../notice.module.css'

type Props = {
  draft: Pick<Draft<unknown, unknown>, 'save' | 'takeTheirs' | 'keepMine'> & {
    state: { use: <Part>(pick: (state: { saving: string; error: unknown }) => Part) => Part }
  }
  /** As a person says it: form, workflow. */
  noun: string
  /** What the server found wrong is said elsewhere. */
  isExplained?: boolean
}

/** Why the draft is not saved, where only a person can decide what to do about it. Nothing typed is lost meanwhile. */
export function SaveNotice({ draft, noun, isExplained = false }: Props) {
  const saving = draft.state.use(state => state.saving)
  const error = draft.state.use(state => state.error)
  if (saving === 'failed' && !isExplained) {
    return (
      <div className={noticeClasses.bar} role="alert">
        <span>Your last changes could not be saved. {inWords(error)}</span>
        <Button size="xs" variant="default" onClick={() => void draft.save()}>
          Try again
        </Button>
      </div>
    )
  }
  if (saving !== 'conflict') return null
  const fault = (error: unknown) => toastFault(error, 'Could not load it')
  return (
    <div className={noticeClasses.bar} role="alert">
      <span>
        Somebody else changed this {noun} at the same time, so your last changes are not saved. If you load
        theirs, yours are one undo away; if you keep yours, they replace theirs.
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
