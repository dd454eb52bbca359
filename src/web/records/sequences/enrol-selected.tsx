import { useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { Selection } from '../../ui/record-list/selection.ts'
import { count, plural } from '../../ui/words.ts'
import { useLeadName } from '../leads/lead-link.tsx'
import { EnrolDialog } from './enrol-dialog.tsx'

type Props = { selection: Selection<Lead>; close: () => void }

/** The leads selected in the table, or all matching ones. They stay selected until one is enrolled. */
export function EnrolSelected({ selection, close }: Props) {
  // The selection as it was when the dialog opened.
  const [{ everything, records }] = useState(selection)
  const [who] = useState(() =>
    everything ? { search: everything.search } : { ids: records.map(({ id }) => id) },
  )
  const words = everything
    ? `All ${everything.capped ? `${count(everything.total)}+ matching leads` : plural(everything.total, 'matching lead')}`
    : `${plural(records.length, 'selected lead')}`
  return <EnrolDialog who={who} whoInWords={words} close={close} done={selection.clear} />
}

export function EnrolLead({ id, close }: { id: string; close: () => void }) {
  const name = useLeadName(id)
  const [who] = useState(() => ({ ids: [id] }))
  return <EnrolDialog who={who} whoInWords={name ?? '…'} close={close} />
}
