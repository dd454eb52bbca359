import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { AgentSearch, AgentsSearch } from './records/agents/search.ts'
import type { FormSearch, FormsSearch } from './records/forms/search.ts'
import type { InboxSearch as ConversationsSearch } from './records/conversations/search.ts'
import type { ImportSearch } from './pages/imports/search.ts'
import { leadList } from './records/leads/cache.ts'
import { leadsSearch } from './records/leads/search.ts'
import type { MailboxesSearch } from './records/mailboxes/search.ts'
import type { PipelineSearch } from './pages/pipeline/search.ts'
import type { ProjectSearch } from './pages/projects/search.ts'
import type { TasksSearch } from './records/tasks/search.ts'
import type { DeliveriesSearch, InboxSearch } from './pages/webhooks/search.ts'
import type { ListSearch } from './ui/record-list/search.ts'
import { patterns } from './paths.ts'
import { leadSettingsQuery, membersQuery, sessionQuery, teamQuery, viewsQuery } from './queries.ts'
import { queryClient } from './query-client.ts'
import { parseSearch, stringifySearch } from './search-text.ts'
import { PageFault, PageMissing } from './shell/page-fault.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({
  component: Shell,
  errorComponent: PageFault,
  notFoundComponent: PageMissing,
  loader: () => {
    // What every page needs about the team is loaded in parallel with the session.
    for (const query of [teamQuery, membersQuery, leadSettingsQuery, viewsQuery]) {
      void queryClient.prefetchQuery(query as typeof teamQuery)
    }
    return queryClient.ensureQueryData(sessionQuery)
  },
  staleTime: Infinity,
})

const leads = createRoute({
  getParentRoute: () => root,
  path: patterns.leads,
  validateSearch: leadsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(leadList.listQuery(deps)),
  component: lazyRouteComponent(() => import('./pages/leads/leads-page.tsx'), 'LeadsPage'),
})

const project = createRoute({
  getParentRoute: () => root,
  path: patterns.project,
  validateSearch: asGiven<ProjectSearch>,
  // Loaded with the page: only boards need this query.
  loader: ({ params }) =>
    void import('./records/projects/cache.ts').then(
      ({ boardQuery }) => queryClient.prefetchQuery(boardQuery(params.id)),
      // The page shows the error.
      () => {},
    ),
  component: lazyRouteComponent(() => import('./pages/projects/project-page.tsx'), 'ProjectPage'),
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: patterns.conversations,
  validateSearch: asGiven<ConversationsSearch>,
  component: lazyRouteComponent(() => import('./pages/inbox/inbox-page.tsx'), 'InboxPage'),
})

// The list stays in place while one conversation after the other is opened beside it.
const conversation = createRoute({ getParentRoute: () => inbox, path: '$id' })

export const router = createRouter({
  routeTree: root.addChildren([
    page(patterns.home, () => import('./pages/home/home-page.tsx'), 'HomePage'),
    inbox.addChildren([conversation]),
    searchPage(
      patterns.answerTimes,
      asGiven,
      () => import('./pages/answer-times/answer-times-page.tsx'),
      'AnswerTimesPage',
    ),
    leads,
    searchPage(patterns.lead, leadsSearch, () => import('./pages/lead/lead-page.tsx'), 'LeadPage'),
    searchPage(
      patterns.candidates,
      asGiven<ListSearch>,
      () => import('./pages/candidates/candidates-page.tsx'),
      'CandidatesPage',
    ),
    page(patterns.candidate, () => import('./pages/candidates/candidate-page.tsx'), 'CandidatePage'),
    searchPage(
      patterns.pipeline,
      asGiven<PipelineSearch>,
      () => import('./pages/pipeline/pipeline-page.tsx'),
      'PipelinePage',
    ),
    searchPage(
      patterns.accounts,
      asGiven<ListSearch>,
      () => import('./pages/accounts/accounts-page.tsx'),
      'AccountsPage',
    ),
    page(patterns.account, () => import('./pages/accounts/account-page.tsx'), 'AccountPage'),
    searchPage(
      patterns.opportunities,
      asGiven<ListSearch>,
      () => import('./pages/opportunities/opportunities-page.tsx'),
      'OpportunitiesPage',
    ),
    page(patterns.opportunity, () => import('./pages/opportunities/opportunity-page.tsx'), 'OpportunityPage'),
    searchPage(
      patterns.invoices,
      asGiven<ListSearch>,
      () => import('./pages/invoices/invoices-page.tsx'),
      'InvoicesPage',
    ),
    page(patterns.invoice, () => import('./pages/invoices/invoice-page.tsx'), 'InvoicePage'),
    searchPage(
      patterns.agents,
      asGiven<AgentsSearch>,
      () => import('./pages/agents/agents-page.tsx'),
      'AgentsPage',
    ),
    searchPage(
      patterns.agent,
      asGiven<AgentSearch>,
      () => import('./pages/agents/agent-page.tsx'),
      'AgentPage',
    ),
    searchPage(patterns.calls, asGiven, () => import('./pages/calls/calls-page.tsx'), 'CallsPage'),
    page(patterns.call, () => import('./pages/calls/call-page.tsx'), 'CallPage'),
    searchPage(
      patterns.meetings,
      asGiven,
      () => import('./pages/meetings/meetings-page.tsx'),
      'MeetingsPage',
    ),
    searchPage(
      patterns.tasks,
      asGiven<TasksSearch>,
      () => import('./pages/tasks/tasks-page.tsx'),
      'TasksPage',
    ),
    searchPage(
      patterns.projects,
      asGiven<ListSearch>,
      () => import('./pages/projects/projects-page.tsx'),
      'ProjectsPage',
    ),
    project,
    page(patterns.imports, () => import('./pages/imports/imports-page.tsx'), 'ImportsPage'),
    searchPage(
      patterns.import,
      asGiven<ImportSearch>,
      () => import('./pages/imports/import-page.tsx'),
      'ImportPage',
    ),
    searchPage(
      patterns.forms,
      asGiven<FormsSearch>,
      () => import('./pages/forms/forms-page.tsx'),
      'FormsPage',
    ),
    searchPage(patterns.form, asGiven<FormSearch>, () => import('./pages/forms/form-page.tsx'), 'FormPage'),
    searchPage(
      patterns.workflows,
      asGiven,
      () => import('./pages/workflows/workflows-page.tsx'),
      'WorkflowsPage',
    ),
    searchPage(patterns.workflow, asGiven, () => import('./builder/builder-page.tsx'), 'BuilderPage'),
    searchPage(patterns.workflowRuns, asGiven, () => import('./pages/workflows/runs-page.tsx'), 'RunsPage'),
    page(patterns.workflowRun, () => import('./builder/run-page.tsx'), 'RunPage'),
    searchPage(
      patterns.sequences,
      asGiven,
      () => import('./pages/sequences/sequences-page.tsx'),
      'SequencesPage',
    ),
    searchPage(
      patterns.sequence,
      asGiven,
      () => import('./pages/sequences/sequence-page.tsx'),
      'SequencePage',
    ),
    searchPage(patterns.outbox, asGiven, () => import('./pages/outbox/outbox-page.tsx'), 'OutboxPage'),
    searchPage(
      patterns.templates,
      asGiven,
      () => import('./pages/templates/templates-page.tsx'),
      'TemplatesPage',
    ),
    searchPage(
      patterns.template,
      asGiven,
      () => import('./pages/templates/template-page.tsx'),
      'TemplatePage',
    ),
    searchPage(
      patterns.suppressions,
      asGiven,
      () => import('./pages/suppressions/suppressions-page.tsx'),
      'SuppressionsPage',
    ),
    page(
      patterns.outreachSettings,
      () => import('./pages/settings/outreach-settings-page.tsx'),
      'OutreachSettingsPage',
    ),
    page(
      patterns.billingSettings,
      () => import('./pages/settings/billing-settings-page.tsx'),
      'BillingSettingsPage',
    ),
    page(
      patterns.meetingSettings,
      () => import('./pages/settings/meeting-settings-page.tsx'),
      'MeetingSettingsPage',
    ),
    page(
      patterns.conversationSettings,
      () => import('./pages/settings/conversation-settings-page.tsx'),
      'ConversationSettingsPage',
    ),
    searchPage(
      patterns.mailboxes,
      asGiven<MailboxesSearch>,
      () => import('./pages/settings/mailbox-settings-page.tsx'),
      'MailboxSettingsPage',
    ),
    page(patterns.chatWidgets, () => import('./pages/settings/web-chat-page.tsx'), 'WebChatPage'),
    page(patterns.chatWidget, () => import('./pages/settings/chat-widget-page.tsx'), 'ChatWidgetPage'),
    searchPage(
      patterns.credits,
      asGiven<ListSearch>,
      () => import('./pages/credits/credits-page.tsx'),
      'CreditsPage',
    ),
    searchPage(
      patterns.inbox,
      asGiven<InboxSearch>,
      () => import('./pages/webhooks/inbox-page.tsx'),
      'InboxPage',
    ),
    searchPage(
      patterns.deliveries,
      asGiven<DeliveriesSearch>,
      () => import('./pages/webhooks/deliveries-page.tsx'),
      'DeliveriesPage',
    ),
    page(patterns.leadSettings, () => import('./pages/settings/lead-settings-page.tsx'), 'LeadSettingsPage'),
    page(patterns.members, () => import('./pages/team/members-page.tsx'), 'MembersPage'),
    page(patterns.sessions, () => import('./pages/account/sessions-page.tsx'), 'SessionsPage'),
    page(patterns.connectedApps, () => import('./pages/apps/connected-page.tsx'), 'ConnectedPage'),
    page(patterns.apps, () => import('./pages/apps/apps-page.tsx'), 'AppsPage'),
    page(patterns.keys, () => import('./pages/settings/keys-page.tsx'), 'KeysPage'),
    page(patterns.audit, () => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
    page(patterns.retention, () => import('./pages/settings/retention-page.tsx'), 'RetentionPage'),
    page(patterns.jobs, () => import('./pages/settings/jobs-page.tsx'), 'JobsPage'),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: PageFault,
  defaultNotFoundComponent: PageMissing,
  // Pages restore their own scroll position; the window never scrolls.
  scrollRestoration: false,
})

/** A page without search parameters, loaded on demand. */
function page<const Path extends string, Module extends Record<string, unknown>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, name) })
}

/** A page with search parameters. */
function searchPage<const Path extends string, Search, Module extends Record<string, unknown>>(
  path: Path,
  validateSearch: (raw: Record<string, unknown>) => Search,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  const component = lazyRouteComponent(load, name)
  return createRoute({ getParentRoute: () => root, path, validateSearch, component })
}

/** The page validates its own search: that code stays out of the first download. */
function asGiven<Search = Record<string, unknown>>(raw: Record<string, unknown>): Search {
  return raw as Search
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
