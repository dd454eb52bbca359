/** What the domains may know of the configuration. `config.ts` reads it from the environment, nobody else does. */
export type Settings = {
  baseUrl: string
  production: boolean
  /** Newest first: the first encrypts, all decrypt. */
  sessionSecrets: readonly Buffer[]
  cronSecret: string
  rateLimit: boolean
}
