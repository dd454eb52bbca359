import { plural } from '../words.ts'
import type { Draft, Saving } from './draft.ts'
import classes from './save-state.module.css'

type Props<Row, Content> = {
  draft: Pick<Draft<Row, Content>, 'state'>
  /** The number of errors that prevent saving. */
  errorsIn?: (content: Content) => number
}

const words: Record<Exclude<Saving, 'held'>, string> = {
  saved: 'Saved',
  unsaved: 'Saving …',
  saving: 'Saving …',
  failed: 'Not saved',
  conflict: 'Not saved',
}

/** The save status of an autosaved draft. */
export function SaveState<Row, Content>({ draft, errorsIn }: Props<Row, Content>) {
  const saving = draft.state.use(state => state.saving)
  const errors = draft.state.use(({ history }) => (saving === 'held' ? (errorsIn?.(history.now) ?? 0) : 0))
  return (
    <span className={classes.saving} data-saving={saving} role="status">
      {saving === 'held' ? `Fix ${plural(errors, 'error')} to save` : words[saving]}
    </span>
  )
}
