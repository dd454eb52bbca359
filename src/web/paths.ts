/** The one place that knows where things live. Patterns are for the router, functions for links. */
export const patterns = {
  home: '/',
  leads: '/leads',
  lead: '/leads/$id',
  pipeline: '/pipeline',
  accounts: '/accounts',
  account: '/accounts/$id',
  opportunities: '/opportunities',
  opportunity: '/opportunities/$id',
  tasks: '/tasks',
  projects: '/projects',
  project: '/projects/$id',
  imports: '/imports',
  import: '/imports/$id',
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
  home: patterns.home,
  leads: patterns.leads,
  pipeline: patterns.pipeline,
  accounts: patterns.accounts,
  opportunities: patterns.opportunities,
  tasks: patterns.tasks,
  projects: patterns.projects,
  imports: patterns.imports,
  lead: (id: string) => `/leads/${encodeURIComponent(id)}`,
  account: (id: string) => `/accounts/${encodeURIComponent(id)}`,
  opportunity: (id: string) => `/opportunities/${encodeURIComponent(id)}`,
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
