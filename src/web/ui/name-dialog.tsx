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
  /** What to say when the field is empty. */
  missing: string
  /** Saves, and answers nothing; or in words what is wrong, and the dialog stays. */
  save: (name: string) => Promise<string | undefined | void>
  close: () => void
}

/** Asks for one name. What the server finds wrong stands at the field. */
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
