import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { api } from '../api.ts'
import { inWords } from '../problem.ts'
import { cacheKeys } from '../queries.ts'
import { queryClient } from '../query-client.ts'
import { founding, switchTeam } from './teams.ts'

const NAME_LENGTH_MAX = 200

/** A further team of the person, who works in it from then on. */
export function NewTeam() {
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const close = () => founding.set(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!name.trim()) return setFault('A team needs a name')
    setBusy(true)
    try {
      const { id } = await api('POST /api/auth/teams', { body: { name: name.trim() } })
      if (await switchTeam(id)) return
      // It is made, but this is still the old one: the menu offers both.
      void queryClient.invalidateQueries({ queryKey: cacheKeys.ownTeams })
      close()
    } catch (error) {
      setFault(inWords(error))
      setBusy(false)
    }
  }

  return (
    <Modal opened onClose={close} title="New team" size="sm">
      <form onSubmit={event => void submit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            label="Name"
            description="A team has its own leads, members and settings. You become its owner."
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
              Create team
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
