import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DayInput } from '../../ui/day-input.tsx'
import { plural } from '../../ui/words.ts'
import { CurrencySelect } from '../../ui/currency-select.tsx'
import { OpportunitySelect } from '../../records/record-select.tsx'
import type { InvoiceDraft } from './draft.ts'
import { problemsOf } from './draft-content.ts'
import { billingSettingsQuery } from '../../records/invoices/invoices-cache.ts'
import { dueAtEndOf, dueDay } from '../../records/invoices/words.ts'
import classes from './invoice-page.module.css'

/** Terms of the whole invoice, and what happens when it is paid. */
export function DraftTerms({ draft }: { draft: InvoiceDraft }) {
  const now = draft.state.use(({ history }) => history.now)
  const settings = useQuery(billingSettingsQuery).data
  const { currency, due_at, opportunity_id, leadgen_credits } = now
  const fault = problemsOf(now).find(({ place }) => place === 'leadgen_credits')?.words
  return (
    <div className={classes.beside}>
      <section aria-labelledby="terms-heading" className={classes.terms}>
        <h2 id="terms-heading">Terms</h2>
        <CurrencySelect value={currency} set={next => draft.edit(now => ({ ...now, currency: next }))} />
        <div>
          <DayInput
            label="Due date"
            day={dueDay(due_at)}
            set={day => draft.edit(now => ({ ...now, due_at: day ? dueAtEndOf(day) : null }), 'due_at')}
          />
          <p className={classes.about}>
            {settings && `Default: ${plural(settings.due_days, 'day')} after finalizing.`}
          </p>
        </div>
      </section>
      <section aria-labelledby="paid-heading" className={classes.terms}>
        <h2 id="paid-heading">When paid</h2>
        <OpportunitySelect
          label="Mark opportunity as won"
          value={opportunity_id}
          set={next => draft.edit(now => ({ ...now, opportunity_id: next }))}
        />
        <TextInput
          label="Grant LeadGen credits"
          description="Added once, when the invoice is fully paid."
          inputMode="numeric"
          placeholder="None"
          value={leadgen_credits}
          error={fault}
          autoComplete="off"
          onChange={event => {
            const typed = event.currentTarget.value
            draft.edit(now => ({ ...now, leadgen_credits: typed }), 'leadgen_credits')
          }}
        />
      </section>
    </div>
  )
}
