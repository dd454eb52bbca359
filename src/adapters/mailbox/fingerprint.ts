import { createHash } from 'node:crypto'
import type { IncomingFile } from '#platform/ports/mailbox.ts'
import { findHeader } from './mime-headers.ts'
import type { ParsedMail } from './parse-mail.ts'

const LENGTH = 32

/**
 * The same for a mail in every mailbox that it came to: of what its sender wrote, without what servers add on the way, and
 * without spaces, which they set elsewhere.
 */
export function fingerprintOf(
  { headers, from, subject }: Pick<ParsedMail, 'headers' | 'from' | 'subject'>,
  text: string,
  files: readonly IncomingFile[],
): string {
  const written = [
    from?.address.toLowerCase() ?? '',
    findHeader(headers, 'date') ?? '',
    subject,
    text,
    ...files.map(({ name, bytes }) => `${name} ${bytes.length}`),
  ]
  const compact = written.map(part => part.replace(/\s+/g, ''))
  return createHash('sha256').update(JSON.stringify(compact)).digest('hex').slice(0, LENGTH)
}
