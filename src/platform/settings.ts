/** What the domains may know of the configuration. `config.ts` reads it from the environment, nobody else does. */
export type Settings = {
  baseUrl: string
  production: boolean
  /** Newest first: the first encrypts, all decrypt. */
  sessionSecrets: readonly Buffer[]
  cronSecret: string
  rateLimit: boolean
  /** Whether programs may register themselves as OAuth clients (RFC 7591). */
  oauthRegistration: boolean
  /** Hosts that outbound calls may reach although their address is private. */
  outboundAllowHosts: readonly string[]
}
