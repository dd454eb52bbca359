import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import { inWords } from '../problem.ts'
import { FocusBack } from './focus-back.ts'
import classes from './begin-dialog.module.css'

const NAME_LENGTH_MAX = 200

export type Beginning = { key: string; name: string; about: string }

type Props<T extends Beginning> = {
  /** What is made: "form". */
  noun: string
  beginnings: readonly [T, ...T[]]
  /** The name it has until somebody gives it another. */
  called: (beginning: T) => string
  /** Who sees the name. */
  about: string
  columns?: 1 | 2
  /** Another way to begin. */
  beside?: ReactNode
  /** Makes it and opens it; the dialog closes. */
  create: (beginning: T, name: string) => Promise<unknown>
  close: () => void
}

/** Asks what something begins as and what it is called. */
export function BeginDialog<T extends Beginning>(props: Props<T>) {
  const { noun, beginnings, called, about, columns = 1, beside, create, close } = props
  const [chosen, setChosen] = useState(beginnings[0])
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = typed ?? called(chosen)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!name.trim()) return setFault(`A ${noun} needs a name`)
    setBusy(true)
    try {
      await create(chosen, name.trim())
      close()
    } catch (error) {
      setFault(inWords(error))
      setBusy(false)
    }
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={`New ${noun}`} size={520}>
        <form onSubmit={event => void submit(event)} noValidate>
          <Stack gap="md">
            <fieldset className={classes.starters} data-columns={columns}>
              <legend>Begin with</legend>
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
                    <span className={classes.about}>{each.about}</span>
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
            <Group justify="flex-end" gap="xs">
              {beside && <div className={classes.beside}>{beside}</div>}
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={busy}>
                Create {noun}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
