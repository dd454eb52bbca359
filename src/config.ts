import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import type { Settings } from '#platform/settings.ts'

const SESSION_SECRET_BYTES_MIN = 32
const CRON_SECRET_LENGTH_MIN = 16

export type Config = Settings & {
  host: string
  port: number
  /** Unset: the embedded server below `dataDir`. */
  databaseUrl: string | undefined
  databasePoolSize: number
  dataDir: string
  scheduler: boolean
  logLevel: string
  signin: SigninConfig
  /** Unset: mails are written into the outbox below `dataDir`. */
  smtpUrl: string | undefined
  emailFrom: string
  /** Whose `X-Forwarded-For` is believed: nobody's, or these addresses and networks. */
  trustedProxies: readonly string[]
}

type Credentials = { clientId: string; clientSecret: string; issuer: string }

/** The sign-in providers that are configured. */
export type SigninConfig = {
  google?: Credentials
  github?: Credentials
  entra?: Credentials & { tenant: string }
}

/** Everything that can be configured, in the order of the documents. `.env.example` and the README table follow it. */
export const variables = [
  { name: 'HOST', default: '127.0.0.1', meaning: 'listen address' },
  { name: 'PORT', default: '3000', meaning: 'listen port' },
  { name: 'BASE_URL', default: 'http://HOST:PORT', meaning: 'public address; https in production' },
  { name: 'DATABASE_URL', default: 'unset: embedded', meaning: 'an external PostgreSQL, 15 or later' },
  { name: 'DATABASE_POOL_SIZE', default: '20', meaning: 'connections of one process' },
  { name: 'DATA_DIR', default: '.data', meaning: 'embedded database, generated secrets, outbox of mails' },
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
  ...providerVariables('GOOGLE', 'https://accounts.google.com'),
  ...providerVariables('GITHUB', 'https://github.com'),
  ...providerVariables('ENTRA', "the tenant's"),
  { name: 'ENTRA_TENANT', default: 'unset', meaning: 'the directory (tenant) id, like 1b9e…-…' },
  { name: 'SMTP_URL', default: 'unset: dev outbox', meaning: 'mail server, like smtps://user:password@host' },
  { name: 'EMAIL_FROM', default: 'Rapport <rapport@localhost>', meaning: 'sender of mails' },
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

/** A bad value: one line that names the variable and the mend. */
export class ConfigError extends Error {}

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
    scheduler: onOff('SCHEDULER', get('SCHEDULER') ?? 'on'),
    rateLimit: onOff('RATE_LIMIT', get('RATE_LIMIT') ?? 'on'),
    signin: signin(get),
    smtpUrl: smtpUrl(get('SMTP_URL')),
    emailFrom: emailFrom(get('EMAIL_FROM'), get('SMTP_URL')),
    oauthRegistration: onOff('OAUTH_REGISTRATION', get('OAUTH_REGISTRATION') ?? 'off'),
    outboundAllowHosts: words(get('OUTBOUND_ALLOW_HOSTS')).map(host => host.toLowerCase()),
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

type SecretName = 'SESSION_SECRET' | 'CRON_SECRET'

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
      this.values[name] = randomBytes(SESSION_SECRET_BYTES_MIN).toString('hex')
      // By way of a draft: a crash in the middle must not leave half a file and no way in.
      const draft = `${this.path}.${process.pid}`
      writeFileSync(draft, JSON.stringify(this.values, null, 2) + '\n', { mode: 0o600 })
      renameSync(draft, this.path)
    }
    return this.values[name]!
  }
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

type Get = (name: string) => string | undefined

function signin(get: Get): SigninConfig {
  const google = credentials(get, 'GOOGLE', 'https://accounts.google.com')
  const github = credentials(get, 'GITHUB', 'https://github.com')
  const tenant = get('ENTRA_TENANT')
  const entra = credentials(get, 'ENTRA', `https://login.microsoftonline.com/${tenant}/v2.0`)
  if (entra && !(tenant && TENANT_PATTERN.test(tenant))) {
    throw new ConfigError(
      'ENTRA_TENANT must be the id of your own directory, like 1b9e0c3a-…: sign-in from every directory would let strangers in.',
    )
  }
  return {
    ...(google && { google }),
    ...(github && { github }),
    ...(entra && tenant && { entra: { ...entra, tenant: tenant.toLowerCase() } }),
  }
}

const TENANT_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function credentials(get: Get, name: string, issuer: string): Credentials | undefined {
  const [clientId, clientSecret] = [get(`${name}_CLIENT_ID`), get(`${name}_CLIENT_SECRET`)]
  const other = get(`${name}_ISSUER`)
  if (!clientId && !clientSecret) return undefined
  if (!clientId) throw new ConfigError(`${name}_CLIENT_ID is not set, although ${name}_CLIENT_SECRET is.`)
  if (!clientSecret) throw new ConfigError(`${name}_CLIENT_SECRET is not set, although ${name}_CLIENT_ID is.`)
  return { clientId, clientSecret, issuer: issuerUrl(`${name}_ISSUER`, other ?? issuer) }
}

function issuerUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const local = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && local))) return text
  throw new ConfigError(`${name} must be an https address (http only on this machine): ${text}`)
}

function smtpUrl(text: string | undefined): string | undefined {
  if (text === undefined || (/^smtps?:\/\//.test(text) && URL.canParse(text))) return text
  throw new ConfigError('SMTP_URL must be like smtps://user:password@mail.example.com:465')
}

function emailFrom(text: string | undefined, smtp: string | undefined): string {
  if (!text && smtp) throw new ConfigError('EMAIL_FROM is not set. With SMTP_URL, say who mails are from.')
  const from = text ?? 'Rapport <rapport@localhost>'
  if (/^(?:[^<>@,;:"\\\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(from)) return from
  throw new ConfigError(`EMAIL_FROM must be one address, like Rapport <crm@example.com>, not ${from}`)
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
