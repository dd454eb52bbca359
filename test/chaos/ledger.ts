/**
 * What the outside knows: what was acknowledged to clients and providers, and what mail servers, SMS providers and
 * receivers of webhooks were given. The checker compares it with the database.
 */
export type Ledger = {
  leads: AckedLead[]
  /** Enrolments by the lead's ID. */
  enrolments: { id: string; lead_id: string; email: string; phone: string; sequence: 'writing' | 'bounced' }[]
  events: { endpoint: string; event_id: string; type: string }[]
  invoices: { id: string; amount: string; payments: number }[]
  calls: { id: string; lead_id: string }[]
  conversations: { id: string; lead_id: string }[]
  /** Agents that were paid for on the chain and handed over. */
  purchases: { tx_hash: string; agent_id: string }[]
  /** Everything a buyer paid on the chain. */
  payments: string[]
  mails: { message_id: string; to: string }[]
  texts: { to: string; body: string }[]
  deliveries: { delivery_id: string; run_id: string }[]
  /** Requests that were begun and not acknowledged yet. */
  open: Set<string>
  /** Answers that ask nobody to come back, and are no success: `500 POST /api/…`. */
  surprises: Map<string, number>
}

/** A lead as the last acknowledged answer showed it. */
export type AckedLead = { id: string; name: string; title: string | null }

export function openLedger(): Ledger {
  return {
    leads: [],
    enrolments: [],
    events: [],
    invoices: [],
    calls: [],
    conversations: [],
    purchases: [],
    payments: [],
    mails: [],
    texts: [],
    deliveries: [],
    open: new Set(),
    surprises: new Map(),
  }
}
