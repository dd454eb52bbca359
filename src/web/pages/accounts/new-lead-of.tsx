import { useState } from 'react'
import type { Account } from '#domains/accounts/contract.ts'
import type { NewLead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { useUser } from '../../queries.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { refreshLists } from '../../records/leads/cache.ts'
import { useFields } from '../../records/leads/choices.tsx'
import { FieldInput } from '../../records/leads/field-input.tsx'
import { leadName, toChange, type Values } from '../../records/leads/fields.ts'
import { parseInput } from '../../records/leads/input.ts'
import fieldsClasses from '../../ui/fields.module.css'

const asked = ['first_name', 'last_name', 'email', 'phone', 'title']

type Props = { account: Account; close: () => void; made: () => void }

/** A new lead at this account: the company is already known. */
export function NewLeadOf({ account, close, made }: Props) {
  const fields = useFields().filter(({ key }) => asked.includes(key))
  const user = useUser()
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [faults, setFaults] = useState<Record<string, string>>({})

  async function create() {
    const values: Values = {}
    const found: Record<string, string> = {}
    for (const field of fields) {
      const parsed = parseInput(field, typed[field.key] ?? '')
      if ('fault' in parsed) found[field.key] = parsed.fault
      else if (parsed.value !== null) values[field.key] = parsed.value
    }
    if (Object.keys(values).length === 0 && Object.keys(found).length === 0)
      found.first_name = 'Enter a name, email or phone number'
    setFaults(found)
    if (Object.keys(found).length) return
    const body: NewLead = {
      ...(toChange(values) as NewLead),
      company: account.name,
      account_id: account.id,
      owner_id: user.id,
    }
    const lead = await api('POST /api/crm/leads', { body })
    close()
    made()
    toast(`Created ${leadName(lead)}`)
    void refreshLists()
  }

  return (
    <FormDialog
      title={`New lead at ${account.name}`}
      size={520}
      verb="Create lead"
      act={create}
      refused={error => setFaults(faultsByField(error, asked))}
      fault={faults['']}
      close={close}
    >
      <div className={fieldsClasses.pair}>
        {fields.map(field => (
          <FieldInput
            key={field.key}
            field={field}
            value={typed[field.key] ?? ''}
            set={value => setTyped(now => ({ ...now, [field.key]: value }))}
            error={faults[field.key]}
            autoFocus={field.key === 'first_name'}
          />
        ))}
      </div>
    </FormDialog>
  )
}
