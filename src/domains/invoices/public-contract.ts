import {
  Currency,
  defineEndpoints,
  Instant,
  Money,
  nullable,
  oneOf,
  t,
  type Static,
} from '#platform/contract.ts'
import { invoiceStatuses } from './values.ts'

/** Whatever it is: an address that leads to no invoice is answered with a page. */
const ByToken = t.Object({ token: t.String() })

/** What who pays may know of an invoice. */
export const PayState = t.Object(
  {
    number: t.String(),
    payment_reference: t.String({ description: 'To be quoted with the money' }),
    status: oneOf(invoiceStatuses),
    amount: Money,
    paid: Money,
    due: t.String(),
    currency: Currency,
    due_at: nullable(Instant),
    paid_at: nullable(Instant),
    /** Where money is transferred to; null where the team takes none, and where nothing is due. */
    bank: nullable(
      t.Object({
        account_holder: t.String(),
        iban: t.String(),
        bic: nullable(t.String()),
        bank_name: nullable(t.String()),
      }),
    ),
    /** How it is paid on the chain; null where that is not possible, with why. */
    chain: nullable(
      t.Object({
        recipient: t.String(),
        amount: t.String(),
        network: t.String(),
        token: t.String(),
        link: t.String({ description: 'EIP-681, what the QR code says' }),
        challenge: t.String({ description: 'As in WWW-Authenticate of a 402' }),
        text: t.String({ description: 'What the payer signs, with <hash> where the transaction stands' }),
      }),
    ),
  },
  { $id: 'PayState' },
)
export type PayState = Static<typeof PayState>

/** What the receiver of an invoice calls. */
export const publicEndpoints = defineEndpoints({
  showInvoice: {
    method: 'GET',
    path: '/i/:token',
    summary: 'The pay page',
    auth: 'open',
    params: ByToken,
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  readPayAsset: {
    method: 'GET',
    path: '/i/assets/:file',
    summary: 'The style sheet and the script of the pay page',
    auth: 'open',
    params: t.Object({ file: t.String({ maxLength: 60 }) }),
    unchecked: true,
    media: 'text/css',
    hidden: true,
  },
  readPaidPdf: {
    method: 'GET',
    path: '/i/:token/pdf',
    summary: 'The invoice as a PDF, for its receiver',
    auth: 'open',
    params: ByToken,
    unchecked: true,
    media: 'application/pdf',
    hidden: true,
  },
  readPayState: {
    method: 'GET',
    path: '/api/pay/:token',
    summary: 'How an invoice stands, for who pays it',
    auth: 'open',
    params: ByToken,
    output: PayState,
    protocol: 'HTTP 402 Payment',
  },
  payOnChain: {
    method: 'POST',
    path: '/api/pay/:token',
    summary: 'Prove a payment on the chain, by the credential of the Payment scheme',
    auth: 'open',
    params: ByToken,
    body: t.Object(
      {
        credential: t.String({
          minLength: 1,
          maxLength: 8_000,
          description: 'As after "Payment" in Authorization',
        }),
      },
      { additionalProperties: false },
    ),
    output: PayState,
    status: 200,
    protocol: 'HTTP 402 Payment',
  },
})
