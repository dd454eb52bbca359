import type { Draft, Saving } from './draft.ts'
import classes from './builder.module.css'

const words: Record<Saving, string> = {
  saved: 'Saved',
  waiting: 'Saving …',
  saving: 'Saving …',
  failed: 'Not saved',
  conflict: 'Not saved',
}

/** Whether what one did is safe. */
export function SaveState({ draft }: { draft: Draft }) {
  const saving = draft.state.use(state => state.saving)
  return (
    <span className={classes.saving} data-saving={saving} role="status">
      {words[saving]}
    </span>
  )
}
