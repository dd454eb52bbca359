import { useNavigate } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { atLeast, type Role } from '#platform/scopes.ts'
import { useUser } from '../queries.ts'
import { useKeys } from '../ui/keys.ts'

/** All pages, in the order of the navigation. */
export const places = [
  { key: 'home', label: 'Home', to: paths.home, keys: 'g h', role: 'VIEWER', section: 'day' },
  {
    key: 'conversations',
    label: 'Inbox',
    to: paths.conversations,
    keys: 'g i',
    role: 'VIEWER',
    section: 'day',
  },
  { key: 'tasks', label: 'Tasks', to: paths.tasks, keys: 'g d', role: 'VIEWER', section: 'day' },
  { key: 'meetings', label: 'Meetings', to: paths.meetings, keys: 'g 6', role: 'VIEWER', section: 'day' },
  { key: 'calls', label: 'Calls', to: paths.calls, keys: 'g 5', role: 'VIEWER', section: 'day' },
  { key: 'leads', label: 'Leads', to: paths.leads, keys: 'g l', role: 'VIEWER', section: 'leads' },
  {
    key: 'candidates',
    label: 'Candidates',
    to: paths.candidates,
    keys: 'g 8',
    role: 'VIEWER',
    section: 'leads',
  },
  { key: 'forms', label: 'Forms', to: paths.forms, keys: 'g w', role: 'VIEWER', section: 'leads' },
  { key: 'imports', label: 'Imports', to: paths.imports, keys: 'g 9', role: 'VIEWER', section: 'leads' },
  { key: 'pipeline', label: 'Pipeline', to: paths.pipeline, keys: 'g p', role: 'VIEWER', section: 'sales' },
  {
    key: 'opportunities',
    label: 'Opportunities',
    to: paths.opportunities,
    keys: 'g e',
    role: 'VIEWER',
    section: 'sales',
  },
  { key: 'accounts', label: 'Accounts', to: paths.accounts, keys: 'g u', role: 'VIEWER', section: 'sales' },
  { key: 'projects', label: 'Projects', to: paths.projects, keys: 'g r', role: 'VIEWER', section: 'sales' },
  { key: 'invoices', label: 'Invoices', to: paths.invoices, keys: 'g 1', role: 'VIEWER', section: 'sales' },
  {
    key: 'sequences',
    label: 'Sequences',
    to: paths.sequences,
    keys: 'g q',
    role: 'MEMBER',
    section: 'outreach',
  },
  { key: 'outbox', label: 'Outbox', to: paths.outbox, keys: 'g x', role: 'MEMBER', section: 'outreach' },
  {
    key: 'templates',
    label: 'Templates',
    to: paths.templates,
    keys: 'g y',
    role: 'MEMBER',
    section: 'outreach',
  },
  {
    key: 'suppressions',
    label: 'Suppression list',
    to: paths.suppressions,
    keys: 'g n',
    role: 'MEMBER',
    section: 'outreach',
  },
  {
    key: 'workflows',
    label: 'Workflows',
    to: paths.workflows,
    keys: 'g g',
    role: 'VIEWER',
    section: 'automation',
  },
  { key: 'agents', label: 'Agents', to: paths.agents, keys: 'g 2', role: 'VIEWER', section: 'automation' },
  {
    key: 'lead-settings',
    label: 'Fields and stages',
    to: paths.leadSettings,
    keys: 'g f',
    role: 'VIEWER',
    section: 'settings',
  },
  {
    key: 'mailboxes',
    label: 'Mailboxes',
    to: paths.mailboxes,
    // All letters and digits are taken.
    keys: 'g .',
    role: 'VIEWER',
    section: 'settings',
  },
  {
    key: 'web-chat',
    label: 'Web chat',
    to: paths.chatWidgets,
    keys: 'g ,',
    role: 'VIEWER',
    section: 'settings',
  },
  {
    key: 'outreach-settings',
    label: 'Sending',
    to: paths.outreachSettings,
    keys: 'g z',
    role: 'MEMBER',
    section: 'settings',
  },
  {
    key: 'conversation-settings',
    label: 'Conversations',
    to: paths.conversationSettings,
    keys: 'g 0',
    role: 'VIEWER',
    section: 'settings',
  },
  {
    key: 'meeting-settings',
    label: 'Meeting settings',
    to: paths.meetingSettings,
    keys: 'g 7',
    role: 'VIEWER',
    section: 'settings',
  },
  {
    key: 'billing-settings',
    label: 'Billing',
    to: paths.billingSettings,
    keys: 'g 3',
    role: 'VIEWER',
    section: 'settings',
  },
  { key: 'credits', label: 'Credits', to: paths.credits, keys: 'g 4', role: 'VIEWER', section: 'settings' },
  { key: 'members', label: 'Members', to: paths.members, keys: 'g m', role: 'VIEWER', section: 'settings' },
  {
    key: 'sessions',
    label: 'Sessions',
    to: paths.sessions,
    keys: 'g s',
    role: 'VIEWER',
    section: 'settings',
  },
  {
    key: 'connected',
    label: 'Connected apps',
    to: paths.connectedApps,
    keys: 'g c',
    role: 'VIEWER',
    section: 'settings',
  },
  { key: 'apps', label: 'OAuth apps', to: paths.apps, keys: 'g o', role: 'ADMIN', section: 'settings' },
  { key: 'keys', label: 'API keys', to: paths.keys, keys: 'g k', role: 'ADMIN', section: 'settings' },
  { key: 'inbox', label: 'Webhook inbox', to: paths.inbox, keys: 'g b', role: 'VIEWER', section: 'settings' },
  {
    key: 'deliveries',
    label: 'Webhook deliveries',
    to: paths.deliveries,
    keys: 'g v',
    role: 'VIEWER',
    section: 'settings',
  },
  { key: 'audit', label: 'Audit log', to: paths.audit, keys: 'g a', role: 'ADMIN', section: 'settings' },
  {
    key: 'retention',
    label: 'Data retention',
    to: paths.retention,
    keys: 'g t',
    role: 'ADMIN',
    section: 'settings',
  },
  {
    key: 'jobs',
    label: 'Jobs and schedule',
    to: paths.jobs,
    keys: 'g j',
    role: 'ADMIN',
    section: 'settings',
  },
] as const

export type Place = (typeof places)[number]

export function usePlaces(): Place[] {
  const { teamRole } = useUser()
  return places.filter(({ role }) => atLeast(teamRole as Role, role))
}

export function useGoKeys(): void {
  const navigate = useNavigate()
  const bindings = usePlaces().map(({ keys, to }) => [keys, () => void navigate({ to })] as const)
  useKeys(
    {
      ...Object.fromEntries(bindings),
      'g t': () => void navigate({ to: paths.leads, search: { trashed: true } }),
    },
    'frame',
  )
}
