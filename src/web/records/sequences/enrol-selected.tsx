import { useState } from 'react'
import { count, plural } from '../../ui/words.ts'
import { useLeadName } from '../leads/lead-link.tsx'
import { AllMatching, clearSelection, selection } from '../leads/selection.ts'
import { EnrolDialog } from './enrol-dialog.tsx'

/** The leads selected in the table, or all matching ones. They stay selected until one is enrolled. */
export function EnrolSelected({ close }: { close: () => void }) {
  // The selection as it was when the dialog opened.
  const [selected] = useState(() => selection.get())
  const isAll = selected instanceof AllMatching
  const who = isAll ? { search: selected.search } : { ids: [...selected.keys()] }
  const words = isAll
    ? `All ${selected.capped ? `${count(selected.total)}+ matching leads` : plural(selected.total, 'matching lead')}`
    : `${plural(selected.size, 'selected lead')}`
  return <EnrolDialog who={who} whoInWords={words} close={close} done={clearSelection} />
}

export function EnrolLead({ id, close }: { id: string; close: () => void }) {
  const name = useLeadName(id)
  const [who] = useState(() => ({ ids: [id] }))
  return <EnrolDialog who={who} whoInWords={name ?? '…'} close={close} />
}
