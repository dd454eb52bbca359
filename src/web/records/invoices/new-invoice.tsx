import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewInvoice as Body } from '#domains/invoices/contract.ts'
import { patterns } from '../../paths.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { close } from '../../ui/opened.ts'
import { AMOUNT_WORDS } from '../../ui/amount.ts'
import { CurrencySelect } from '../../ui/currency-select.tsx'
import { AccountSelect, LeadSelect } from '../record-select.tsx'
import { readPrice } from '../../ui/decimal.ts'
import { billingSettingsQuery } from './invoices-cache.ts'
import { preset } from './open-new-invoice.ts'
import fieldsClasses from '../../ui/fields.module.css'
import { invoices } from './store.ts'

const TEXT_LENGTH_MAX = 500

type Fields = {
  lead_id: string | null
  account_id: string | null
  description: string
  unit_price: string
  /** Undefined: the team's default. */
  currency: string | undefined
}

/** Starts an invoice with a customer and a first line item; the rest is edited in the draft. */
export function NewInvoice() {
  const navigate = useNavigate()
  const from = preset.use(now => now)
  const usual = useQuery(billingSettingsQuery).data?.currency ?? ''
  const [fields, setFields] = useState<Fields>({
    lead_id: from.lead_id ?? null,
    account_id: from.account_id ?? null,
    description: from.description ?? '',
    unit_price: from.unit_price ?? '',
    currency: from.currency,
  })
  const [faults, setFaults] = useState<Record<string, string>>({})
  const currency = fields.currency ?? usual
  const set = (change: Partial<Fields>) => setFields(now => ({ ...now, ...change }))

  async function create() {
    const price = readPrice(fields.unit_price)
    const wrong = {
      ...(!fields.description.trim() && { description: 'Enter a description' }),
      ...(price === undefined && { unit_price: AMOUNT_WORDS }),
    }
    setFaults(wrong)
    if (price === undefined || Object.keys(wrong).length > 0) return
    const { lead_id, account_id, description } = fields
    const body: Body = {
      ...(lead_id && { lead_id }),
      ...(account_id && { account_id }),
      ...(from.opportunity_id && { opportunity_id: from.opportunity_id }),
      ...(fields.currency && { currency: fields.currency }),
      lines: [{ description: description.trim(), quantity: '1', unit_price: price }],
    }
    const { id } = await invoices.create(body)
    close()
    void navigate({ to: patterns.invoice, params: { id } })
  }

  return (
    <FormDialog
      title="New invoice"
      size={560}
      yOffset="8vh"
      verb="Create draft"
      act={create}
      refused={error => setFaults(faultsByField(error, Object.keys(fields)))}
      fault={faults['']}
      close={close}
    >
      <div className={fieldsClasses.pair}>
        <TextInput
          className={fieldsClasses.wide}
          label="Description"
          placeholder="First line item, like 20 seats for a year"
          value={fields.description}
          maxLength={TEXT_LENGTH_MAX}
          error={faults.description}
          data-autofocus
          autoComplete="off"
          onChange={event => set({ description: event.currentTarget.value })}
        />
        <TextInput
          label="Price"
          description="Before tax"
          inputMode="decimal"
          value={fields.unit_price}
          error={faults.unit_price}
          autoComplete="off"
          onChange={event => set({ unit_price: event.currentTarget.value })}
        />
        <CurrencySelect value={currency} set={next => set({ currency: next })} error={faults.currency} />
        <LeadSelect
          label="Lead"
          value={fields.lead_id}
          set={lead_id => set({ lead_id })}
          error={faults.lead_id}
        />
        <AccountSelect
          label="Account"
          value={fields.account_id}
          set={account_id => set({ account_id })}
          error={faults.account_id}
        />
      </div>
      <Text c="dimmed">You can add line items, tax and a due date to the draft.</Text>
    </FormDialog>
  )
}
