import { TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { inWords } from '../problem.ts'
import { FormDialog } from './form-dialog.tsx'
import textClasses from './text.module.css'
import classes from './begin-dialog.module.css'

const NAME_LENGTH_MAX = 200

export type Beginning = { key: string; name: string; about: string }

type Props<T extends Beginning> = {
  /** What is created: "form". */
  noun: string
  beginnings: readonly [T, ...T[]]
  /** The default name. */
  called: (beginning: T) => string
  /** Who sees the name. */
  about: string
  columns?: 1 | 2
  /** Another way to start. */
  beside?: ReactNode
  /** Creates and opens it; the dialog closes. */
  create: (beginning: T, name: string) => Promise<unknown>
  close: () => void
}

/** Asks for a template and a name. */
export function BeginDialog<T extends Beginning>(props: Props<T>) {
  const { noun, beginnings, called, about, columns = 1, beside, create, close } = props
  const [chosen, setChosen] = useState(beginnings[0])
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const name = typed ?? called(chosen)

  async function begin() {
    if (!name.trim()) return setFault('Enter a name')
    await create(chosen, name.trim())
    close()
  }

  return (
    <FormDialog
      title={`New ${noun}`}
      size={520}
      verb={`Create ${noun}`}
      act={begin}
      refused={error => setFault(inWords(error))}
      beside={beside}
      close={close}
    >
      <fieldset className={classes.starters} data-columns={columns}>
        <legend>Start with</legend>
        {beginnings.map(each => (
          <label key={each.key} className={classes.starter}>
            <input
              type="radio"
              name="starter"
              checked={each.key === chosen.key}
              data-autofocus={each.key === chosen.key || undefined}
              onChange={() => setChosen(each)}
            />
            <span>
              {each.name}
              <span className={textClasses.under}>{each.about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextInput
        label="Name"
        description={about}
        value={name}
        maxLength={NAME_LENGTH_MAX}
        error={fault}
        onChange={event => {
          setTyped(event.currentTarget.value)
          setFault(undefined)
        }}
      />
    </FormDialog>
  )
}
