import { api } from '../api.ts'
import { cacheKeys } from '../queries.ts'
import { queryClient } from '../query-client.ts'
import { NameDialog } from '../ui/name-dialog.tsx'
import { founding, switchTeam } from './teams.ts'

/** Creates another team and switches to it. */
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
  // If the switch fails, the team still exists: show it in the menu.
  if (!(await switchTeam(id))) void queryClient.invalidateQueries({ queryKey: cacheKeys.ownTeams })
}
