import { createTransport, type NodemailerError } from 'nodemailer'
import { MailUncertain, type Mailer } from '#platform/ports/mail.ts'
import { mayHaveArrived, watchHandover, type Tracked } from './handover.ts'
import { messageOf, senderOf } from './message.ts'
import { refusalOf } from './refusal.ts'
import { sendWritten, type Transport, type Written } from './written.ts'

/** Unless the address says otherwise: `?maxConnections=3`. */
const CONNECTIONS = 10
const MAILS_PER_CONNECTION_MAX = 1_000
const CONNECT_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 60_000
/** A server that trickles its answers is never silent: this bounds the whole. */
const SEND_TIMEOUT_MS = 90_000

/** What is signed: the usual, and both lines about unsubscribing, without which one click does not count (RFC 8058). */
const SIGNED_HEADERS = [
  'From',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'In-Reply-To',
  'References',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':')

export type Dkim = { domain: string; selector: string; privateKey: string }

export type SmtpOptions = { url: string; from: string; dkim?: Dkim | undefined }
export type SmtpLimits = { silenceMs?: number; sendMs?: number }

/** A mail server. A password never leaves in the clear, unless the server is on this machine. */
export function openSmtp({ url, from, dkim }: SmtpOptions, limits: SmtpLimits = {}): Mailer {
  const { silenceMs = SILENCE_TIMEOUT_MS, sendMs = SEND_TIMEOUT_MS } = limits
  const { hostname, username, searchParams } = new URL(url)
  const sender = senderOf(from)
  const lanes = Number(searchParams.get('maxConnections') ?? CONNECTIONS)
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: lanes,
    maxMessages: MAILS_PER_CONNECTION_MAX,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: silenceMs,
    idleTimeout: IDLE_TIMEOUT_MS,
    requireTLS: username !== '' && !LOOPBACK.includes(hostname),
    ...(dkim && { dkim: signing(dkim) }),
  })
  transport.use('stream', watchHandover)
  const pool = transport.transporter as unknown as Transport
  // What is signed is signed by the composer.
  const isWritten = (mail: Tracked): mail is Written => mail.raw !== undefined && !dkim
  return {
    kind: 'smtp',
    lanes,
    async send(mail, { mayGo = () => true } = {}) {
      const tracked: Tracked = { ...messageOf(mail, sender), handover: { stage: 'waiting', mayGo } }
      const { handover } = tracked
      const sending = isWritten(tracked) ? sendWritten(pool, tracked) : transport.sendMail(tracked)
      const sent = (sending as Promise<unknown>).catch((error: NodemailerError) => {
        throw mayHaveArrived(handover, error) ? uncertain(hostname, error) : (refusalOf(error) ?? error)
      })
      await within(sendMs, sent, () => {
        const silence = new Error(`No response within ${sendMs} ms`)
        if (handover.stage !== 'waiting') return uncertain(hostname, silence)
        handover.stage = 'given_up'
        return silence
      })
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

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

function signing({ domain, selector, privateKey }: Dkim) {
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED_HEADERS }
}

function uncertain(host: string, cause: Error): MailUncertain {
  return new MailUncertain(`${host} did not confirm that it accepted the email: ${cause.message}`, { cause })
}

async function within(ms: number, work: Promise<unknown>, late: () => Error): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  try {
    await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
