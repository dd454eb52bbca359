import { useNavigate } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { BeginDialog } from '../../ui/begin-dialog.tsx'
import { starters, type Starter } from './starters.ts'
import { forms } from '../../records/forms/store.ts'

/** Asks for a starter and a name, and opens the new form. */
export function NewForm({ close }: { close: () => void }) {
  const navigate = useNavigate()

  async function create({ body }: Starter, name: string) {
    const { id } = await forms.create({ ...body, name })
    void navigate({ to: patterns.form, params: { id }, search: {} })
  }

  return (
    <BeginDialog
      noun="form"
      beginnings={starters}
      called={({ name }) => name}
      about="Only your team sees this. Visitors see the title."
      columns={2}
      create={create}
      close={close}
    />
  )
}
