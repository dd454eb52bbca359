import { useState } from 'react'
import type { Team } from '#domains/identity/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { cacheKeys, teamQuery } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { toastWithUndo } from '../../ui/toast.ts'

export function RenameTeam({ team, close }: { team: Team; close: () => void }) {
  const [known, setKnown] = useState(team)

  async function save(name: string): Promise<string | undefined> {
    if (name === known.name) return undefined
    try {
      const saved = await rename(known, name)
      toastWithUndo(`Renamed the team to ${name}`, () => rename(saved, known.name))
      return undefined
    } catch (error) {
      if (!isProblem(error, 412)) throw error
      const now = await queryClient.fetchQuery({ ...teamQuery, staleTime: 0 })
      setKnown(now)
      return `Someone else renamed it to ${now.name}. Rename again to keep yours.`
    }
  }

  return (
    <NameDialog
      title="Rename team"
      about="Visible to the team and to people you invite."
      verb="Rename"
      initial={team.name}
      missing="Enter a name"
      save={save}
      close={close}
    />
  )
}

async function rename({ updated_at }: Team, name: string): Promise<Team> {
  const saved = await api('PATCH /api/team', { body: { name }, ifMatch: updated_at })
  queryClient.setQueryData(cacheKeys.team, saved)
  void queryClient.invalidateQueries({ queryKey: cacheKeys.ownTeams })
  return saved
}
