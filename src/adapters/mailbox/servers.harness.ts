import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { SMTPServerAuthentication, SMTPServerOptions } from 'smtp-server'
import { openAccounts, type AccountsLimits } from '#adapters/email/accounts.ts'
import { closeLater, startServer } from '#adapters/email/email.harness.ts'
import type { MailLogin, MailServer } from '#platform/ports/mailbox.ts'
import { IMAP_PASSWORD, IMAP_USER } from '#test/imap-server.ts'
import { openMailboxServers, type ServerLimits } from './servers.ts'

export const ALLOWED = { outboundAllowHosts: ['127.0.0.1', 'localhost', '127.1'] }
export const SENDER = { name: 'Grace Hopper', address: IMAP_USER }

const read = (name: string) =>
  readFileSync(new URL(`../../../test/support/certificate/${name}`, import.meta.url), 'utf8')

/** Only this test process trusts it, and only for localhost. */
export function trustCertificate(): void {
  setDefaultCACertificates([...getCACertificates('default'), read('certificate.pem')])
}

export function openServers(
  limits?: ServerLimits & AccountsLimits,
  outside: { outboundAllowHosts: string[] } = ALLOWED,
) {
  const servers = openMailboxServers(outside, openAccounts(outside, limits), limits)
  closeLater(() => servers.close())
  return servers
}

export function loginAt(imap: number | MailServer, smtp: number | MailServer): MailLogin {
  const server = (at: number | MailServer): MailServer =>
    typeof at === 'number' ? { host: '127.0.0.1', port: at, security: 'none' } : at
  return {
    address: IMAP_USER,
    username: IMAP_USER,
    secret: { kind: 'password', password: IMAP_PASSWORD },
    imap: server(imap),
    smtp: server(smtp),
  }
}

export function portOf(url: string): number {
  return Number(new URL(url).port)
}

/** A mail server that lets in with the password of the mailbox, or with tokens that `isGood`. */
export async function startSmtp(
  options: SMTPServerOptions = {},
  isGood: (token: string) => Promise<boolean> | boolean = () => false,
) {
  const signedIn: SMTPServerAuthentication[] = []
  let connections = 0
  const server = await startServer({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    key: read('key.pem'),
    cert: read('certificate.pem'),
    onConnect(_session, done) {
      connections++
      done()
    },
    async onAuth(auth, _session, done) {
      const { method, username, password, accessToken = '' } = auth
      const isOwner = username === IMAP_USER && password === IMAP_PASSWORD
      if (!(method === 'XOAUTH2' ? await isGood(accessToken) : isOwner))
        return done(Object.assign(new Error('5.7.8 Not welcome'), { responseCode: 535 }))
      signedIn.push(auth)
      done(null, { user: username ?? '' })
    },
    ...options,
  })
  return { ...server, port: portOf(server.url), signedIn, connections: () => connections }
}
