import { createHash } from 'node:crypto'
import type { IncomingMail } from '#platform/ports/mailbox.ts'

/** A mail as a mailbox reads it; what a test does not say is as of a short answer. */
export function incomingMail(fields: Partial<IncomingMail> & { from: string | null }): IncomingMail {
  const { subject = 'A question', text = 'What does it cost?', message_id = null } = fields
  const said = JSON.stringify([fields.from, fields.at, subject, text, message_id])
  return {
    from_name: null,
    to: [],
    cc: [],
    subject,
    text,
    whole: text,
    html: null,
    files: [],
    message_id,
    answers: [],
    at: new Date().toISOString(),
    fingerprint: createHash('sha256').update(said).digest('hex').slice(0, 32),
    kind: 'reply',
    bounce: null,
    ...fields,
  }
}
