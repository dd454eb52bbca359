import { plural } from '../../ui/words.ts'
import type { Draft, DraftState } from './draft.ts'
import { problemsOf } from './draft-problems.ts'
import classes from '../../ui/draft-page.module.css'

/** Whether what one did is safe. */
export function SaveState({ draft }: { draft: Draft }) {
  const state = draft.state.use(state => state)
  return (
    <span className={classes.saving} data-saving={state.saving} role="status">
      {words(state)}
    </span>
  )
}

function words({ saving, history }: DraftState): string {
  switch (saving) {
    case 'saved':
      return 'Saved'
    case 'waiting':
    case 'saving':
      return 'Saving …'
    case 'held':
      return `Not saved: ${plural(problemsOf(history.now).length, 'thing')} to mend`
    case 'failed':
    case 'conflict':
      return 'Not saved'
  }
}
