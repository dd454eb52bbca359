import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import textClasses from '../../ui/text.module.css'

type Props = { lead: Lead; erased: () => void; close: () => void }

/** For good: what goes and what stays is said before, and the person is named by hand. */
export function EraseDialog({ lead, erased, close }: Props) {
  const named = nameToType(lead)
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const isNamed = typed.trim().toLowerCase() === named.toLowerCase()

  async function erase() {
    if (!isNamed) return setFault(`Type ${named} to confirm`)
    await api('POST /api/crm/leads/:id/erase', { params: { id: lead.id }, body: { confirm: typed.trim() } })
    toast('This person is being erased from everything')
    erased()
  }

  return (
    <FormDialog
      title="Erase this person?"
      verb="Erase for good"
      danger
      act={erase}
      refused={error => setFault(inWords(error))}
      close={close}
    >
      <Text>This cannot be undone, and nothing goes to the trash.</Text>
      <ul className={textClasses.bullets}>
        <li>
          Contact details, notes, mails, texts, transcripts and form answers are erased everywhere, also from
          the audit log.
        </li>
        <li>Deals, invoices and statistics stay, without the person.</li>
        <li>If they asked not to be contacted, that stays in force.</li>
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
