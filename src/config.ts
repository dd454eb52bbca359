import { randomBytes, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError } from '#platform/config-error.ts'
import { faultOfHosts } from '#platform/database/hosts.ts'
import { readProviders, type ProviderSettings } from '#platform/provider-settings.ts'
import type { Settings } from '#platform/settings.ts'
import { isNetwork } from '#platform/network.ts'
import { readPhoneNumbers } from '#platform/phone-numbers.ts'
import { previousSecret, SESSION_SECRET_BYTES_MIN, sessionSecret } from '#platform/session-secret.ts'
import { signingKey, type SignedEndpoint } from '#platform/signature.ts'
import { variables } from './variables.ts'

const BEARER_SECRET_LENGTH_MIN = 16
/** Longer than any proxy needs to notice, and shorter than what kills a process that does not end. */
const SHUTDOWN_DRAIN_MS_MAX = 300_000
const CREDITS_MONTHLY_MAX = 1_000_000_000
const TRIAL_DAYS_MAX = 3_650

export { ConfigError }

export type Config = Settings &
  ProviderSettings & {
    host: string
    port: number
    /** Unset: the embedded server below `dataDir`. */
    databaseUrl: string | undefined
    databaseLoginUrl: string | undefined
    /** A pooler in transaction mode; migrations, backups and locks of a session go past it. */
    databasePoolerUrl: string | undefined
    databasePoolSize: number
    /** How long requests are still served after SIGTERM, while `/readyz` already says that they should go elsewhere. */
    shutdownDrainMs: number
    dataDir: string
    scheduler: boolean
    logLevel: string
    /** Whose `X-Forwarded-For` is believed: nobody's, or these addresses and networks. */
    trustedProxies: readonly string[]
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
    databaseUrl: databaseUrl('DATABASE_URL', get('DATABASE_URL'), 'the embedded database'),
    databaseLoginUrl: databaseUrl(
      'DATABASE_LOGIN_URL',
      get('DATABASE_LOGIN_URL'),
      'an automatically created login',
    ),
    shutdownDrainMs: integer('SHUTDOWN_DRAIN_MS', get('SHUTDOWN_DRAIN_MS') ?? '0', 0, SHUTDOWN_DRAIN_MS_MAX),
    databasePoolerUrl: databaseUrl('DATABASE_POOLER_URL', get('DATABASE_POOLER_URL'), 'no pooler'),
    databasePoolSize: integer('DATABASE_POOL_SIZE', get('DATABASE_POOL_SIZE') ?? '20', 2, 500),
    dataDir,
    production,
    sessionSecrets: sessionSecrets(secret('SESSION_SECRET'), get('SESSION_SECRET_PREVIOUS')),
    cronSecret: bearerSecret('CRON_SECRET', secret('CRON_SECRET')),
    metricsToken: metricsToken(get('METRICS_TOKEN')),
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
    phoneNumbers: readPhoneNumbers(words(get('PHONE_NUMBERS'))),
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
      `${path} cannot be read: ${(error as Error).message}. Delete it to generate new secrets.`,
    )
  }
}

function missing(name: SecretName): never {
  throw new ConfigError(
    `${name} is not set. It is required in production. Generate one with: openssl rand -hex 32`,
  )
}

function sessionSecrets(current: string, previous: string | undefined): Buffer[] {
  return [sessionSecret(current), ...(previous ? [previousSecret(previous)] : [])]
}

function metricsToken(text: string | undefined): string | undefined {
  return text === undefined ? undefined : bearerSecret('METRICS_TOKEN', text)
}

function bearerSecret(name: string, text: string): string {
  if (text.length >= BEARER_SECRET_LENGTH_MIN) return text
  throw new ConfigError(
    `${name} has ${text.length} characters; at least ${BEARER_SECRET_LENGTH_MIN} are required.`,
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
    throw new ConfigError(`BASE_URL is not a URL: ${text}. Write it like https://crm.example.com`)
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

function databaseUrl(name: string, text: string | undefined, unset: string): string | undefined {
  if (text === undefined) return text
  if (/^postgres(ql)?:\/\//.test(text)) {
    const fault = faultOfHosts(text)
    if (fault) throw new ConfigError(`${name}: ${fault}.`)
    return text
  }
  throw new ConfigError(`${name} must start with postgres://. Leave it unset to use ${unset}.`)
}

function trustedProxies(text: string): string[] {
  if (text === 'off') return []
  const list = words(text)
  const wrong = list.find(entry => !isNetwork(entry))
  if (wrong === undefined) return list
  throw new ConfigError(`TRUST_PROXY must be off, or addresses and networks like 10.0.0.0/8, not ${wrong}.`)
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
