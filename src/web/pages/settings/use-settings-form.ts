import { useState } from 'react'
import { isProblem, type FieldFault } from '../../problem.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'

type Kind<Settings, Fields, Change> = {
  fieldsOf: (settings: Settings) => Fields
  /** Undefined: nothing is different. */
  changeOf: (before: Settings, fields: Fields) => Change | undefined
  /** What can be seen to be wrong before it is sent. */
  faultsOf?: (fields: Fields) => FieldFault[]
  write: (change: Change, ifMatch?: string) => Promise<Settings>
  reload: () => Promise<Settings>
  /** What was done, in words. */
  saved: string
  /** What of the way back can be gone. */
  back?: (change: Change) => Change | undefined
}

/** Settings as a form; they are saved when one says so, and can be taken back. */
export function useSettingsForm<Settings extends { updated_at: string }, Fields, Change>(
  settings: Settings,
  kind: Kind<Settings, Fields, Change>,
) {
  const { fieldsOf, changeOf, faultsOf, write, reload, saved: told, back: possible } = kind
  const [base, setBase] = useState(settings)
  const [fields, setFields] = useState(() => fieldsOf(settings))
  const [faults, setFaults] = useState<FieldFault[]>([])
  const { busy, submit } = useSubmit(save, refused)
  const change = changeOf(base, fields)

  // Somebody else saved them: who has changed nothing goes on with theirs.
  if (settings !== base && !change && !busy) {
    setBase(settings)
    setFields(fieldsOf(settings))
  }

  async function save() {
    if (!change) return
    const wrong = faultsOf?.(fields) ?? []
    setFaults(wrong)
    if (wrong.length > 0) return toast('Not saved: something above is not right yet.')
    const saved = await write(change, base.updated_at)
    setBase(saved)
    setFields(fieldsOf(saved))
    const way = changeOf(saved, fieldsOf(base))
    const back = way && possible ? possible(way) : way
    if (back) toastWithUndo(told, () => write(back))
    else toast(told)
  }

  async function refused(error: unknown) {
    if (isProblem(error, 412)) {
      toast('Somebody changed the settings meanwhile. Save again to keep yours.')
      // What is saved next builds on theirs.
      setBase(await reload())
    } else if (isProblem(error) && error.errors.length > 0) setFaults(error.errors)
    else toastFault(error, 'Not saved')
  }

  return {
    base,
    fields,
    faults,
    busy,
    isChanged: change !== undefined,
    save: submit,
    /** What was wrong with these fields is no longer said of them. */
    set(next: Partial<Fields>, isAbout: (fault: FieldFault) => boolean = () => true) {
      setFields({ ...fields, ...next })
      setFaults(faults.filter(fault => !isAbout(fault)))
    },
    discard() {
      setFields(fieldsOf(base))
      setFaults([])
    },
  }
}
