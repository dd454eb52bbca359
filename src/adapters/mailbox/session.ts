import type { LookupFunction } from 'node:net'
import { ImapFlow, type ImapFlowOptions } from 'imapflow'
import {
  MailboxRefused,
  MailboxUnavailable,
  type MailLogin,
  type MailServer,
} from '#platform/ports/mailbox.ts'
import { ANSWER_BYTES_MAX } from './fetch.ts'

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000
/** The whole of one visit, also of a mail with large files: a server that trickles its answers is never silent. */
const VISIT_TIMEOUT_MS = 240_000
const LINE_BYTES_MAX = 2 * 1024 * 1024

/** `lookup`: how the host is found, where not every address will do. */
export type Account = MailServer & {
  lookup?: LookupFunction | undefined
  username: string
  secret: MailLogin['secret']
  /** Opened to be read; without one, whoever visits opens what it needs. */
  folder?: string
}

export type MailboxLimits = { silenceMs?: number; readMs?: number }

/**
 * A connection for one piece of work, closed after it. What fails is `MailboxRefused` or `MailboxUnavailable`; the message
 * continues a sentence: `it rejected the user name or password`. `tracker` has the connections that are open.
 */
export async function visit<Result>(
  account: Account,
  limits: MailboxLimits,
  work: (client: ImapFlow) => Promise<Result>,
  tracker?: Set<ImapFlow>,
): Promise<Result> {
  const client = newClient(account, limits)
  tracker?.add(client)
  const { readMs = VISIT_TIMEOUT_MS } = limits
  let late = false
  const timer = setTimeout(() => {
    late = true
    client.close()
  }, readMs)
  try {
    await client.connect()
    if (account.folder !== undefined) await client.mailboxOpen(account.folder, { readOnly: true })
    const result = await work(client)
    // What was read is read, also from a server that does not say goodbye.
    await client.logout().catch(() => {})
    return result
  } catch (error) {
    // The cause stays here: it can carry the command that failed.
    // oxlint-disable-next-line preserve-caught-error
    throw late
      ? new MailboxUnavailable(`no response within ${readMs / 1_000} seconds`)
      : failureOf(error, account)
  } finally {
    clearTimeout(timer)
    tracker?.delete(client)
    client.close()
  }
}

/** Not yet connected. It does not wait for news on its own. */
export function newClient(account: Account, limits: MailboxLimits): ImapFlow {
  const { host, port, security, lookup, username, secret } = account
  const { silenceMs = SILENCE_TIMEOUT_MS } = limits
  const client = new ImapFlow({
    host,
    port,
    ...(lookup && { tls: { lookup } as ImapFlowOptions['tls'] }),
    secure: security === 'tls',
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    auth:
      secret.kind === 'password'
        ? { user: username, pass: secret.password }
        : { user: username, accessToken: secret.token },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, silenceMs),
    greetingTimeout: Math.min(CONNECT_TIMEOUT_MS, silenceMs),
    socketTimeout: silenceMs,
    maxLiteralSize: ANSWER_BYTES_MAX,
    maxLineLength: LINE_BYTES_MAX,
    maxResponseSize: ANSWER_BYTES_MAX + LINE_BYTES_MAX,
  })
  // The call under way carries the error; without a listener it would end the process as well.
  client.on('error', () => {})
  return client
}

/** The library's own errors can carry the command that failed, and with it a password: only words are taken. */
export function failureOf(error: unknown, { secret }: Pick<Account, 'secret'>): Error {
  if (error instanceof MailboxRefused || error instanceof MailboxUnavailable) return error
  const { authenticationFailed, serverResponseCode, responseText, code, message } = error as Error & {
    authenticationFailed?: boolean
    serverResponseCode?: string
    responseText?: string
    code?: string
  }
  if (authenticationFailed && !PASSING_CODES.includes(serverResponseCode?.toUpperCase() ?? ''))
    return new MailboxRefused(
      secret.kind === 'password' ? 'it rejected the user name or password' : 'it rejected the access token',
    )
  const said = responseText || message || code || String(error)
  return new MailboxUnavailable(
    said.replaceAll(secret.kind === 'password' ? secret.password : secret.token, '…'),
  )
}

/** With these a server lets nobody in for now, whatever the password (RFC 5530). */
const PASSING_CODES = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'CONTACTADMIN']
