import { useQuery } from '@tanstack/react-query'
import { lineTotals, moneyText } from '#domains/invoices/amounts.ts'
import type { Invoice } from '#domains/invoices/contract.ts'
import { inGroups } from '#domains/invoices/values.ts'
import { exactMoney } from '../../ui/money.ts'
import { dateInWords } from '../../ui/time.tsx'
import { billingSettingsQuery } from '../../records/invoices/invoices-cache.ts'
import { PartyLines, Sums } from './paper-parts.tsx'
import { dueDay } from '../../records/invoices/words.ts'
import textClasses from '../../ui/text.module.css'
import classes from './paper.module.css'

/** The invoice as the customer sees it. */
export function Paper({ invoice }: { invoice: Invoice }) {
  const { number, status, issued_at, due_at, customer, lines, currency, note, payment_reference } = invoice
  const settings = useQuery({ ...billingSettingsQuery, enabled: invoice.seller === null }).data
  const seller = invoice.seller ?? settings?.seller
  const isPart = Number(invoice.paid) > 0 || Number(invoice.written_off) > 0
  return (
    <article className={classes.paper} aria-label="Invoice" data-void={status === 'VOID' || undefined}>
      <div className={classes.head}>
        {seller ? <PartyLines party={seller} /> : <span />}
        <div className={classes.kind}>
          <p className={`${textClasses.figure} ${classes.title}`}>Invoice {number}</p>
          <dl className={classes.dates}>
            {issued_at && (
              <div>
                <dt>Date</dt>
                <dd>{dateInWords(dueDay(issued_at)!)}</dd>
              </div>
            )}
            {due_at && (
              <div>
                <dt>Due</dt>
                <dd>{dateInWords(dueDay(due_at)!)}</dd>
              </div>
            )}
            {payment_reference && (
              <div>
                <dt>Reference</dt>
                <dd>{inGroups(payment_reference)}</dd>
              </div>
            )}
          </dl>
        </div>
      </div>
      <section className={classes.customer} aria-label="Customer">
        <p className={classes.dim}>Bill to</p>
        <PartyLines party={customer} />
      </section>
      <div className={classes.tableWrap}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Description</th>
              <th scope="col">Quantity</th>
              <th scope="col">Unit price</th>
              <th scope="col">Tax</th>
              <th scope="col">Amount</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, at) => (
              // Lines of an issued invoice never move.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={at}>
                <td>{line.description}</td>
                <td data-label="Quantity">{line.quantity}</td>
                <td data-label="Unit price">{exactMoney(line.unit_price, currency)}</td>
                <td data-label="Tax">{line.tax_percent} %</td>
                <td data-label="Amount">
                  {exactMoney(moneyText(lineTotals(line, currency).net, currency), currency)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Sums
        {...invoice}
        more={
          isPart
            ? [
                ['Paid', invoice.paid],
                ...(Number(invoice.written_off) > 0 ? [['Written off', invoice.written_off] as const] : []),
                ['Amount due', invoice.due, true],
              ]
            : []
        }
      />
      {note && <p className={classes.noteText}>{note}</p>}
    </article>
  )
}
