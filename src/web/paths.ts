import { patterns } from './patterns.ts'

export { patterns }

/** Links. Together with the route patterns, the only place that knows URLs. */
export const paths = {
  home: patterns.home,
  conversations: patterns.conversations,
  answerTimes: patterns.answerTimes,
  leads: patterns.leads,
  candidates: patterns.candidates,
  pipeline: patterns.pipeline,
  accounts: patterns.accounts,
  opportunities: patterns.opportunities,
  invoices: patterns.invoices,
  agents: patterns.agents,
  calls: patterns.calls,
  meetings: patterns.meetings,
  tasks: patterns.tasks,
  projects: patterns.projects,
  imports: patterns.imports,
  forms: patterns.forms,
  lead: (id: string) => `/leads/${encodeURIComponent(id)}`,
  candidate: (id: string) => `/candidates/${encodeURIComponent(id)}`,
  account: (id: string) => `/accounts/${encodeURIComponent(id)}`,
  opportunity: (id: string) => `/opportunities/${encodeURIComponent(id)}`,
  invoice: (id: string) => `/invoices/${encodeURIComponent(id)}`,
  agent: (id: string) => `/agents/${encodeURIComponent(id)}`,
  form: (id: string) => `/forms/${encodeURIComponent(id)}`,
  sequences: patterns.sequences,
  sequence: (id: string) => `/sequences/${encodeURIComponent(id)}`,
  workflows: patterns.workflows,
  workflow: (id: string) => `/workflows/${encodeURIComponent(id)}`,
  workflowRuns: (id: string) => `/workflows/${encodeURIComponent(id)}/runs`,
  workflowRun: (id: string) => `/workflows/runs/${encodeURIComponent(id)}`,
  outbox: patterns.outbox,
  templates: patterns.templates,
  template: (id: string) => `/templates/${encodeURIComponent(id)}`,
  suppressions: patterns.suppressions,
  outreachSettings: patterns.outreachSettings,
  billingSettings: patterns.billingSettings,
  conversationSettings: patterns.conversationSettings,
  mailboxes: patterns.mailboxes,
  chatWidgets: patterns.chatWidgets,
  retention: patterns.retention,
  meetingSettings: patterns.meetingSettings,
  credits: patterns.credits,
  members: patterns.members,
  sessions: patterns.sessions,
  connectedApps: patterns.connectedApps,
  apps: patterns.apps,
  audit: patterns.audit,
  inbox: patterns.inbox,
  deliveries: patterns.deliveries,
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
