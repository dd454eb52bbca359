import { Readable } from 'node:stream'
import type { NodemailerError } from 'nodemailer'
import { watchHandover, type Tracked } from './handover.ts'

/** A mail whose every byte is settled. */
export type Written = Tracked & { raw: Buffer; envelope: { from: string; to: string[] }; messageId: string }

/** What a nodemailer transport needs from a mail, however it was composed. */
type Mail = Parameters<typeof watchHandover>[0]
export type Transport = { send(mail: Mail, done: (error: NodemailerError | null) => void): unknown }

/** Such a mail needs no composer, which would take it apart only to find nothing to do: the transport gets it as it is. */
export function sendWritten(transport: Transport, data: Written): Promise<void> {
  const { raw, envelope, messageId } = data
  const message = {
    getEnvelope: () => ({ ...envelope }),
    getHeader: () => messageId,
    messageId: () => messageId,
    createReadStream: () => streamOf(raw),
  }
  const mail = { data, message } as unknown as Mail
  return new Promise((resolve, reject) => {
    watchHandover(mail, () => transport.send(mail, error => (error ? reject(error) : resolve())))
  })
}

function streamOf(bytes: Buffer): Readable {
  return new Readable({
    read() {
      this.push(bytes)
      this.push(null)
    },
  })
}
