import type { WhatsAppSettings } from './provider-settings.ts'
import type { SigningKeys } from './signature.ts'

/** What the domains may know of the configuration. `config.ts` reads it from the environment, nobody else does. */
export type Settings = {
  baseUrl: string
  production: boolean
  /** Newest first: the first encrypts, all decrypt. */
  sessionSecrets: readonly Buffer[]
  cronSecret: string
  /** With which metrics are asked for; undefined: anybody may. */
  metricsToken: string | undefined
  /** With which providers sign; any key of an endpoint will do. */
  webhookKeys: SigningKeys
  rateLimit: boolean
  /** Whether programs may register themselves as OAuth clients (RFC 7591). */
  oauthRegistration: boolean
  /** Who mails are from: the address of the installation, with or without a name before it. */
  emailFrom: string
  /** How many credits a month brings a team that has no number of its own. */
  creditsMonthly: number
  /** For how long a new team may try everything; undefined: there are no trials. */
  trialDays: number | undefined
  /**
   * Which team may let its agents answer at which number, where there are several teams; `any`: they trust each other, and a
   * number is whose agent takes it first.
   */
  phoneNumbers: ReadonlyMap<string, string> | 'any'
  /** What the provider of text messages signs its calls with; undefined where none is configured. */
  twilioAuthToken: string | undefined
  /** What WhatsApp's webhook proves itself with, and for which number; undefined where WhatsApp is not configured. */
  whatsapp: Pick<WhatsAppSettings, 'appSecret' | 'verifyToken' | 'phoneNumberId'> | undefined
  /** Hosts that outbound calls may reach although their address is private. */
  outboundAllowHosts: readonly string[]
}
