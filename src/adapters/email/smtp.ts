import { openTransport, type SmtpLimits } from './transport.ts'
import { senderOf } from './message.ts'
import type { Mailer } from '#platform/ports/mail.ts'

/** Unless the address says otherwise: `?maxConnections=3`. */
const CONNECTIONS = 10
const IDLE_TIMEOUT_MS = 60_000

/** What is signed: the usual, and both lines about unsubscribing, without which one click does not count (RFC 8058). */
const SIGNED_HEADERS = [
  'From',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'Cc',
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

/** A mail server. A password never leaves in the clear, unless the server is on this machine. */
export function openSmtp({ url, from, dkim }: SmtpOptions, limits: SmtpLimits = {}): Mailer {
  const { hostname, username, searchParams } = new URL(url)
  const sender = senderOf(from)
  const lanes = Number(searchParams.get('maxConnections') ?? CONNECTIONS)
  const transport = openTransport(
    hostname,
    {
      url,
      maxConnections: lanes,
      idleTimeout: IDLE_TIMEOUT_MS,
      requireTLS: username !== '' && !LOOPBACK.includes(hostname),
      ...(dkim && { dkim: signing(dkim) }),
    },
    limits,
  )
  return {
    kind: 'smtp',
    lanes,
    send: (mail, handover) => transport.send(mail, sender, handover),
    check: () => transport.check(),
    close: () => transport.close(),
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

function signing({ domain, selector, privateKey }: Dkim) {
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED_HEADERS }
}
