import { Textarea, TextInput } from '@mantine/core'
import type { BillingSettings, BillingSettingsChange } from '#domains/invoices/contract.ts'
import { NUMBER_DIGITS_MIN } from '#domains/invoices/values.ts'
import { api } from '../../api.ts'
import type { FieldFault } from '../../problem.ts'
import { asSentence } from '../../ui/words.ts'
import { putBillingSettings } from '../../records/invoices/invoices-cache.ts'
import { CurrencySelect } from '../../ui/currency-select.tsx'
import { changeOf, faultsOf, fieldsOf, type BillingFields } from './billing-fields.ts'
import { SettingsSave } from './settings-save.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import fieldsClasses from '../../ui/fields.module.css'
import classes from './outreach-settings.module.css'

const TEXT_LENGTH_MAX = 500
const ADDRESS_LENGTH_MAX = 1_000
const NOTE_LENGTH_MAX = 20_000

/** Saved on submit, with undo. */
export function BillingForm({ settings, editable }: { settings: BillingSettings; editable: boolean }) {
  const form = useSettingsForm(settings, {
    fieldsOf,
    changeOf,
    faultsOf,
    write,
    reload,
    saved: 'Saved billing settings',
    // A number that was increased cannot be lowered again.
    back({ next_number: _ahead, ...rest }) {
      return Object.keys(rest).length > 0 ? rest : undefined
    },
  })
  const { fields, faults, set } = form
  const field = (name: keyof BillingFields) => ({
    value: fields[name],
    error: faultOf(faults, name),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      set({ [name]: event.currentTarget.value }, ({ path }) =>
        [name, `seller.${name}`, `bank.${name}`].includes(path),
      ),
  })

  return (
    <form className={classes.form} onSubmit={form.save} noValidate aria-label="Billing settings">
      <fieldset disabled={!editable} className={classes.fields}>
        <div className={fieldsClasses.pair}>
          <TextInput label="Name on invoices" maxLength={TEXT_LENGTH_MAX} {...field('name')} />
          <TextInput
            label="Email on invoices"
            description="For questions from customers."
            type="email"
            {...field('email')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <Textarea label="Address" rows={4} maxLength={ADDRESS_LENGTH_MAX} {...field('address')} />
          <TextInput
            label="Tax ID"
            description="Required by law in many countries."
            maxLength={TEXT_LENGTH_MAX}
            {...field('tax_id')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <TextInput
            label="Invoice number prefix"
            description="Letters, digits and / _ . -"
            maxLength={20}
            {...field('number_prefix')}
          />
          <TextInput
            label="Next number"
            description={`The next invoice is ${fields.number_prefix}${fields.next_number.padStart(NUMBER_DIGITS_MIN, '0')}. Can only be increased.`}
            inputMode="numeric"
            {...field('next_number')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <CurrencySelect
            description="For new invoices."
            value={fields.currency}
            set={currency => set({ currency })}
          />
          <TextInput
            label="Tax rate (%)"
            description="For new line items, such as 19."
            inputMode="decimal"
            {...field('tax_percent')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <TextInput
            label="Payment terms (days)"
            description="Days until an invoice is due. 0: on receipt."
            inputMode="numeric"
            {...field('due_days')}
          />
          <TextInput
            label="Reminders (days)"
            description="Days after the due date, such as 3, 7, 14. Empty: no reminders."
            {...field('reminder_days')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <TextInput
            label="Account holder"
            description="Customers see bank details as a payment option."
            maxLength={TEXT_LENGTH_MAX}
            {...field('account_holder')}
          />
          <TextInput
            label="IBAN"
            description="Check digits are verified."
            maxLength={50}
            {...field('iban')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <TextInput label="BIC" maxLength={20} {...field('bic')} />
          <TextInput label="Bank" maxLength={TEXT_LENGTH_MAX} {...field('bank_name')} />
        </div>
        <Textarea
          label="Note on every invoice"
          description="For example, your terms and conditions."
          rows={4}
          maxLength={NOTE_LENGTH_MAX}
          {...field('note')}
        />
      </fieldset>
      {editable && <SettingsSave form={form} />}
    </form>
  )
}

async function write(body: BillingSettingsChange, ifMatch?: string): Promise<BillingSettings> {
  const saved = await api('PATCH /api/crm/invoices/settings', { body, ...(ifMatch && { ifMatch }) })
  putBillingSettings(saved)
  return saved
}

async function reload(): Promise<BillingSettings> {
  const settings = await api('GET /api/crm/invoices/settings')
  putBillingSettings(settings)
  return settings
}

function faultOf(faults: FieldFault[], name: keyof BillingFields): string | undefined {
  const own = faults.find(({ path }) => path.replace(/\[.*/, '').split('.').at(-1) === name)
  return own && asSentence(own.message)
}
