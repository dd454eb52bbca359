import { useState } from 'react'
import { isProblem, type FieldFault } from '../../problem.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { plural } from '../../ui/words.ts'

type Kind<Settings, Fields, Change> = {
  fieldsOf: (settings: Settings) => Fields
  /** Undefined if nothing changed. */
  changeOf: (before: Settings, fields: Fields) => Change | undefined
  /** Errors found before sending. */
  faultsOf?: (fields: Fields) => FieldFault[]
  write: (change: Change, ifMatch?: string) => Promise<Settings>
  reload: () => Promise<Settings>
  /** The toast after saving. */
  saved: string
  /** The part of an undo that is possible. */
  back?: (change: Change) => Change | undefined
}

/** A settings form: saved on submit, with undo. */
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

  // Someone else saved: without unsaved changes of our own, show theirs.
  if (settings !== base && !change && !busy) {
    setBase(settings)
    setFields(fieldsOf(settings))
  }

  async function save() {
    if (!change) return
    const wrong = faultsOf?.(fields) ?? []
    setFaults(wrong)
    if (wrong.length > 0) return toast(`Fix ${plural(wrong.length, 'error')} to save`)
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
      toast('Someone else changed these settings. Save again to keep yours.')
      // The next save builds on theirs.
      setBase(await reload())
    } else if (isProblem(error) && error.errors.length > 0) setFaults(error.errors)
    else toastFault(error, "Couldn't save")
  }

  return {
    base,
    fields,
    faults,
    busy,
    isChanged: change !== undefined,
    save: submit,
    /** Clears the errors of the changed fields. */
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
