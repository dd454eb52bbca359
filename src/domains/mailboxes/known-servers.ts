import { resolveMx, resolveSrv } from 'node:dns/promises'
import type { Context } from '#platform/context.ts'
import type { MailServers } from './contract.ts'
import { providerOf } from './login.ts'
import type { MailServer } from '#platform/ports/mailbox.ts'
import type { MailboxKind } from './values.ts'

const LOOK_UP_MS = 3_000

type Known = { imap: MailServer; smtp: MailServer; help?: string }

/** How to reach the mailbox of an address: from what is known of its provider, else from what its domain publishes. */
export async function findServers(ctx: Context, address: string | undefined): Promise<MailServers> {
  if (address === undefined) return UNKNOWN
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const kind = kinds.get(domain) ?? (await kindByMx(domain))
  const known = (kind && byKind[kind]) ?? byDomain.get(domain) ?? (await published(domain))
  const can_connect = kind !== undefined && providerOf(ctx, kind) !== undefined
  return {
    kind: kind ?? 'imap',
    can_connect,
    imap: known?.imap ?? null,
    smtp: known?.smtp ?? null,
    help: can_connect ? null : (known?.help ?? null),
  }
}

/** Where everybody can have an address: its DNS is the provider's. */
export function isPublicDomain(domain: string): boolean {
  return kinds.has(domain) || byDomain.has(domain)
}

const UNKNOWN: MailServers = { kind: 'imap', can_connect: false, imap: null, smtp: null, help: null }

type OAuthKind = Exclude<MailboxKind, 'imap'>

const GOOGLE = ['gmail.com', 'googlemail.com']
const MICROSOFT = ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'outlook.de', 'hotmail.de', 'live.de']
const kinds = new Map<string, OAuthKind>([
  ...GOOGLE.map(domain => [domain, 'google'] as const),
  ...MICROSOFT.map(domain => [domain, 'microsoft'] as const),
])

/** Companies have their own domain there. */
async function kindByMx(domain: string): Promise<OAuthKind | undefined> {
  const [first] = await inTime(resolveMx(domain))
  const host = first?.exchange.toLowerCase() ?? ''
  if (/(?:^|\.)(?:google|googlemail)\.com$/.test(host)) return 'google'
  return host.endsWith('.mail.protection.outlook.com') ? 'microsoft' : undefined
}

/** RFC 6186. */
async function published(domain: string): Promise<Known | undefined> {
  const [imaps, submissions, submission] = await Promise.all([
    inTime(resolveSrv(`_imaps._tcp.${domain}`)),
    inTime(resolveSrv(`_submissions._tcp.${domain}`)),
    inTime(resolveSrv(`_submission._tcp.${domain}`)),
  ])
  const [imap] = imaps
  const [smtp] = submissions
  const [starttls] = submission
  if (!imap?.name || !(smtp?.name || starttls?.name)) return undefined
  return {
    imap: { host: imap.name, port: imap.port, security: 'tls' },
    smtp: smtp?.name
      ? { host: smtp.name, port: smtp.port, security: 'tls' }
      : { host: starttls!.name, port: starttls!.port, security: 'starttls' },
  }
}

/** A domain that does not answer is one of which nothing is known. */
async function inTime<Found>(looking: Promise<Found[]>): Promise<Found[]> {
  const { promise: late, resolve } = Promise.withResolvers<Found[]>()
  const timer = setTimeout(() => resolve([]), LOOK_UP_MS)
  try {
    return await Promise.race([looking, late])
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}

function servers(imap: string, smtp: string, smtpPort: 465 | 587 = 465): Known {
  return {
    imap: { host: imap, port: 993, security: 'tls' },
    smtp: { host: smtp, port: smtpPort, security: smtpPort === 465 ? 'tls' : 'starttls' },
  }
}

const APP_PASSWORD = 'needs an app password, which you create in the security settings of your account there.'
const byKind: Record<OAuthKind, Known> = {
  google: { ...servers('imap.gmail.com', 'smtp.gmail.com'), help: `Google ${APP_PASSWORD}` },
  microsoft: {
    ...servers('outlook.office365.com', 'smtp.office365.com', 587),
    help: 'Microsoft 365 takes no passwords here. Your administrator has to set up the connection first.',
  },
}

const byDomain = new Map<string, Known>([
  ...['icloud.com', 'me.com', 'mac.com'].map(
    domain =>
      [
        domain,
        { ...servers('imap.mail.me.com', 'smtp.mail.me.com', 587), help: `iCloud ${APP_PASSWORD}` },
      ] as const,
  ),
  ...['yahoo.com', 'yahoo.de', 'yahoo.fr', 'yahoo.co.uk'].map(
    domain =>
      [
        domain,
        { ...servers('imap.mail.yahoo.com', 'smtp.mail.yahoo.com'), help: `Yahoo ${APP_PASSWORD}` },
      ] as const,
  ),
  ...['fastmail.com', 'fastmail.fm'].map(
    domain =>
      [
        domain,
        { ...servers('imap.fastmail.com', 'smtp.fastmail.com'), help: `Fastmail ${APP_PASSWORD}` },
      ] as const,
  ),
  [
    'gmx.de',
    { ...servers('imap.gmx.net', 'mail.gmx.net'), help: 'Allow IMAP in the settings of GMX first.' },
  ],
  [
    'gmx.net',
    { ...servers('imap.gmx.net', 'mail.gmx.net'), help: 'Allow IMAP in the settings of GMX first.' },
  ],
  [
    'web.de',
    { ...servers('imap.web.de', 'smtp.web.de'), help: 'Allow IMAP in the settings of WEB.DE first.' },
  ],
  ['posteo.de', servers('posteo.de', 'posteo.de')],
  ['mailbox.org', servers('imap.mailbox.org', 'smtp.mailbox.org')],
  [
    'zoho.com',
    { ...servers('imap.zoho.com', 'smtp.zoho.com'), help: 'Allow IMAP in the settings of Zoho first.' },
  ],
])
