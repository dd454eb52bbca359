import { api } from '../api.ts'
import { cacheKeys } from '../queries.ts'
import { queryClient } from '../query-client.ts'
import { NameDialog } from '../ui/name-dialog.tsx'
import { founding, switchTeam } from './teams.ts'

/** A further team of the person, who works in it from then on. */
export function NewTeam() {
  return (
    <NameDialog
      title="New team"
      about="A team has its own leads, members and settings. You will be its owner."
      verb="Create team"
      missing="Enter a name"
      save={create}
      close={() => founding.set(false)}
    />
  )
}

async function create(name: string): Promise<void> {
  const { id } = await api('POST /api/auth/teams', { body: { name } })
  // Should the switch fail, it is made all the same: the menu offers both.
  if (!(await switchTeam(id))) void queryClient.invalidateQueries({ queryKey: cacheKeys.ownTeams })
}
