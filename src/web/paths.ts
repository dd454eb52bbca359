/** The one place that knows where things live. Patterns are for the router, functions for links. */
export const patterns = {
  home: '/',
  leads: '/leads',
  lead: '/leads/$id',
  members: '/settings/members',
  sessions: '/settings/sessions',
  connectedApps: '/settings/connected',
  apps: '/settings/apps',
  audit: '/settings/audit',
  keys: '/settings/keys',
  leadSettings: '/settings/leads',
  jobs: '/settings/jobs',
} as const

export const paths = {
  leads: patterns.leads,
  lead: (id: string) => `/leads/${encodeURIComponent(id)}`,
  members: patterns.members,
  sessions: patterns.sessions,
  connectedApps: patterns.connectedApps,
  apps: patterns.apps,
  audit: patterns.audit,
  keys: patterns.keys,
  leadSettings: patterns.leadSettings,
  jobs: patterns.jobs,
} as const

export const LIVE_PATH = '/api/live'
export const API_DOCS_PATH = '/docs'

/** The sign-in page is rendered by the server; it brings the person back here. */
export function signInPath(): string {
  return `/signin?return_to=${encodeURIComponent(location.pathname + location.search)}`
}
