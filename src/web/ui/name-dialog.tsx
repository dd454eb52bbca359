import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { inWords } from '../problem.ts'

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
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!name.trim()) return setFault(missing)
    setBusy(true)
    const wrong = await save(name.trim()).catch(inWords)
    if (wrong === undefined) return close()
    setFault(wrong)
    setBusy(false)
  }

  return (
    <Modal opened onClose={close} title={title} size="sm">
      <form onSubmit={event => void submit(event)} noValidate>
        <Stack gap="md">
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
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
