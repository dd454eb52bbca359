import type { Party } from '#domains/invoices/contract.ts'
import { exactMoney } from '../../ui/money.ts'
import classes from './paper.module.css'

/** Seller or customer, as printed. */
export function PartyLines({ party }: { party: Party }) {
  const { name, address, email, tax_id } = party
  return (
    <address className={classes.party}>
      <b>{name ?? 'No name yet'}</b>
      {address && <span className={classes.address}>{address}</span>}
      {email && <span>{email}</span>}
      {tax_id && <span>Tax ID {tax_id}</span>}
    </address>
  )
}

type SumsProps = {
  subtotal: string
  tax: string
  amount: string
  currency: string
  /** Lines below the total, like what was paid. */
  more?: readonly (readonly [label: string, amount: string, strong?: boolean])[]
}

export function Sums({ subtotal, tax, amount, currency, more }: SumsProps) {
  return (
    <dl className={classes.sums} aria-label="Totals">
      <div>
        <dt>Subtotal</dt>
        <dd>{exactMoney(subtotal, currency)}</dd>
      </div>
      <div>
        <dt>Tax</dt>
        <dd>{exactMoney(tax, currency)}</dd>
      </div>
      <div data-strong>
        <dt>Total</dt>
        <dd>{exactMoney(amount, currency)}</dd>
      </div>
      {more?.map(([label, sum, strong]) => (
        <div key={label} data-strong={strong || undefined}>
          <dt>{label}</dt>
          <dd>{exactMoney(sum, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}
