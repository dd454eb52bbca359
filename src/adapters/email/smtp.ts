import { createTransport, type NodemailerError, type PluginFunction, type SendMailOptions } from 'nodemailer'
import { MailUncertain, type Mail, type Mailer } from '#platform/ports/mail.ts'
import { messageOf } from './message.ts'

const CONNECTIONS_MAX = 5
const MAILS_PER_CONNECTION_MAX = 100
const CONNECT_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 60_000
/** A server that trickles its answers is never silent: this bounds the whole. */
const SEND_TIMEOUT_MS = 90_000

export type SmtpLimits = { silenceMs?: number; sendMs?: number }

/** A mail server. A password never leaves in the clear, unless the server is on this machine. */
export function openSmtp({ url, from }: { url: string; from: string }, limits: SmtpLimits = {}): Mailer {
  const { silenceMs = SILENCE_TIMEOUT_MS, sendMs = SEND_TIMEOUT_MS } = limits
  const { hostname, username } = new URL(url)
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    maxMessages: MAILS_PER_CONNECTION_MAX,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: silenceMs,
    idleTimeout: IDLE_TIMEOUT_MS,
    requireTLS: username !== '' && !LOOPBACK.includes(hostname),
  })
  transport.use('stream', watchHandover)
  return {
    kind: 'smtp',
    async send(mail: Mail) {
      const tracked: Tracked = { ...messageOf(mail, from), handover: { done: false } }
      const sent = transport.sendMail(tracked).catch((error: NodemailerError) => {
        throw mayHaveArrived(tracked, error) ? uncertain(hostname, error) : error
      })
      await within(sendMs, sent, () => uncertain(hostname, new Error(`No answer within ${sendMs} ms`)))
    },
    async check() {
      await transport.verify()
    },
    async close() {
      // Whoever closes has waited for what it wants: what is left are deliveries that were given up on.
      transport.close({ force: true })
    },
  }
}

const REFUSAL_CODE_MIN = 400
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

type Tracked = SendMailOptions & { handover: { done: boolean } }

// A broken connection has the same code before and after the mail left. What tells them apart is whether the last byte
// was taken from us: the dot that ends a mail follows it, and without that dot a server has nothing to accept.
const watchHandover: PluginFunction = ({ data, message }, done) => {
  const { handover } = data as Tracked
  message.processFunc(bytes => bytes.once('end', () => (handover.done = true)))
  done()
}

/** Only the server's own no settles it once the mail has left; every other end leaves it open. */
function mayHaveArrived({ handover }: Tracked, { responseCode = 0 }: NodemailerError): boolean {
  return handover.done && !(responseCode >= REFUSAL_CODE_MIN)
}

function uncertain(host: string, cause: Error): MailUncertain {
  return new MailUncertain(`${host} did not say whether it took the mail: ${cause.message}`, { cause })
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
