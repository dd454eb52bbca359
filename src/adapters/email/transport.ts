import { createTransport, type NodemailerError, type SMTPPoolOptions } from 'nodemailer'
import { MailUncertain, type Handover, type Mail, type Sent } from '#platform/ports/mail.ts'
import { mayHaveArrived, watchHandover, type Tracked } from './handover.ts'
import { messageOf, type Sender } from './message.ts'
import { refusalOf, refusedOf } from './refusal.ts'
import { sendWritten, type Transport as Pool, type Written } from './written.ts'

const MAILS_PER_CONNECTION_MAX = 1_000
const CONNECT_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000
/** A server that trickles its answers is never silent: this bounds the whole. */
const SEND_TIMEOUT_MS = 90_000
/** Large files get time in proportion, also on a slow line. */
const FILE_BYTES_PER_MS_MIN = 100

export type SmtpLimits = { silenceMs?: number; sendMs?: number }

export type Transport = {
  send(mail: Mail, sender: Sender, handover?: Handover): Promise<Sent>
  check(): Promise<void>
  close(): Promise<void>
}

/** Connections to one mail server, kept open between mails. `host` is what messages about it call it. */
export function openTransport(host: string, options: SMTPPoolOptions, limits: SmtpLimits): Transport {
  const { silenceMs = SILENCE_TIMEOUT_MS, sendMs = SEND_TIMEOUT_MS } = limits
  const transport = createTransport({
    ...options,
    pool: true,
    maxMessages: MAILS_PER_CONNECTION_MAX,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: silenceMs,
  })
  transport.use('stream', watchHandover)
  const pool = transport.transporter as unknown as Pool
  // What is signed is signed by the composer.
  const isWritten = (mail: Tracked): mail is Written => mail.raw !== undefined && !options.dkim
  return {
    async send(mail, sender, { mayGo = () => true } = {}) {
      const tracked: Tracked = { ...messageOf(mail, sender), handover: { stage: 'waiting', mayGo } }
      const { handover, envelope } = tracked
      const sending = isWritten(tracked) ? sendWritten(pool, tracked) : transport.sendMail(tracked)
      const sent = sending.catch((error: NodemailerError) => {
        throw mayHaveArrived(handover, error) ? uncertain(host, error) : (refusalOf(error, mail.to) ?? error)
      })
      const ms = sendMs + Math.ceil(bytesOf(mail) / FILE_BYTES_PER_MS_MIN)
      const answer = await within(ms, sent, () => {
        const silence = Object.assign(new Error(`No response within ${ms} ms`), { code: 'ETIMEDOUT' })
        if (handover.stage !== 'waiting') return uncertain(host, silence)
        handover.stage = 'given_up'
        return silence
      })
      return { refused: refusedOf(answer, envelope.to) }
    },
    async check() {
      await transport.verify()
    },
    async close() {
      // Callers that close have already waited for their results: only abandoned deliveries are left.
      transport.close({ force: true })
    },
  }
}

function bytesOf({ attachments = [] }: Mail): number {
  return attachments.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function uncertain(host: string, cause: Error): MailUncertain {
  return new MailUncertain(`${host} did not confirm that it accepted the email: ${cause.message}`, { cause })
}

async function within<Result>(ms: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
