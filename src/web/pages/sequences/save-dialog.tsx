import { Text } from '@mantine/core'
import { useState } from 'react'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast, toastFault } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import type { StepsDraft } from './draft.ts'
import { moveAll } from '../../records/sequences/sequence-writes.ts'
import classes from '../../ui/begin-dialog.module.css'
import textClasses from '../../ui/text.module.css'

type Props = {
  sequence: SequenceWithWarnings
  /** How many leads are active. */
  active: number
  draft: StepsDraft
  close: () => void
  refused: () => void
}

/** Saving while leads are active creates a new version: asks whether they move to it. */
export function SaveDialog({ sequence: { id, version }, active, draft, close, refused }: Props) {
  const [moves, setMoves] = useState(false)
  const leads = plural(active, 'lead is', 'leads are')

  async function save() {
    if (!(await draft.save())) {
      close()
      return refused()
    }
    const saved = draft.state.get().base
    try {
      if (moves) await moveAll(id)
      else toast(`Saved as version ${saved.version}`)
    } catch (error) {
      toastFault(error, `Version ${saved.version} is saved, but no leads were moved to it`)
    }
    close()
  }

  return (
    <FormDialog
      title={`Save as version ${version + 1}`}
      size={480}
      verb={`Save version ${version + 1}`}
      act={save}
      close={close}
    >
      <Text>
        {leads} active in this sequence, so your changes become version {version + 1}. Leads enrolled from now
        on use it.
      </Text>
      <fieldset className={classes.starters}>
        <legend>Leads already enrolled</legend>
        <label className={classes.starter}>
          <input type="radio" name="moves" checked={!moves} data-autofocus onChange={() => setMoves(false)} />
          <span>
            Keep their version
            <span className={textClasses.under}>They continue with version {version} or older.</span>
          </span>
        </label>
        <label className={classes.starter}>
          <input type="radio" name="moves" checked={moves} onChange={() => setMoves(true)} />
          <span>
            Move all to the new version
            <span className={textClasses.under}>
              Each continues at the same step number. Leads past the last step finish.
            </span>
          </span>
        </label>
      </fieldset>
    </FormDialog>
  )
}
