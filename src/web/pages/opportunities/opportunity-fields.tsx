import { Select } from '@mantine/core'
import type { Opportunity, OpportunityChange } from '#domains/opportunities/contract.ts'
import { useMembers } from '../../queries.ts'
import { Time } from '../../ui/time.tsx'
import { SavedInput } from '../../ui/saved-input.tsx'
import { AMOUNT_WORDS, parseAmount } from '../../ui/amount.ts'
import { CurrencySelect } from '../../ui/currency-select.tsx'
import { AccountSelect, LeadSelect } from '../../records/record-select.tsx'
import classes from '../../ui/field-page.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import { opportunities } from '../../records/opportunities/store.ts'

const NAME_LENGTH_MAX = 500
const DAY = /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/

/** All fields of the deal, saved in place. */
export function OpportunityFields({
  opportunity,
  canWrite,
}: {
  opportunity: Opportunity
  canWrite: boolean
}) {
  const members = useMembers()
  const { name, amount, currency, close_date, owner_id, lead_id, account_id } = opportunity
  const set = (what: string, change: OpportunityChange) =>
    void opportunities.change(opportunity.id, change, `Changed ${what} of ${name}`)
  return (
    <section aria-label="Fields">
      <div className={fieldsClasses.pair}>
        <div className={fieldsClasses.wide}>
          <SavedInput
            label="Name"
            value={name}
            canWrite={canWrite}
            maxLength={NAME_LENGTH_MAX}
            save={text => (text.trim() ? set('the name', { name: text.trim() }) : 'Name cannot be empty')}
          />
        </div>
        <SavedInput
          label="Amount"
          value={amount ?? ''}
          canWrite={canWrite}
          save={text => {
            const value = parseAmount(text)
            return value === undefined ? AMOUNT_WORDS : set('the amount', { amount: value })
          }}
        />
        <CurrencySelect
          value={currency}
          readOnly={!canWrite}
          set={next => set('the currency', { currency: next })}
        />
        <SavedInput
          label="Close date"
          type="date"
          value={close_date ?? ''}
          canWrite={canWrite}
          save={text =>
            text === '' || DAY.test(text)
              ? set('the close date', { close_date: text || null })
              : 'Enter a valid date'
          }
        />
        <Select
          label="Owner"
          placeholder="Unassigned"
          data={members.map(({ id, name, email }) => ({ value: id, label: name || email }))}
          value={owner_id}
          clearable={canWrite}
          readOnly={!canWrite}
          clearButtonProps={{ 'aria-label': 'Clear owner' }}
          onChange={next => set('the owner', { owner_id: next })}
        />
        <LeadSelect value={lead_id} set={next => set('the lead', { lead_id: next })} readOnly={!canWrite} />
        <AccountSelect
          value={account_id}
          set={next => set('the account', { account_id: next })}
          readOnly={!canWrite}
        />
      </div>
      <p className={classes.foot}>
        Created <Time at={opportunity.created_at} />, changed <Time at={opportunity.updated_at} />
        {opportunity.closed_at && (
          <>
            , closed <Time at={opportunity.closed_at} />
          </>
        )}
      </p>
    </section>
  )
}
