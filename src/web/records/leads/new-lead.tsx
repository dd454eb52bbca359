import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewLead as NewLeadBody } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { useUser } from '../../queries.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { close } from '../../ui/opened.ts'
import { toastWithAction } from '../../ui/toast.ts'
import { refreshLists } from './cache.ts'
import { optionValue, useFields, useOptions } from './choices.tsx'
import { FieldInput } from './field-input.tsx'
import { leadName, toChange, type Field, type Values } from './fields.ts'
import { parseInput } from './input.ts'
import fieldsClasses from '../../ui/fields.module.css'

const first = ['first_name', 'last_name', 'email', 'phone', 'company', 'title', 'pipeline_stage', 'owner_id']
const more = ['source', 'website', 'timezone', 'status']

/** The dialog for a new lead. Errors from the server are shown at their fields. */
export function NewLead() {
  const fields = useFields()
  const user = useUser()
  const navigate = useNavigate()
  const stages = fields.find(({ key }) => key === 'pipeline_stage')?.options
  const [typed, setTyped] = useState<Record<string, string>>({ owner_id: user.id, status: 'NEW' })
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [all, setAll] = useState(false)
  const read = useReader()

  const values = { pipeline_stage: stages?.[0] ?? '', ...typed }
  const shown = fields.filter(
    ({ key, group }) => first.includes(key) || (all && (more.includes(key) || group === 'custom')),
  )
  const keys = shown.map(({ key }) => key)

  async function create() {
    const { body, faults } = read(shown, values)
    setFaults(faults)
    if (Object.keys(faults).length) return
    const lead = await api('POST /api/crm/leads', { body })
    close()
    toastWithAction(`Created ${leadName(lead)}`, 'Open', () => {
      void navigate({ to: patterns.lead, params: { id: lead.id }, search: {} })
    })
    void refreshLists()
  }

  return (
    <FormDialog
      title="New lead"
      size={560}
      yOffset="8vh"
      verb="Create lead"
      act={create}
      refused={error => setFaults(faultsByField(error, keys))}
      fault={faults['']}
      beside={
        <Button variant="subtle" color="gray" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? 'Fewer fields' : 'More fields'}
        </Button>
      }
      close={close}
    >
      <div className={fieldsClasses.pair}>
        {shown.map(field => (
          <FieldInput
            key={field.key}
            field={field}
            value={values[field.key as keyof typeof values] ?? ''}
            set={value => setTyped(now => ({ ...now, [field.key]: value }))}
            error={faults[field.key]}
            autoFocus={field.key === 'first_name'}
          />
        ))}
      </div>
    </FormDialog>
  )
}

/** Turns the form into a request body, or into errors. */
function useReader() {
  const options = useOptions()
  return (fields: Field[], typed: Record<string, string>) => {
    const values: Values = {}
    const faults: Record<string, string> = {}
    for (const field of fields) {
      const text = typed[field.key] ?? ''
      if (text === '') continue
      if (options(field)) values[field.key] = optionValue(field, text)
      else {
        const parsed = parseInput(field, text)
        if ('fault' in parsed) faults[field.key] = parsed.fault
        else values[field.key] = parsed.value
      }
    }
    return { body: toChange(values) as NewLeadBody, faults }
  }
}
