import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Team } from '#domains/identity/contract.ts'
import { api } from '../../api.ts'
import { inWords, isProblem } from '../../problem.ts'
import { cacheKeys, teamQuery } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toastWithUndo } from '../../ui/toast.ts'

const NAME_LENGTH_MAX = 200

export function RenameTeam({ team, close }: { team: Team; close: () => void }) {
  const [name, setName] = useState(team.name)
  const [known, setKnown] = useState(team)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const next = name.trim()
    if (!next) return setFault('A team needs a name')
    if (next === known.name) return close()
    setBusy(true)
    try {
      const saved = await rename(known, next)
      toastWithUndo(`The team is now called ${next}`, () => rename(saved, known.name))
      close()
    } catch (error) {
      setBusy(false)
      if (!isProblem(error, 412)) return setFault(inWords(error))
      const now = await queryClient.fetchQuery({ ...teamQuery, staleTime: 0 })
      setKnown(now)
      setFault(`Somebody renamed it to ${now.name} meanwhile. Rename again if yours is still right.`)
    }
  }

  return (
    <Modal opened onClose={close} title="Rename the team" size="sm">
      <form onSubmit={event => void submit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            label="Name"
            description="Everybody in the team sees it, and so do those you invite."
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
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

async function rename({ updated_at }: Team, name: string): Promise<Team> {
  const saved = await api('PATCH /api/team', { body: { name }, ifMatch: updated_at })
  queryClient.setQueryData(cacheKeys.team, saved)
  void queryClient.invalidateQueries({ queryKey: cacheKeys.ownTeams })
  return saved
}
