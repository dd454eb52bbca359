import { useNavigate } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { projects } from './store.ts'

/** Asks for a name and opens the board of the new project. */
export function NewProject({ close }: { close: () => void }) {
  const navigate = useNavigate()
  return (
    <NameDialog
      title="New project"
      about="Starts with the columns To do, Doing and Done. You can change them later."
      verb="Create"
      missing="Enter a name"
      save={async name => {
        const { id } = await projects.create({ name })
        void navigate({ to: patterns.project, params: { id }, search: {} })
      }}
      close={close}
    />
  )
}
