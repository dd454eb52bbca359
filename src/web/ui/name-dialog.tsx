import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { inWords } from '../problem.ts'
import { FormDialog } from './form-dialog.tsx'

const NAME_LENGTH_MAX = 200

type Props = {
  title: string
  about: string
  verb: string
  initial?: string
  /** The error for an empty field. */
  missing: string
  /** Saves; returns an error message to keep the dialog open. */
  save: (name: string) => Promise<string | undefined | void>
  close: () => void
}

/** Asks for a name. Errors of the server are shown at the field. */
export function NameDialog({ title, about, verb, initial = '', missing, save, close }: Props) {
  const [name, setName] = useState(initial)
  const [fault, setFault] = useState<string>()

  async function submit() {
    if (!name.trim()) return setFault(missing)
    const wrong = await save(name.trim())
    if (wrong === undefined) return close()
    setFault(wrong)
  }

  return (
    <FormDialog
      title={title}
      size="sm"
      verb={verb}
      act={submit}
      refused={error => setFault(inWords(error))}
      close={close}
    >
      <TextInput
        label="Name"
        description={about}
        value={name}
        maxLength={NAME_LENGTH_MAX}
        error={fault}
        data-autofocus
        onChange={event => {
          setName(event.currentTarget.value)
          setFault(undefined)
        }}
      />
    </FormDialog>
  )
}
