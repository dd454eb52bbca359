import { ById, defineEndpoints, nullable, t } from '#platform/contract.ts'
import { SIGNATURE_LENGTH_MAX, TESTS_PER_HOUR } from '#domains/mailboxes/values.ts'

const Signature = nullable(
  t.String({
    maxLength: SIGNATURE_LENGTH_MAX,
    pattern: '^[^\\u0000]*$',
    description: 'Markdown with placeholders such as {{senderName}}; null for that of the team',
  }),
)

/** What is sent from a mailbox: the rest of it is in the domain of mailboxes. */
export const mailboxEndpoints = defineEndpoints({
  readMailboxSending: {
    method: 'GET',
    path: '/api/mailboxes/:id/sending',
    summary: 'How much was sent from a mailbox today and in 30 days, and how much bounced',
    auth: { scope: 'conversations:read' },
    params: ById,
    output: t.Object({
      daily_limit: nullable(t.Integer()),
      sent_today: t.Integer({ description: 'In its time zone, with what is still to go out today' }),
      sent_30_days: t.Integer(),
      bounced_30_days: t.Integer(),
    }),
  },
  previewSignature: {
    method: 'POST',
    path: '/api/mailboxes/:id/signature',
    summary: 'Preview a signature as it would be in an email of yours',
    auth: { role: 'MEMBER' },
    params: ById,
    body: t.Object({ signature: Signature }, { additionalProperties: false }),
    output: t.Object({ html: t.String(), text: t.String() }),
    status: 200,
  },
  testMailbox: {
    method: 'POST',
    path: '/api/mailboxes/:id/test',
    summary: 'Send yourself a test from a mailbox, with a signature that need not be saved',
    auth: { role: 'MEMBER' },
    hourly: { name: 'mailbox tests', quota: TESTS_PER_HOUR },
    params: ById,
    body: t.Object({ signature: t.Optional(Signature) }, { additionalProperties: false }),
    output: t.Object({ to: t.String() }),
    status: 200,
  },
})
