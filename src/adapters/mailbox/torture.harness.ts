import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { readIncoming } from './incoming.ts'

const AT = new Date('2026-03-02T10:00:00Z')

/** Mails of a few lines, and what is read of them. */
export const reading = {
  read: (...lines: string[]): IncomingMail => readIncoming(Buffer.from(lines.join('\r\n')), AT),

  /** A mail with those parts. */
  mixed: (...parts: string[][]): IncomingMail => {
    const body = parts.flatMap(part => ['--bound', ...part])
    const head = ['From: a@x.example', 'Content-Type: multipart/mixed; boundary=bound', '']
    return reading.read(...head, ...body, '--bound--', '')
  },

  /** Lines of a part that is a file. */
  file: (name: string, content: string): string[] => [
    `Content-Disposition: attachment; filename=${name}`,
    'Content-Type: application/octet-stream',
    '',
    content,
  ],
}
