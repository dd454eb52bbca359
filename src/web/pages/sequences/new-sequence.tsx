import { useNavigate } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { BeginDialog } from '../../ui/begin-dialog.tsx'
import { proposedInWords, proposedSettings } from './proposed-settings.ts'
import { starters, type Starter } from './starters.ts'
import { sequences } from '../../records/sequences/store.ts'

/** Asks for a starting point and a name, and opens the new sequence. */
export function NewSequence({ close }: { close: () => void }) {
  const navigate = useNavigate()

  async function create({ steps }: Starter, name: string) {
    const { id } = await sequences.create({ name, steps, status: 'DRAFT', settings: proposedSettings })
    void navigate({ to: patterns.sequence, params: { id }, search: {} })
  }

  return (
    <BeginDialog
      noun="sequence"
      beginnings={starters}
      called={({ name, steps }) => (steps.length > 0 ? name : '')}
      about={`Only visible to your team. ${proposedInWords}`}
      create={create}
      close={close}
    />
  )
}
