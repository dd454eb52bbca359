import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import textClasses from '../../ui/text.module.css'

type Props = { lead: Lead; erased: () => void; close: () => void }

/** Permanent, so it lists what is erased and what is kept, and the name has to be typed. */
export function EraseDialog({ lead, erased, close }: Props) {
  const named = nameToType(lead)
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const isNamed = typed.trim().toLowerCase() === named.toLowerCase()

  async function erase() {
    if (!isNamed) return setFault(`Type ${named} to confirm`)
    await api('POST /api/crm/leads/:id/erase', { params: { id: lead.id }, body: { confirm: typed.trim() } })
    toast("Erasing this person's data")
    erased()
  }

  return (
    <FormDialog
      title="Erase this person?"
      verb="Erase permanently"
      danger
      act={erase}
      refused={error => setFault(inWords(error))}
      close={close}
    >
      <Text>This skips the trash and cannot be undone.</Text>
      <ul className={textClasses.bullets}>
        <li>
          Contact details, notes, emails, text messages, transcripts and form submissions are erased
          everywhere, including the audit log.
        </li>
        <li>Deals, invoices and statistics are kept without personal data.</li>
        <li>If they are on the suppression list, they stay on it.</li>
      </ul>
      <TextInput
        label={`Type ${named} to confirm`}
        value={typed}
        error={fault}
        autoComplete="off"
        data-autofocus
        onChange={event => {
          setTyped(event.currentTarget.value)
          setFault(undefined)
        }}
      />
    </FormDialog>
  )
}

function nameToType({ id, email, first_name, last_name }: Lead): string {
  return email ?? ([first_name, last_name].filter(Boolean).join(' ') || id)
}
