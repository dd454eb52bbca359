import { Button, Group, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Team } from '#domains/identity/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { beginAnew, ownTeamsQuery } from '../../shell/teams.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { onButton } from './member-writes.ts'

type Props = {
  team: Team
  /** The server refuses: the team would be without an owner. */
  refused: () => void
  close: () => void
}

export function LeaveTeam({ team, refused, close }: Props) {
  const teams = useQuery(ownTeamsQuery).data

  async function leave() {
    try {
      await api('POST /api/team/leave')
      beginAnew()
    } catch (error) {
      if (!isProblem(error, 409) || error.code !== 'last_super_admin') throw error
      refused()
    }
  }

  return (
    <Confirm title={`Leave ${team.name}?`} verb={`Leave ${onButton(team.name)}`} act={leave} close={close}>
      {`You lose access to its leads and everything else at once, and apps you connected to it stop working. Only an invitation brings you back. ${afterwards(teams?.length)}`}
    </Confirm>
  )
}

function afterwards(teams = 0): string {
  if (teams > 1) return 'You go on in another of your teams.'
  return teams === 1 ? 'Since you have no other team, you are signed out.' : ''
}

/** Not a fault of theirs: it says what has to happen first. */
export function OnlyOwner({ alone, close }: { alone: boolean; close: () => void }) {
  return (
    <Modal opened onClose={close} title="You are the only owner" size="sm">
      <Text>
        {alone
          ? 'A team cannot be without an owner, and nobody else is here. Invite somebody and make them an owner; then you can leave.'
          : 'A team cannot be without an owner. Give somebody else in the list the role Owner; then you can leave.'}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={close} data-autofocus>
          Stay for now
        </Button>
      </Group>
    </Modal>
  )
}
