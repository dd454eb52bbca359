import { randomBytes, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { ConfigError } from '#platform/config-error.ts'
import {
  CHAIN_CONFIRMATIONS,
  CHAIN_CURRENCY,
  CHAIN_DECIMALS,
  OPENAI_MODEL,
  OPENAI_URL,
  readProviders,
  RESEND_URL,
  SIMULATOR_PACE_MS,
  TWILIO_URL,
  type ProviderSettings,
} from '#platform/provider-settings.ts'
import type { Settings } from '#platform/settings.ts'
import { signingKey, type SignedEndpoint } from '#platform/signature.ts'

const SESSION_SECRET_BYTES_MIN = 32
const CRON_SECRET_LENGTH_MIN = 16
const CREDITS_MONTHLY_MAX = 1_000_000_000
const TRIAL_DAYS_MAX = 3_650

export { ConfigError }

export type Config = Settings &
  ProviderSettings & {
    host: string
    port: number
    /** Unset: the embedded server below `dataDir`. */
    databaseUrl: string | undefined
    databasePoolSize: number
    dataDir: string
    scheduler: boolean
    logLevel: string
    /** Whose `X-Forwarded-For` is believed: nobody's, or these addresses and networks. */
    trustedProxies: readonly string[]
  }

/** Everything that can be configured, in the order of the documents. `.env.example` and the README table follow it. */
export const variables = [
  { name: 'HOST', default: '127.0.0.1', meaning: 'listen address' },
  { name: 'PORT', default: '3000', meaning: 'listen port' },
  { name: 'BASE_URL', default: 'http://HOST:PORT', meaning: 'public address; https in production' },
  { name: 'DATABASE_URL', default: 'unset: embedded', meaning: 'an external PostgreSQL, 15 or later' },
  { name: 'DATABASE_POOL_SIZE', default: '20', meaning: 'connections of one process' },
  { name: 'DATA_DIR', default: '.data', meaning: 'embedded database, generated secrets, outbox of messages' },
  { name: 'NODE_ENV', default: 'development', meaning: 'production demands every secret and https' },
  {
    name: 'SESSION_SECRET',
    default: 'generated in development',
    meaning: 'at least 32 random bytes, hex or base64',
  },
  { name: 'SESSION_SECRET_PREVIOUS', default: 'unset', meaning: 'the secret before, while rotating' },
  {
    name: 'CRON_SECRET',
    default: 'generated in development',
    meaning: 'bearer for the job routes, 16 characters or more',
  },
  {
    name: 'SCHEDULER',
    default: 'on',
    meaning: 'built-in scheduler; off when an outside cron calls the routes',
  },
  ...(['PAYMENT', 'VOICE', 'EMAIL', 'REALTIME'] as const).map(
    name =>
      ({
        name: `${name}_WEBHOOK_SECRET`,
        default: 'generated in development',
        meaning: 'what this provider signs with, whsec_… or other text; several while rotating',
      }) as const,
  ),
  {
    name: 'REALTIME_WEBHOOK_SECRET_2',
    default: 'unset',
    meaning: 'a second secret of the realtime provider',
  },
  ...providerVariables('GOOGLE', 'https://accounts.google.com'),
  ...providerVariables('GITHUB', 'https://github.com'),
  ...providerVariables('ENTRA', "the tenant's"),
  { name: 'ENTRA_TENANT', default: 'unset', meaning: 'the directory (tenant) id, like 1b9e…-…' },
  {
    name: 'SMTP_URL',
    default: 'unset: dev outbox',
    meaning: 'mail server, like smtps://user:password@host, ?maxConnections=10 at its end',
  },
  { name: 'EMAIL_FROM', default: 'Rapport <rapport@localhost>', meaning: 'sender of mails' },
  {
    name: 'DKIM_DOMAIN',
    default: 'unset',
    meaning: 'mails are signed for this domain, unless the server does it',
  },
  { name: 'DKIM_SELECTOR', default: 'unset', meaning: 'the public key stands at SELECTOR._domainkey.DOMAIN' },
  {
    name: 'DKIM_PRIVATE_KEY',
    default: 'unset',
    meaning: 'the RSA key, as PEM with \\n for line ends or like file:/etc/rapport/dkim.pem',
  },
  {
    name: 'IMAP_URL',
    default: 'unset: replies are not read',
    meaning: 'mailbox of replies and bounces, like imaps://user:password@host/INBOX',
  },
  { name: 'RESEND_API_KEY', default: 'unset', meaning: 'reads what became of mails that went by Resend' },
  { name: 'RESEND_BASE_URL', default: RESEND_URL, meaning: 'another address of the same API' },
  {
    name: 'TWILIO_ACCOUNT_SID',
    default: 'unset: dev outbox',
    meaning: 'account that sends text messages and makes calls',
  },
  { name: 'TWILIO_AUTH_TOKEN', default: 'unset', meaning: 'the token that belongs to the account' },
  {
    name: 'TWILIO_FROM',
    default: 'unset',
    meaning: 'number, name or messaging service (MG…) they come from; calls need a number',
  },
  { name: 'TWILIO_BASE_URL', default: TWILIO_URL, meaning: 'another address of the same API' },
  {
    name: 'OPENAI_API_KEY',
    default: 'unset: rule-based writer, calls are played',
    meaning: 'key of an OpenAI-compatible model that writes, and of the one that speaks in calls',
  },
  { name: 'OPENAI_BASE_URL', default: OPENAI_URL, meaning: 'another service that speaks the same' },
  { name: 'OPENAI_MODEL', default: OPENAI_MODEL, meaning: 'which of its models writes' },
  {
    name: 'OPENAI_SIP_URI',
    default: 'unset: agents call nobody',
    meaning: 'where its model listens to calls, like sip:proj_…@sip.api.openai.com;transport=tls',
  },
  {
    name: 'SIMULATOR_PACE_MS',
    default: String(SIMULATOR_PACE_MS),
    meaning: 'milliseconds from one line to the next where calls are only played',
  },
  {
    name: 'BANK_URL',
    default: 'unset: a ledger file below DATA_DIR',
    meaning: "the bank's API, told of paid invoices by POST BANK_URL/invoices",
  },
  { name: 'BANK_TOKEN', default: 'unset', meaning: 'the bearer token that belongs to it' },
  {
    name: 'CREDITS_MONTHLY',
    default: '100',
    meaning: 'credits a team gets each month, unless it has its own number',
  },
  {
    name: 'TRIAL_DAYS',
    default: 'unset: no trials',
    meaning: 'how long a new team may try everything; afterwards it can only be read',
  },
  {
    name: 'CHAIN_RPC_URL',
    default: 'unset: nothing is paid on a chain',
    meaning: 'nodes of the chain where payments settle; the others, after a space, when the first is away',
  },
  { name: 'CHAIN_NETWORK', default: 'unset', meaning: 'which chain it is (CAIP-2), like eip155:8453' },
  {
    name: 'CHAIN_TOKEN',
    default: 'unset',
    meaning: 'the stablecoin: its 0x address, or CAIP-19 like eip155:8453/erc20:0x…',
  },
  { name: 'CHAIN_RECIPIENT', default: 'unset', meaning: 'the wallet that is paid' },
  { name: 'CHAIN_DECIMALS', default: String(CHAIN_DECIMALS), meaning: "the token's own decimals" },
  {
    name: 'CHAIN_CONFIRMATIONS',
    default: String(CHAIN_CONFIRMATIONS),
    meaning: 'how many blocks deep a payment must lie, its own included',
  },
  { name: 'CHAIN_CURRENCY', default: CHAIN_CURRENCY, meaning: 'the currency that one token stands for' },
  { name: 'OAUTH_REGISTRATION', default: 'off', meaning: 'on lets apps register themselves (RFC 7591)' },
  { name: 'RATE_LIMIT', default: 'on', meaning: 'off for benchmarks' },
  {
    name: 'OUTBOUND_ALLOW_HOSTS',
    default: 'empty',
    meaning: 'space-separated hosts that may be called although their address is private',
  },
  {
    name: 'TRUST_PROXY',
    default: 'off',
    meaning: 'space-separated addresses or networks whose X-Forwarded-For is believed',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'debug, info, warn or error' },
] as const

function providerVariables<const Name extends string>(name: Name, issuer: string) {
  return [
    { name: `${name}_CLIENT_ID`, default: 'unset', meaning: 'turns this sign-in on, with its secret' },
    { name: `${name}_CLIENT_SECRET`, default: 'unset', meaning: 'the secret that belongs to the client id' },
    { name: `${name}_ISSUER`, default: issuer, meaning: 'another issuer, for tests and own servers' },
  ] as const
}

type Env = Record<string, string | undefined>

/** The only reader of the environment. */
export function readConfig(env: Env = process.env): Config {
  const get = (name: string) => env[name]?.trim() || undefined
  const production =
    oneOf('NODE_ENV', get('NODE_ENV') ?? 'development', ['development', 'production', 'test']) ===
    'production'
  const host = get('HOST') ?? '127.0.0.1'
  const port = integer('PORT', get('PORT') ?? '3000', 0, 65_535)
  const dataDir = resolve(get('DATA_DIR') ?? '.data')
  const generated = production ? {} : new GeneratedSecrets(dataDir)
  const outboundAllowHosts = words(get('OUTBOUND_ALLOW_HOSTS')).map(host => host.toLowerCase())
  const secret = (name: SecretName) =>
    get(name) ?? (generated instanceof GeneratedSecrets ? generated.read(name) : missing(name))
  return {
    host,
    port,
    baseUrl: baseUrl(get('BASE_URL') ?? `http://${host}:${port}`, production),
    databaseUrl: databaseUrl(get('DATABASE_URL')),
    databasePoolSize: integer('DATABASE_POOL_SIZE', get('DATABASE_POOL_SIZE') ?? '20', 2, 500),
    dataDir,
    production,
    sessionSecrets: sessionSecrets(secret('SESSION_SECRET'), get('SESSION_SECRET_PREVIOUS')),
    cronSecret: cronSecret(secret('CRON_SECRET')),
    webhookKeys: {
      payment: webhookKeys('PAYMENT_WEBHOOK_SECRET', secret('PAYMENT_WEBHOOK_SECRET')),
      voice: webhookKeys('VOICE_WEBHOOK_SECRET', secret('VOICE_WEBHOOK_SECRET')),
      email: webhookKeys('EMAIL_WEBHOOK_SECRET', secret('EMAIL_WEBHOOK_SECRET')),
      realtime: [
        ...webhookKeys('REALTIME_WEBHOOK_SECRET', secret('REALTIME_WEBHOOK_SECRET')),
        ...webhookKeys('REALTIME_WEBHOOK_SECRET_2', get('REALTIME_WEBHOOK_SECRET_2')),
      ],
    },
    scheduler: onOff('SCHEDULER', get('SCHEDULER') ?? 'on'),
    rateLimit: onOff('RATE_LIMIT', get('RATE_LIMIT') ?? 'on'),
    ...readProviders(get, outboundAllowHosts),
    creditsMonthly: integer('CREDITS_MONTHLY', get('CREDITS_MONTHLY') ?? '100', 0, CREDITS_MONTHLY_MAX),
    trialDays: trialDays(get('TRIAL_DAYS')),
    oauthRegistration: onOff('OAUTH_REGISTRATION', get('OAUTH_REGISTRATION') ?? 'off'),
    outboundAllowHosts,
    trustedProxies: trustedProxies(get('TRUST_PROXY') ?? 'off'),
    logLevel: oneOf('LOG_LEVEL', get('LOG_LEVEL') ?? 'info', [
      'trace',
      'debug',
      'info',
      'warn',
      'error',
      'silent',
    ]),
  }
}

/** What a `.env` beside the command says, where the environment itself says nothing. */
export function loadEnvFile(path = '.env'): void {
  if (existsSync(path)) process.loadEnvFile(path)
}

/** Names that look like ours and are not: most likely a typing mistake. */
export function unknownVariables(env: Env = process.env): string[] {
  const known = new Set<string>(variables.map(variable => variable.name))
  return Object.keys(env).filter(name => name.startsWith('RAPPORT_') && !known.has(name))
}

type SecretName = 'SESSION_SECRET' | 'CRON_SECRET' | `${Uppercase<SignedEndpoint>}_WEBHOOK_SECRET`

/** In development secrets make themselves, once, into a file that only the owner reads. */
class GeneratedSecrets {
  private readonly path: string
  private readonly values: Record<string, string>

  constructor(dataDir: string) {
    this.path = join(dataDir, 'secrets.json')
    try {
      mkdirSync(dataDir, { recursive: true })
    } catch (error) {
      throw new ConfigError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`)
    }
    this.values = readJson(this.path)
  }

  read(name: SecretName): string {
    if (!this.values[name]) {
      this.values[name] = newSecret(name)
      // By way of a draft: a crash in the middle must not leave half a file and no way in.
      const draft = `${this.path}.${process.pid}`
      writeFileSync(draft, JSON.stringify(this.values, null, 2) + '\n', { mode: 0o600 })
      renameSync(draft, this.path)
    }
    return this.values[name]!
  }
}

function newSecret(name: SecretName): string {
  const bytes = randomBytes(SESSION_SECRET_BYTES_MIN)
  return name.endsWith('_WEBHOOK_SECRET') ? `whsec_${bytes.toString('base64')}` : bytes.toString('hex')
}

function readJson(path: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigError(
      `${path} cannot be read: ${(error as Error).message}. Delete it, and new secrets are made.`,
    )
  }
}

function missing(name: SecretName): never {
  throw new ConfigError(
    `${name} is not set. In production set it, for example to the output of: openssl rand -hex 32`,
  )
}

function sessionSecrets(current: string, previous: string | undefined): Buffer[] {
  const secrets = [secretBytes('SESSION_SECRET', current)]
  if (previous) secrets.push(secretBytes('SESSION_SECRET_PREVIOUS', previous))
  return secrets
}

function secretBytes(name: string, text: string): Buffer {
  const bytes = /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length >= SESSION_SECRET_BYTES_MIN) return bytes
  throw new ConfigError(
    `${name} holds ${bytes.length} bytes, at least ${SESSION_SECRET_BYTES_MIN} are needed. Make one with: openssl rand -hex 32`,
  )
}

function cronSecret(text: string): string {
  if (text.length >= CRON_SECRET_LENGTH_MIN) return text
  throw new ConfigError(
    `CRON_SECRET has ${text.length} characters, at least ${CRON_SECRET_LENGTH_MIN} are needed.`,
  )
}

function webhookKeys(name: string, text: string | undefined): KeyObject[] {
  return words(text).map(secret => {
    if (
      !secret.startsWith('whsec_') ||
      (/^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/.test(secret) && secret.length > 6)
    )
      return signingKey(secret)
    throw new ConfigError(`${name}: what follows whsec_ must be base64, as the provider shows it.`)
  })
}

function baseUrl(text: string, production: boolean): string {
  if (!URL.canParse(text))
    throw new ConfigError(`BASE_URL is not an address: ${text}. Write it like https://crm.example.com`)
  const url = new URL(text)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && (production || url.protocol !== 'http:')) {
    throw new ConfigError(
      `BASE_URL must be https in production${local ? ', for example behind a proxy' : ''}: ${text}`,
    )
  }
  if (url.pathname !== '/' || url.search || url.hash)
    throw new ConfigError(`BASE_URL must be an origin without a path: ${text}`)
  return url.origin
}

function databaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || /^postgres(ql)?:\/\//.test(text)) return text
  throw new ConfigError('DATABASE_URL must begin with postgres://. Leave it unset for the embedded database.')
}

function trustedProxies(text: string): string[] {
  if (text === 'off') return []
  const list = words(text)
  const wrong = list.find(entry => !isNetwork(entry))
  if (wrong === undefined) return list
  throw new ConfigError(`TRUST_PROXY must be off, or addresses and networks like 10.0.0.0/8, not ${wrong}.`)
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function trialDays(text: string | undefined): number | undefined {
  return text === undefined ? undefined : integer('TRIAL_DAYS', text, 1, TRIAL_DAYS_MAX)
}

function words(text: string | undefined): string[] {
  return text?.split(/\s+/).filter(Boolean) ?? []
}

function integer(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${text}.`)
}

function onOff(name: string, text: string): boolean {
  return oneOf(name, text, ['on', 'off']) === 'on'
}

function oneOf(name: string, text: string, allowed: string[]): string {
  if (allowed.includes(text)) return text
  throw new ConfigError(`${name} must be ${allowed.join(' or ')}, not ${text}.`)
}
