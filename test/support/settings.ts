import type { Settings } from '#platform/settings.ts'

/** What tests configure when it does not matter. */
export const plainSettings: Settings = {
  baseUrl: 'http://localhost',
  production: false,
  sessionSecrets: [],
  cronSecret: '',
  metricsToken: undefined,
  webhookKeys: { payment: [], voice: [], email: [], realtime: [] },
  rateLimit: false,
  oauthRegistration: false,
  emailFrom: 'Rapport <rapport@example.test>',
  creditsMonthly: 100,
  trialDays: undefined,
  phoneNumbers: 'any',
  twilioAuthToken: undefined,
  whatsapp: undefined,
  outboundAllowHosts: [],
}
