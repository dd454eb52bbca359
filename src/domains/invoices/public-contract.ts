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
    payment_reference: t.String({ description: 'Payment reference to include' }),
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
        link: t.String({ description: 'EIP-681 link, as in the QR code' }),
        challenge: t.String({ description: 'As in the WWW-Authenticate header of a 402 response' }),
        text: t.String({
          description: 'Text for the payer to sign, with <hash> in place of the transaction hash',
        }),
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
    summary: 'Payment page',
    auth: 'open',
    params: ByToken,
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  readPayAsset: {
    method: 'GET',
    path: '/i/assets/:file',
    summary: 'Stylesheet and script of the payment page',
    auth: 'open',
    params: t.Object({ file: t.String({ maxLength: 60 }) }),
    unchecked: true,
    media: 'text/css',
    hidden: true,
  },
  readPaidPdf: {
    method: 'GET',
    path: '/i/:token/pdf',
    summary: 'Download the invoice as PDF, for the customer',
    auth: 'open',
    params: ByToken,
    unchecked: true,
    media: 'application/pdf',
    hidden: true,
  },
  readPayState: {
    method: 'GET',
    path: '/api/pay/:token',
    summary: "Read an invoice's payment status, for the payer",
    auth: 'open',
    params: ByToken,
    output: PayState,
    protocol: 'HTTP 402 Payment',
  },
  payOnChain: {
    method: 'POST',
    path: '/api/pay/:token',
    summary: 'Prove an on-chain payment with a Payment scheme credential',
    auth: 'open',
    params: ByToken,
    body: t.Object(
      {
        credential: t.String({
          minLength: 1,
          maxLength: 8_000,
          description: 'The value after "Payment" in the Authorization header',
        }),
      },
      { additionalProperties: false },
    ),
    output: PayState,
    status: 200,
    protocol: 'HTTP 402 Payment',
  },
})
