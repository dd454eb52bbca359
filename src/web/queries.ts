import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Session } from '#domains/identity/contract.ts'
import type { View } from '#domains/views/contract.ts'
import { atLeast, scopesOfRole, type Role, type Scope } from '#platform/scopes.ts'
import { api, leaveToSignIn } from './api.ts'

/** Keys of the query cache, so that the live stream can find what to patch. */
export const cacheKeys = {
  session: ['session'],
  team: ['team'],
  members: ['members'],
  leadSettings: ['lead-settings'],
  views: ['views'],
  accounts: ['accounts'],
  candidates: ['candidates'],
  accountSettings: ['account-settings'],
  opportunities: ['opportunities'],
  leadBoard: ['leads-board'],
  tasks: ['tasks'],
  projects: ['projects'],
  imports: ['imports'],
  bulkChanges: ['bulk-changes'],
  forms: ['forms'],
  submissions: ['submissions'],
  inbox: ['inbox'],
  conversations: ['conversations'],
  savedReplies: ['saved-replies'],
  whatsappTemplates: ['whatsapp-templates'],
  conversationSettings: ['conversation-settings'],
  mailboxes: ['mailboxes'],
  chatWidgets: ['chat-widgets'],
  webhookEndpoints: ['webhook-endpoints'],
  deliveries: ['deliveries'],
  sequences: ['sequences'],
  workflows: ['workflows'],
  workflowRuns: ['workflow-runs'],
  workflowCatalog: ['workflow-catalog'],
  enrolments: ['enrolments'],
  messages: ['messages'],
  notifications: ['notifications'],
  templates: ['templates'],
  suppressions: ['suppressions'],
  outreachSettings: ['outreach-settings'],
  invoices: ['invoices'],
  billingSettings: ['billing-settings'],
  credits: ['credits'],
  agents: ['agents'],
  sales: ['agents', 'sales'],
  deployments: ['agents', 'deployments'],
  calls: ['calls'],
  callConsents: ['call-consents'],
  meetings: ['meetings'],
  availability: ['availability'],
  calendar: ['calendar'],
  home: ['home'],
  ownTeams: ['own-teams'],
  invitations: ['invitations'],
  sessions: ['sessions'],
  apps: ['apps'],
  connectedApps: ['connected-apps'],
  audit: ['audit'],
  retention: ['retention'],
  apiKeys: ['api-keys'],
  deadJobs: ['jobs', 'dead'],
  schedule: ['jobs', 'schedule'],
} as const

export type User = NonNullable<Session['user']>

const LIST_LIMIT = 200

export const sessionQuery = queryOptions({
  queryKey: cacheKeys.session,
  queryFn: async (): Promise<User> => {
    const { user } = await api('GET /api/auth/session')
    if (user) return user
    leaveToSignIn()
    // The browser is leaving the page.
    return new Promise<User>(() => {})
  },
  staleTime: Infinity,
})

export const teamQuery = queryOptions({ queryKey: cacheKeys.team, queryFn: () => api('GET /api/team') })

export const membersQuery = queryOptions({
  queryKey: cacheKeys.members,
  queryFn: async () => (await api('GET /api/team/members', { query: { limit: LIST_LIMIT } })).data,
  staleTime: 5 * 60_000,
})

export const leadSettingsQuery = queryOptions({
  queryKey: cacheKeys.leadSettings,
  queryFn: () => api('GET /api/crm/leads/settings'),
})

/** The saved views of all lists, for the navigation. */
export const viewsQuery = queryOptions({
  queryKey: cacheKeys.views,
  queryFn: async (): Promise<View[]> => {
    const views: View[] = []
    let cursor: string | null = null
    do {
      const query = { limit: LIST_LIMIT, ...(cursor && { cursor }) }
      const page: { data: View[]; next_cursor: string | null } = await api('GET /api/crm/views', { query })
      views.push(...page.data)
      cursor = page.next_cursor
    } while (cursor)
    return views
  },
})

export const accountSettingsQuery = queryOptions({
  queryKey: cacheKeys.accountSettings,
  queryFn: () => api('GET /api/crm/accounts/settings'),
})

/** Plan and credits of the team. */
export const creditsQuery = queryOptions({
  queryKey: cacheKeys.credits,
  queryFn: ({ signal }) => api('GET /api/credits', { signal }),
})

export function useUser(): User {
  return useSuspenseQuery(sessionQuery).data
}

export function useMembers() {
  return useQuery(membersQuery).data ?? []
}

export function useViews(kind: View['kind']): View[] {
  const views = useQuery(viewsQuery).data
  return useMemo(() => views?.filter(view => view.kind === kind) ?? [], [views, kind])
}

export function useCan(scope: Scope): boolean {
  return scopesOfRole(useUser().teamRole as Role).includes(scope)
}

export function useIsAtLeast(role: Role): boolean {
  return atLeast(useUser().teamRole as Role, role)
}
