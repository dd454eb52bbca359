import { Button, Group, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Team } from '#domains/identity/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { reloadApp, ownTeamsQuery } from '../../shell/teams.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { onButton } from './member-writes.ts'

type Props = {
  team: Team
  /** Called when the server refuses because the team would have no owner. */
  refused: () => void
  close: () => void
}

export function LeaveTeam({ team, refused, close }: Props) {
  const teams = useQuery(ownTeamsQuery).data

  async function leave() {
    try {
      await api('POST /api/team/leave')
      reloadApp()
    } catch (error) {
      if (!isProblem(error, 409) || error.code !== 'last_super_admin') throw error
      refused()
    }
  }

  return (
    <Confirm title={`Leave ${team.name}?`} verb={`Leave ${onButton(team.name)}`} act={leave} close={close}>
      {`You lose access immediately, and apps you connected stop working. To come back, you need an invitation. ${afterwards(teams?.length)}`}
    </Confirm>
  )
}

function afterwards(teams = 0): string {
  if (teams > 1) return 'You will be switched to another of your teams.'
  return teams === 1 ? 'You have no other team, so you will be signed out.' : ''
}

/** Not an error: says what to do first. */
export function OnlyOwner({ alone, close }: { alone: boolean; close: () => void }) {
  return (
    <Modal opened onClose={close} title="You are the only owner" size="sm">
      <Text>
        {alone
          ? 'A team needs an owner, and you are its only member. To leave, invite someone and make them an owner first.'
          : 'A team needs an owner. To leave, give another member the Owner role first.'}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={close} data-autofocus>
          Got it
        </Button>
      </Group>
    </Modal>
  )
}
