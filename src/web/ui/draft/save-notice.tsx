import { Button } from '@mantine/core'
import { inWords } from '../../problem.ts'
import { toastFault } from '../toast.ts'
import type { Draft } from './draft.ts'
import noticeClasses from '../notice.module.css'

type Props = {
  draft: Pick<Draft<unknown, unknown>, 'save' | 'takeTheirs' | 'keepMine'> & {
    state: { use: <Part>(pick: (state: { saving: string; error: unknown }) => Part) => Part }
  }
  /** Like "form" or "workflow". */
  noun: string
  /** The page shows the errors elsewhere. */
  isExplained?: boolean
}

/** Says why the draft is not saved, if the person has to decide what to do. No input is lost meanwhile. */
export function SaveNotice({ draft, noun, isExplained = false }: Props) {
  const saving = draft.state.use(state => state.saving)
  const error = draft.state.use(state => state.error)
  if (saving === 'failed' && !isExplained) {
    return (
      <div className={noticeClasses.bar} role="alert">
        <span>Couldn't save your last changes. {inWords(error)}</span>
        <Button size="xs" variant="default" onClick={() => void draft.save()}>
          Try again
        </Button>
      </div>
    )
  }
  if (saving !== 'conflict') return null
  const fault = (error: unknown) => toastFault(error, "Couldn't load the latest version")
  return (
    <div className={noticeClasses.bar} role="alert">
      <span>
        Someone else changed this {noun}, so your last changes are not saved. Load theirs (you can undo this),
        or keep yours and overwrite theirs.
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
