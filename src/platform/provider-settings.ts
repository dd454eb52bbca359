import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'
import type { ChainTerms } from './ports/chain.ts'
import { readStorage, type S3Settings } from './storage-settings.ts'

export const RESEND_URL = 'https://api.resend.com'
export const TWILIO_URL = 'https://api.twilio.com'
export const WHATSAPP_URL = 'https://graph.facebook.com/v24.0'
export const OPENAI_URL = 'https://api.openai.com/v1'
export const OPENAI_MODEL = 'gpt-4.1-mini'

export const SIMULATOR_PACE_MS = 1_500

export const CHAIN_DECIMALS = 6
export const CHAIN_CONFIRMATIONS = 3
export const CHAIN_CURRENCY = 'USD'

const CONNECTIONS_MAX = 100
const CONFIRMATIONS_MAX = 1_000
const DECIMALS_MAX = 36
const PACE_MS_MAX = 60_000
const KEY_BITS_MIN = 1_024

/** The providers that the operator has configured; what is undefined has an embedded default, or is off. */
export type ProviderSettings = {
  signin: SigninSettings
  /** Unset: mails are written into the outbox. */
  smtpUrl: string | undefined
  emailFrom: string
  dkim: { domain: string; selector: string; privateKey: string } | undefined
  /** Unset: nobody reads replies. */
  imapUrl: string | undefined
  resend: { apiKey: string; baseUrl: string } | undefined
  /** Unset: text messages are written into the outbox. */
  twilio: { accountSid: string; authToken: string; from: string; baseUrl: string } | undefined
  /** What the provider of text messages signs its calls with. */
  twilioAuthToken: string | undefined
  /** Unset: WhatsApp messages are written into the outbox, and none come in. */
  whatsapp: WhatsAppSettings | undefined
  /** Unset: the rule-based writer. */
  openai: { apiKey: string; baseUrl: string; model: string } | undefined
  /** Where the model listens to calls; unset: nobody can be called. */
  openaiSipUri: string | undefined
  /** How long each thing takes in a call that is only played. */
  simulatorPaceMs: number
  /** Unset: nothing is paid on a chain. */
  chain: (ChainTerms & { rpcUrls: readonly string[] }) | undefined
  /** Unset: paid invoices are written into a ledger below the data folder. */
  bank: { url: string; token: string } | undefined
  /** Unset: files are kept below the data folder. */
  s3: S3Settings | undefined
}

export type WhatsAppSettings = {
  token: string
  phoneNumberId: string
  /** What its webhook is signed with. */
  appSecret: string
  /** What WhatsApp says when it asks whether the webhook is ours. */
  verifyToken: string
  businessAccountId: string | undefined
  apiUrl: string
}

type Credentials = { clientId: string; clientSecret: string; issuer: string }

/** The sign-in providers that are configured. */
export type SigninSettings = {
  google?: Credentials
  github?: Credentials
  entra?: Credentials & { tenant: string }
}

type Get = (name: string) => string | undefined

/** Reads and checks them all, by what `config.ts` finds in the environment. */
export function readProviders(get: Get, allowHosts: readonly string[]): ProviderSettings {
  const service = (name: string, unset: string) => serviceUrl(name, get(name) ?? unset, allowHosts)
  const twilio = readTwilio(get, service('TWILIO_BASE_URL', TWILIO_URL))
  const resendKey = get('RESEND_API_KEY')
  const resendUrl = service('RESEND_BASE_URL', RESEND_URL)
  return {
    signin: readSignin(get),
    smtpUrl: smtpUrl(get('SMTP_URL')),
    emailFrom: emailFrom(get('EMAIL_FROM'), get('SMTP_URL')),
    dkim: readDkim(get),
    imapUrl: imapUrl(get('IMAP_URL')),
    resend: resendKey === undefined ? undefined : { apiKey: resendKey, baseUrl: resendUrl },
    twilio,
    twilioAuthToken: twilio?.authToken,
    whatsapp: readWhatsApp(get, service('WHATSAPP_API_URL', WHATSAPP_URL)),
    openai: readOpenai(get, service('OPENAI_BASE_URL', OPENAI_URL)),
    openaiSipUri: sipUri(get),
    simulatorPaceMs: wholeNumber(
      'SIMULATOR_PACE_MS',
      get('SIMULATOR_PACE_MS'),
      SIMULATOR_PACE_MS,
      0,
      PACE_MS_MAX,
    ),
    chain: readChain(get, allowHosts),
    bank: readBank(get, allowHosts),
    s3: readStorage(get, (name, text) => serviceUrl(name, text, allowHosts)),
  }
}

function readSignin(get: Get): SigninSettings {
  const google = credentials(get, 'GOOGLE', 'https://accounts.google.com')
  const github = credentials(get, 'GITHUB', 'https://github.com')
  const tenant = get('ENTRA_TENANT')
  const entra = credentials(get, 'ENTRA', `https://login.microsoftonline.com/${tenant}/v2.0`)
  if (entra && !(tenant && TENANT_PATTERN.test(tenant))) {
    throw new ConfigError(
      'ENTRA_TENANT must be the ID of your own directory, like 1b9e0c3a-…: allowing every directory would let strangers in.',
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
  const other = get(`${name}_ISSUER`)
  const values = together(get, `${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`)
  if (!values) return undefined
  const [clientId, clientSecret] = values as [string, string]
  return { clientId, clientSecret, issuer: serviceUrl(`${name}_ISSUER`, other ?? issuer, []) }
}

/** The values of variables of which each needs the others; undefined when none is set. */
function together(get: Get, ...names: string[]): string[] | undefined {
  const values = names.map(get)
  const present = names.find((_, at) => values[at] !== undefined)
  const absent = names.find((_, at) => values[at] === undefined)
  if (present === undefined) return undefined
  if (absent !== undefined) throw new ConfigError(`${present} is set, but ${absent} is not.`)
  return values as string[]
}

/** In the clear only within this machine, or to a host that is named as one of ours. */
function serviceUrl(name: string, text: string, allowHosts: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const near = url !== undefined && (isLocal(url) || allowHosts.includes(url.hostname))
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && near))) return text
  throw new ConfigError(`${name} must be an https URL (http only on this machine): ${text}`)
}

function isLocal({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function smtpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text))
    throw new ConfigError('SMTP_URL must be like smtps://user:password@mail.example.com:465')
  const connections = new URL(text).searchParams.get('maxConnections') ?? '1'
  if (!/^\d{1,3}$/.test(connections) || Number(connections) < 1 || Number(connections) > CONNECTIONS_MAX)
    throw new ConfigError(`SMTP_URL: maxConnections must be a whole number from 1 to ${CONNECTIONS_MAX}.`)
  return text
}

function emailFrom(text: string | undefined, smtp: string | undefined): string {
  if (!text && smtp) throw new ConfigError('EMAIL_FROM is not set. SMTP_URL needs a sender address.')
  const from = text ?? 'Rapport <rapport@localhost>'
  if (/^(?:[^<>@,;:"\\\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(from)) return from
  throw new ConfigError(`EMAIL_FROM must be one address, like Rapport <crm@example.com>, not ${from}`)
}

function readDkim(get: Get): ProviderSettings['dkim'] {
  const values = together(get, 'DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY')
  if (!values) return undefined
  const [domain, selector, key] = values as [string, string, string]
  const name = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i
  if (!name.test(domain) || !domain.includes('.'))
    throw new ConfigError(`DKIM_DOMAIN must be a domain, like example.com, not ${domain}`)
  if (!name.test(selector))
    throw new ConfigError(`DKIM_SELECTOR must be a DNS label, like crm, not ${selector}`)
  return { domain: domain.toLowerCase(), selector, privateKey: privateKey(key) }
}

/** What is wrong with a key is told without a word of it. */
function privateKey(text: string): string {
  const key = keyOf(text.startsWith('file:') ? textOf(text.slice('file:'.length)) : text)
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType !== 'rsa' || bits < KEY_BITS_MIN)
    throw new ConfigError(
      `DKIM_PRIVATE_KEY must be an RSA key of ${KEY_BITS_MIN} bits or more. Make one with: openssl genrsa 2048`,
    )
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function keyOf(text: string): KeyObject {
  try {
    return createPrivateKey(text.replaceAll('\\n', '\n'))
  } catch {
    throw new ConfigError(
      'DKIM_PRIVATE_KEY is not a private key: use PEM text with \\n for line breaks, or file: followed by its path.',
    )
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path.replace(/^\/\//, ''), 'utf8')
  } catch (error) {
    throw new ConfigError(`DKIM_PRIVATE_KEY cannot be read: ${(error as Error).message}`)
  }
}

function imapUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const safe = url?.protocol === 'imaps:' || (url?.protocol === 'imap:' && isLocal(url))
  if (url && safe && url.hostname && url.username && url.password) return text
  throw new ConfigError(
    'IMAP_URL must be like imaps://user:password@mail.example.com/INBOX (imap:// only on this machine), with special characters encoded, such as %40 for @.',
  )
}

function readTwilio(get: Get, baseUrl: string): ProviderSettings['twilio'] {
  const values = together(get, 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM')
  if (!values) return undefined
  const [accountSid, authToken, from] = values as [string, string, string]
  if (!/^AC\w+$/.test(accountSid))
    throw new ConfigError('TWILIO_ACCOUNT_SID must start with AC, as shown in the Twilio console.')
  if (!TWILIO_SENDER.test(from))
    throw new ConfigError(
      `TWILIO_FROM must be a number like +4930123456, a name of at most 11 letters or a messaging service (MG…), not ${from}`,
    )
  return { accountSid, authToken, from, baseUrl }
}

/** A number, a short code, a messaging service, or a name. */
const TWILIO_SENDER = /^(?:\+[1-9]\d{6,14}|\d{3,8}|MG\w{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/

function readWhatsApp(get: Get, apiUrl: string): WhatsAppSettings | undefined {
  const names = ['WHATSAPP_TOKEN', 'WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN']
  const values = together(get, ...names)
  const businessAccountId = get('WHATSAPP_BUSINESS_ACCOUNT_ID')
  if (!values) {
    if (businessAccountId !== undefined)
      throw new ConfigError('WHATSAPP_BUSINESS_ACCOUNT_ID is set, but WHATSAPP_TOKEN is not.')
    return undefined
  }
  const [token, phoneNumberId, appSecret, verifyToken] = values as [string, string, string, string]
  for (const [name, id] of Object.entries({
    WHATSAPP_PHONE_NUMBER_ID: phoneNumberId,
    WHATSAPP_BUSINESS_ACCOUNT_ID: businessAccountId,
  }))
    if (id !== undefined && !/^\d{5,30}$/.test(id))
      throw new ConfigError(`${name} must be digits only, as shown in Meta's app dashboard, not ${id}`)
  return { token, phoneNumberId, appSecret, verifyToken, businessAccountId, apiUrl }
}

function readOpenai(get: Get, baseUrl: string): ProviderSettings['openai'] {
  const [apiKey, model] = [get('OPENAI_API_KEY'), get('OPENAI_MODEL')]
  if (apiKey !== undefined) return { apiKey, baseUrl, model: model ?? OPENAI_MODEL }
  const other = ['OPENAI_BASE_URL', 'OPENAI_MODEL'].find(name => get(name) !== undefined)
  if (other === undefined) return undefined
  throw new ConfigError(
    `${other} is set, but OPENAI_API_KEY is not. For a service without keys, use any text.`,
  )
}

function sipUri(get: Get): string | undefined {
  const text = get('OPENAI_SIP_URI')
  if (text === undefined) return undefined
  if (!/^sips?:[\w.~+-]{1,100}@[A-Za-z0-9.-]{1,253}(?::\d{1,5})?(?:;[\w.=;-]{1,100})?$/.test(text))
    throw new ConfigError(
      `OPENAI_SIP_URI must be like sip:proj_…@sip.api.openai.com;transport=tls, not ${text}`,
    )
  if (get('OPENAI_API_KEY') === undefined)
    throw new ConfigError('OPENAI_SIP_URI is set, but OPENAI_API_KEY is not.')
  return text
}

function readBank(get: Get, allowHosts: readonly string[]): ProviderSettings['bank'] {
  const values = together(get, 'BANK_URL', 'BANK_TOKEN')
  if (!values) return undefined
  const [url, token] = values as [string, string]
  return { url: serviceUrl('BANK_URL', url, allowHosts), token }
}

function readChain(get: Get, allowHosts: readonly string[]): ProviderSettings['chain'] {
  const values = together(get, 'CHAIN_RPC_URL', 'CHAIN_NETWORK', 'CHAIN_TOKEN', 'CHAIN_RECIPIENT')
  const other = ['CHAIN_DECIMALS', 'CHAIN_CONFIRMATIONS', 'CHAIN_CURRENCY'].find(name => get(name))
  if (!values && other) throw new ConfigError(`${other} is set, but CHAIN_RPC_URL is not.`)
  if (!values) return undefined
  const [urls, network, token, recipient] = values as [string, string, string, string]
  if (!/^eip155:[1-9]\d{0,15}$/.test(network))
    throw new ConfigError(`CHAIN_NETWORK must be like eip155:8453, not ${network}`)
  if (!isWallet(recipient))
    throw new ConfigError(`CHAIN_RECIPIENT must be the address of a wallet, like 0x…, not ${recipient}`)
  const currency = get('CHAIN_CURRENCY') ?? CHAIN_CURRENCY
  if (!/^[A-Z]{3}$/.test(currency))
    throw new ConfigError(`CHAIN_CURRENCY must be three capital letters, like USD, not ${currency}`)
  return {
    rpcUrls: urls.split(/\s+/).map(url => rpcUrl(url, allowHosts)),
    network,
    token: chainToken(token, network),
    recipient,
    currency,
    decimals: wholeNumber('CHAIN_DECIMALS', get('CHAIN_DECIMALS'), CHAIN_DECIMALS, 0, DECIMALS_MAX),
    confirmations: wholeNumber(
      'CHAIN_CONFIRMATIONS',
      get('CHAIN_CONFIRMATIONS'),
      CHAIN_CONFIRMATIONS,
      1,
      CONFIRMATIONS_MAX,
    ),
  }
}

/** Its path may hold a key, so that a wrong one is told without it. */
function rpcUrl(text: string, allowHosts: readonly string[]): string {
  try {
    return serviceUrl('CHAIN_RPC_URL', text, allowHosts)
  } catch {
    throw new ConfigError(
      'CHAIN_RPC_URL must be https URLs (http only on this machine), separated by spaces.',
    )
  }
}

function chainToken(text: string, network: string): string {
  const [, before, address = ''] = /^(?:(.+)\/erc20:)?(0x[0-9a-fA-F]{40})$/.exec(text) ?? []
  if (!isWallet(address))
    throw new ConfigError(`CHAIN_TOKEN must be like eip155:8453/erc20:0x…, or the 0x address, not ${text}`)
  if (before !== undefined && before !== network)
    throw new ConfigError(`CHAIN_TOKEN is on ${before}, but CHAIN_NETWORK is ${network}.`)
  return `${network}/erc20:${address}`
}

function isWallet(address: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(address) && !/^0x0+$/.test(address)
}

function wholeNumber(
  name: string,
  text: string | undefined,
  unset: number,
  min: number,
  max: number,
): number {
  const value = text === undefined ? unset : Number(text)
  if ((text === undefined || /^\d+$/.test(text)) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${text}.`)
}
