import type { Challenge, Charge } from './charge.ts'

/**
 * What the payer signs. A transaction's hash is public knowledge: by this text the one who controls the paying wallet
 * says what the payment was for, and nobody else can say it.
 */
export function claimText(
  { id, realm, body }: Pick<Challenge, 'id' | 'realm' | 'body'>,
  { purpose, subject_id }: Pick<Charge, 'purpose' | 'subject_id'>,
  hash: string,
): string {
  return [
    purpose === 'agent'
      ? 'I paid for this agent purchase and claim it.'
      : 'I paid this invoice and claim it.',
    `realm: ${realm}`,
    `${purpose}: ${subject_id}`,
    `challenge: ${id}`,
    `network: ${body.network}`,
    `token: ${body.token}`,
    `recipient: ${body.recipient}`,
    `amount: ${body.amount}`,
    `tx: ${hash.toLowerCase()}`,
  ].join('\n')
}
