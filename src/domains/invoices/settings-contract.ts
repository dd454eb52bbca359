import { Currency, Email, Instant, LongText, nullable, t, Text, type Static } from '#platform/contract.ts'
import { DUE_DAYS_MAX, REMINDERS_MAX } from './values.ts'

export const Percent = t.String({
  pattern: '^(?:100(?:\\.0{1,2})?|\\d{1,2}(?:\\.\\d{1,2})?)$',
  description: 'A percentage like 19 or 7.5, at most 100',
})

/** A party as printed on the invoice. */
export const Party = t.Object(
  {
    name: nullable(Text),
    email: nullable(Email),
    address: nullable(t.String({ minLength: 1, maxLength: 1000, pattern: '^[^\\u0000]*$' })),
    tax_id: nullable(Text),
  },
  { additionalProperties: false },
)
export type Party = Static<typeof Party>

/** Where money is transferred to. */
export const BankDetails = t.Object(
  {
    account_holder: Text,
    iban: t.String({ minLength: 1, maxLength: 50 }),
    bic: nullable(t.String({ minLength: 1, maxLength: 20 })),
    bank_name: nullable(Text),
  },
  { additionalProperties: false },
)
export type BankDetails = Static<typeof BankDetails>

export const BillingSettings = t.Object(
  {
    seller: Party,
    bank: nullable(BankDetails),
    currency: Currency,
    tax_percent: Percent,
    number_prefix: t.String({ maxLength: 20, pattern: '^[A-Za-z0-9/_.-]*$' }),
    next_number: t.Integer({ minimum: 1, maximum: 999_999_999 }),
    due_days: t.Integer({ minimum: 0, maximum: DUE_DAYS_MAX }),
    reminder_days: t.Array(t.Integer({ minimum: 1, maximum: DUE_DAYS_MAX }), { maxItems: REMINDERS_MAX }),
    note: nullable(LongText),
    updated_at: Instant,
  },
  { $id: 'BillingSettings' },
)
export type BillingSettings = Static<typeof BillingSettings>

const { updated_at: _, ...changeable } = BillingSettings.properties
export const BillingSettingsChange = t.Partial(t.Object(changeable), {
  additionalProperties: false,
  minProperties: 1,
})
export type BillingSettingsChange = Static<typeof BillingSettingsChange>
