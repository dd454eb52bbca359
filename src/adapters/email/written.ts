import { Readable } from 'node:stream'
import type { NodemailerError } from 'nodemailer'
import type { Answer } from './refusal.ts'
import { watchHandover, type Tracked } from './handover.ts'

/** A mail whose every byte is settled. */
export type Written = Tracked & { raw: Buffer; messageId: string }

/** What a nodemailer transport needs from a mail, however it was composed. */
type Mail = Parameters<typeof watchHandover>[0]
export type Transport = {
  send(mail: Mail, done: (error: NodemailerError | null, answer: Answer) => void): unknown
}

/** Such a mail needs no composer, which would take it apart only to find nothing to do: the transport gets it as it is. */
export function sendWritten(transport: Transport, data: Written): Promise<Answer> {
  const { raw, envelope, messageId } = data
  const message = {
    getEnvelope: () => ({ ...envelope }),
    getHeader: () => messageId,
    messageId: () => messageId,
    createReadStream: () => streamOf(raw),
  }
  const mail = { data, message } as unknown as Mail
  return new Promise((resolve, reject) => {
    watchHandover(mail, () =>
      transport.send(mail, (error, answer) => (error ? reject(error) : resolve(answer))),
    )
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
