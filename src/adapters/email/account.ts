import { connect, type Socket } from 'node:net'
import type { NodemailerError, SMTPPoolOptions } from 'nodemailer'
import { HeldBack, MailRefused, MailUncertain } from '#platform/ports/mail.ts'
import { MailboxRefused, MailboxUnavailable, type MailLogin } from '#platform/ports/mailbox.ts'
import { guardedLookup, OutboundError, type Outside } from '#platform/safe-fetch.ts'
import { openTransport, type SmtpLimits, type Transport } from './transport.ts'

/** More at once Microsoft 365 does not take from one mailbox. */
export const ACCOUNT_LANES = 3
const CONNECT_TIMEOUT_MS = 10_000

export type SmtpLogin = Pick<MailLogin, 'username' | 'secret' | 'smtp'>
export type AccountLimits = SmtpLimits & { idleMs?: number }

/**
 * The mail server of somebody's mailbox, which they chose: only public addresses are reached, and without TLS only hosts
 * that the operator allows. What fails because of the login or the server is `MailboxRefused` or `MailboxUnavailable`.
 */
export function openAccount(outside: Outside, login: SmtpLogin, limits: AccountLimits = {}): Transport {
  const { host, port, security } = login.smtp
  const transport = openTransport(
    host,
    {
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      auth: authOf(login),
      // A server that asks for no login is not the one of a mailbox.
      forceAuth: true,
      maxConnections: ACCOUNT_LANES,
      ...(limits.idleMs !== undefined && { idleTimeout: limits.idleMs }),
      getSocket: (_options, done) => void giveSocket(outside, login, done),
    },
    limits,
  )
  const named = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      throw failureOf(error as Error, login)
    }
  }
  return {
    send: (mail, sender, handover) => named(transport.send(mail, sender, handover)),
    check: () => named(transport.check()),
    close: () => transport.close(),
  }
}

function authOf({ username: user, secret }: SmtpLogin): SMTPPoolOptions['auth'] {
  if (secret.kind === 'password') return { user, pass: secret.password }
  return { type: 'OAuth2', user, accessToken: secret.token }
}

type Taker = Parameters<NonNullable<SMTPPoolOptions['getSocket']>>[1]

async function giveSocket(outside: Outside, login: SmtpLogin, take: Taker): Promise<void> {
  const connection = await reach(outside, login).catch((error: Error) => error)
  if (connection instanceof Error) take(connection, false)
  else take(null, { connection })
}

/** The library looks hosts up itself, and would connect to whatever they are: it gets a connection that is there. */
async function reach(outside: Outside, { smtp: { host, port, security } }: SmtpLogin): Promise<Socket> {
  const lookup = guardedLookup(outside, host)
  if (security === 'none' && lookup) throw new OutboundError('failed', 'TLS is required.')
  const socket = connect({ host, port, ...(lookup && { lookup }) })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('Connection timeout')), CONNECT_TIMEOUT_MS)
  socket.once('connect', resolve).once('error', reject)
  try {
    await promise
    return socket
  } catch (error) {
    socket.destroy()
    throw Object.assign(error as Error, { command: 'CONN' })
  } finally {
    clearTimeout(timer)
    socket.off('error', reject)
  }
}

function failureOf(error: Error & Partial<NodemailerError>, login: SmtpLogin): Error {
  if ([HeldBack, MailRefused, MailUncertain].some(known => error instanceof known)) return error
  const { code = '', command = '', responseCode = 0, response = '' } = error
  const options = { server: 'smtp' as const }
  const name = `The SMTP server ${login.smtp.host}`
  if (code === 'EAUTH' && (responseCode === 0 || responseCode >= 500)) {
    const what = login.secret.kind === 'password' ? 'user name or password' : 'access token'
    const said = response === '' ? '' : `: ${withoutSecret(response, login)}`
    return new MailboxRefused(`${name} rejected the ${what}${said}`, options)
  }
  if (command === 'CONN' || CONNECTION_CODES.includes(code) || error instanceof OutboundError)
    return new MailboxUnavailable(`${name} cannot be used: ${withoutSecret(reasonOf(error), login)}`, options)
  return error
}

/** Before there is a mail, or beside it; what is said about the mail itself has EENVELOPE and EMESSAGE. */
const CONNECTION_CODES = [
  'EAUTH',
  'ECONNECTION',
  'EDNS',
  'ENOAUTH',
  'EPROTOCOL',
  'EREQUIRETLS',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
]

function reasonOf({ code, message }: Error & { code?: string | undefined }): string {
  if (code === 'ENOTFOUND') return 'host not found'
  // Where each of several addresses failed, only the code says how.
  return message || code || 'the connection failed'
}

/** A server may repeat what it was sent. */
function withoutSecret(text: string, { username, secret }: SmtpLogin): string {
  const plain = secret.kind === 'password' ? secret.password : secret.token
  const sent = [plain, `\0${username}\0${plain}`, `user=${username}\x01auth=Bearer ${plain}\x01\x01`]
  const forms = [plain, ...sent.map(form => Buffer.from(form).toString('base64'))]
  return forms.reduce((left, form) => left.replaceAll(form, '…'), text)
}
