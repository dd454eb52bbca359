import type { Settings } from '#platform/settings.ts'

/** What tests configure when it does not matter. */
export const plainSettings: Settings = {
  baseUrl: 'http://localhost',
  production: false,
  sessionSecrets: [],
  cronSecret: '',
  rateLimit: false,
  oauthRegistration: false,
  outboundAllowHosts: [],
}
