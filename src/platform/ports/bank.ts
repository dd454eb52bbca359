/** The bank's own system of invoices, which wants to know what was paid. */
export type Bank = {
  kind: 'ledger' | 'http'
  /**
   * Reports a paid invoice and returns the bank's reference. `key` is the same for every repeat: the bank
   * books it once. A rejection means that it may be reported again.
   */
  sync(invoice: BankInvoice, key: string): Promise<{ reference: string }>
  check(): Promise<void>
  close(): Promise<void>
}

export type BankInvoice = {
  invoice_id: string
  number: string
  amount: string
  paid: string
  currency: string
  customer: string | null
  paid_at: string
}

/** The bank said no, and would say so again. */
export class BankRefused extends Error {}
