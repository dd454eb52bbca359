import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Invoice } from '#domains/invoices/contract.ts'
import { patterns } from '../../paths.ts'
import { exactMoney } from '../../ui/money.ts'
import { Time } from '../../ui/time.tsx'
import { count } from '../../ui/words.ts'
import { AccountLink } from '../../records/accounts/account-link.tsx'
import { LeadLink } from '../../records/leads/lead-link.tsx'
import classes from './invoice-page.module.css'
import { opportunities } from '../../records/opportunities/store.ts'

/** What the invoice belongs to, and what its payment triggers. */
export function InvoiceLinks({ invoice }: { invoice: Invoice }) {
  const { lead_id, account_id, opportunity_id, leadgen_credits, credit, currency } = invoice
  const { bank_ref, pay_url, status, created_at, issued_at, voided_at } = invoice
  const deal = useQuery({
    ...opportunities.query(opportunity_id ?? ''),
    enabled: opportunity_id !== null,
  }).data
  return (
    <section className={classes.terms} aria-labelledby="links-heading">
      <h2 id="links-heading">Details</h2>
      <dl className={classes.links}>
        {account_id && (
          <div>
            <dt>Account</dt>
            <dd>
              <AccountLink id={account_id} />
            </dd>
          </div>
        )}
        {lead_id && (
          <div>
            <dt>Lead</dt>
            <dd>
              <LeadLink id={lead_id} />
            </dd>
          </div>
        )}
        {opportunity_id && (
          <div>
            <dt>{status === 'PAID' ? 'Opportunity' : 'Wins when paid'}</dt>
            <dd>
              <Link to={patterns.opportunity} params={{ id: opportunity_id }}>
                {deal?.name ?? '…'}
              </Link>
            </dd>
          </div>
        )}
        {leadgen_credits > 0 && (
          <div>
            <dt>{status === 'PAID' ? 'Granted' : 'Grants when paid'}</dt>
            <dd>{count(leadgen_credits)} LeadGen credits</dd>
          </div>
        )}
        {Number(credit) > 0 && (
          <div>
            <dt>Customer credit</dt>
            <dd>{exactMoney(credit, currency)}</dd>
          </div>
        )}
        {bank_ref && (
          <div>
            <dt>Bank reference</dt>
            <dd>{bank_ref}</dd>
          </div>
        )}
        <div>
          <dt>{issued_at ? 'Finalized' : 'Created'}</dt>
          <dd>
            <Time at={issued_at ?? created_at} />
          </dd>
        </div>
        {voided_at && (
          <div>
            <dt>Voided</dt>
            <dd>
              <Time at={voided_at} />
            </dd>
          </div>
        )}
        {pay_url && status !== 'VOID' && (
          <div>
            <dt>Payment link</dt>
            <dd>
              <a href={pay_url} target="_blank" rel="noreferrer">
                Open payment page
              </a>
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
