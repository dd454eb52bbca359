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

/** The settings as a form; they are saved when one says so, and can be taken back. */
export function BillingForm({ settings, editable }: { settings: BillingSettings; editable: boolean }) {
  const form = useSettingsForm(settings, {
    fieldsOf,
    changeOf,
    faultsOf,
    write,
    reload,
    saved: 'Saved how the team bills',
    // A number that was set ahead never comes back.
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
    <form className={classes.form} onSubmit={form.save} noValidate aria-label="How the team bills">
      <fieldset disabled={!editable} className={classes.fields}>
        <div className={fieldsClasses.pair}>
          <TextInput label="Your name on invoices" maxLength={TEXT_LENGTH_MAX} {...field('name')} />
          <TextInput
            label="Your e-mail on invoices"
            description="Questions of customers go here."
            type="email"
            {...field('email')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <Textarea label="Your address" rows={4} maxLength={ADDRESS_LENGTH_MAX} {...field('address')} />
          <TextInput
            label="Your tax number"
            description="In many countries the law asks for it."
            maxLength={TEXT_LENGTH_MAX}
            {...field('tax_id')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <TextInput
            label="Numbers begin with"
            description="Letters, digits and / _ . -"
            maxLength={20}
            {...field('number_prefix')}
          />
          <TextInput
            label="Next number"
            description={`The next invoice is ${fields.number_prefix}${fields.next_number.padStart(NUMBER_DIGITS_MIN, '0')}. It only goes up.`}
            inputMode="numeric"
            {...field('next_number')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <CurrencySelect
            description="Of new invoices."
            value={fields.currency}
            set={currency => set({ currency })}
          />
          <TextInput
            label="Tax in percent"
            description="Of new lines, like 19."
            inputMode="decimal"
            {...field('tax_percent')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <TextInput
            label="Due after days"
            description="Counted from the day it is opened; 0: at once."
            inputMode="numeric"
            {...field('due_days')}
          />
          <TextInput
            label="Remind after days"
            description="Days after the due date on which the customer is mailed, like 3, 7, 14. Empty: never."
            {...field('reminder_days')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <TextInput
            label="Account holder"
            description="Bank details are shown to customers as a way to pay."
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
          description="Like your terms."
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
