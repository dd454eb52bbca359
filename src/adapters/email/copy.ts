import { createTransport } from 'nodemailer'
import type { Mail } from '#platform/ports/mail.ts'
import { copyOf, type Sender } from './message.ts'

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/** What a mail program keeps of a mail that it sent: its bytes, and to whom it went unseen. */
export async function composeCopy(mail: Mail, sender: Sender): Promise<Buffer> {
  const { message } = await composer.sendMail(copyOf(mail, sender))
  return message as Buffer
}
