import { Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewOpportunity as Body } from '#domains/opportunities/contract.ts'
import { DEFAULT_CURRENCY, opportunityStages, type OpportunityStage } from '#domains/opportunities/values.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { useMembers, useUser } from '../../queries.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { close } from '../../ui/opened.ts'
import { toastWithAction } from '../../ui/toast.ts'
import { AMOUNT_WORDS, parseAmount } from '../../ui/amount.ts'
import { CurrencySelect } from '../../ui/currency-select.tsx'
import { stageName } from './deal-stage.tsx'
import { preset } from './open-new-opportunity.ts'
import { AccountSelect, LeadSelect } from '../record-select.tsx'
import fieldsClasses from '../../ui/fields.module.css'
import { opportunities } from './store.ts'

const NAME_LENGTH_MAX = 500

type Fields = {
  name: string
  amount: string
  currency: string
  stage: OpportunityStage
  close_date: string
  owner_id: string | null
  lead_id: string | null
  /** Undefined: the account of the lead. */
  account_id: string | null | undefined
}

/** The dialog for a new opportunity. Errors from the server are shown at their fields. */
export function NewOpportunity() {
  const user = useUser()
  const members = useMembers()
  const navigate = useNavigate()
  const from = preset.use(now => now)
  const [fields, setFields] = useState<Fields>({
    name: '',
    amount: '',
    currency: DEFAULT_CURRENCY,
    stage: 'prospecting',
    close_date: '',
    owner_id: user.id,
    lead_id: from.lead_id ?? null,
    account_id: from.account_id,
  })
  const [faults, setFaults] = useState<Record<string, string>>({})
  const set = (change: Partial<Fields>) => setFields(now => ({ ...now, ...change }))

  async function create() {
    const { body, faults } = read(fields)
    setFaults(faults)
    if (Object.keys(faults).length > 0) return
    const { id, name } = await api('POST /api/crm/opportunities', { body })
    close()
    toastWithAction(
      `Created ${name}`,
      'Open',
      () => void navigate({ to: patterns.opportunity, params: { id } }),
    )
    opportunities.refresh()
  }

  return (
    <FormDialog
      title="New opportunity"
      size={560}
      yOffset="8vh"
      verb="Create opportunity"
      act={create}
      refused={error => setFaults(faultsByField(error, Object.keys(fields)))}
      fault={faults['']}
      close={close}
    >
      <div className={fieldsClasses.pair}>
        <TextInput
          className={fieldsClasses.wide}
          label="Name"
          placeholder="For example, 20 seats for Acme"
          value={fields.name}
          maxLength={NAME_LENGTH_MAX}
          error={faults.name}
          data-autofocus
          autoComplete="off"
          onChange={event => set({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Amount"
          inputMode="decimal"
          value={fields.amount}
          error={faults.amount}
          autoComplete="off"
          onChange={event => set({ amount: event.currentTarget.value })}
        />
        <CurrencySelect value={fields.currency} set={currency => set({ currency })} error={faults.currency} />
        <Select
          label="Stage"
          data={opportunityStages.map(value => ({ value, label: stageName(value) }))}
          value={fields.stage}
          allowDeselect={false}
          error={faults.stage}
          onChange={stage => stage && set({ stage: stage as OpportunityStage })}
        />
        <TextInput
          label="Close date"
          type="date"
          value={fields.close_date}
          error={faults.close_date}
          onChange={event => set({ close_date: event.currentTarget.value })}
        />
        <LeadSelect value={fields.lead_id} set={lead_id => set({ lead_id })} error={faults.lead_id} />
        <AccountSelect
          value={fields.account_id ?? null}
          set={account_id => set({ account_id })}
          error={faults.account_id}
        />
        <Select
          label="Owner"
          placeholder="Unassigned"
          data={members.map(({ id, name, email }) => ({ value: id, label: name || email }))}
          value={fields.owner_id}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear owner' }}
          error={faults.owner_id}
          onChange={owner_id => set({ owner_id })}
        />
      </div>
    </FormDialog>
  )
}

function read({ name, amount, close_date, account_id, ...rest }: Fields) {
  const faults: Record<string, string> = {}
  const value = parseAmount(amount)
  if (!name.trim()) faults.name = 'Enter a name'
  if (value === undefined) faults.amount = AMOUNT_WORDS
  const body: Body = {
    ...rest,
    name: name.trim(),
    amount: value ?? null,
    close_date: close_date || null,
    ...(account_id !== undefined && { account_id }),
  }
  return { body, faults }
}
