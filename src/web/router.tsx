import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { AgentSearch, AgentsSearch } from './records/agents/search.ts'
import type { CreditsSearch } from './pages/credits/search.ts'
import type { FormSearch, FormsSearch } from './records/forms/search.ts'
import type { ImportSearch } from './pages/imports/search.ts'
import { listQuery } from './records/leads/cache.ts'
import { validateSearch } from './records/leads/search.ts'
import type { PipelineSearch } from './pages/pipeline/search.ts'
import type { ProjectSearch, ProjectsSearch } from './pages/projects/search.ts'
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
    // Everything a page needs to know about the team travels at the same time as the session.
    for (const query of [teamQuery, membersQuery, leadSettingsQuery, viewsQuery]) {
      void queryClient.prefetchQuery(query as typeof teamQuery)
    }
    return queryClient.ensureQueryData(sessionQuery)
  },
  staleTime: Infinity,
})

const home = page(patterns.home, () => import('./pages/home/home-page.tsx'), 'HomePage')

const leads = createRoute({
  getParentRoute: () => root,
  path: patterns.leads,
  validateSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(listQuery(deps)),
  component: lazyRouteComponent(() => import('./pages/leads/leads-page.tsx'), 'LeadsPage'),
})

const lead = createRoute({
  getParentRoute: () => root,
  path: patterns.lead,
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/lead/lead-page.tsx'), 'LeadPage'),
})

const candidates = createRoute({
  getParentRoute: () => root,
  path: patterns.candidates,
  validateSearch: asGiven<ListSearch>,
  component: lazyRouteComponent(() => import('./pages/candidates/candidates-page.tsx'), 'CandidatesPage'),
})

const candidate = page(
  patterns.candidate,
  () => import('./pages/candidates/candidate-page.tsx'),
  'CandidatePage',
)

const pipeline = createRoute({
  getParentRoute: () => root,
  path: patterns.pipeline,
  validateSearch: asGiven<PipelineSearch>,
  component: lazyRouteComponent(() => import('./pages/pipeline/pipeline-page.tsx'), 'PipelinePage'),
})

const accounts = createRoute({
  getParentRoute: () => root,
  path: patterns.accounts,
  validateSearch: asGiven<ListSearch>,
  component: lazyRouteComponent(() => import('./pages/accounts/accounts-page.tsx'), 'AccountsPage'),
})

const account = page(patterns.account, () => import('./pages/accounts/account-page.tsx'), 'AccountPage')

const opportunities = createRoute({
  getParentRoute: () => root,
  path: patterns.opportunities,
  validateSearch: asGiven<ListSearch>,
  component: lazyRouteComponent(
    () => import('./pages/opportunities/opportunities-page.tsx'),
    'OpportunitiesPage',
  ),
})

const opportunity = page(
  patterns.opportunity,
  () => import('./pages/opportunities/opportunity-page.tsx'),
  'OpportunityPage',
)

const invoices = createRoute({
  getParentRoute: () => root,
  path: patterns.invoices,
  validateSearch: asGiven<ListSearch>,
  component: lazyRouteComponent(() => import('./pages/invoices/invoices-page.tsx'), 'InvoicesPage'),
})

const invoice = page(patterns.invoice, () => import('./pages/invoices/invoice-page.tsx'), 'InvoicePage')

const agents = createRoute({
  getParentRoute: () => root,
  path: patterns.agents,
  validateSearch: asGiven<AgentsSearch>,
  component: lazyRouteComponent(() => import('./pages/agents/agents-page.tsx'), 'AgentsPage'),
})

const agent = createRoute({
  getParentRoute: () => root,
  path: patterns.agent,
  validateSearch: asGiven<AgentSearch>,
  component: lazyRouteComponent(() => import('./pages/agents/agent-page.tsx'), 'AgentPage'),
})

const calls = createRoute({
  getParentRoute: () => root,
  path: patterns.calls,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./pages/calls/calls-page.tsx'), 'CallsPage'),
})

const call = page(patterns.call, () => import('./pages/calls/call-page.tsx'), 'CallPage')

const meetings = createRoute({
  getParentRoute: () => root,
  path: patterns.meetings,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./pages/meetings/meetings-page.tsx'), 'MeetingsPage'),
})

const tasks = createRoute({
  getParentRoute: () => root,
  path: patterns.tasks,
  validateSearch: asGiven<TasksSearch>,
  component: lazyRouteComponent(() => import('./pages/tasks/tasks-page.tsx'), 'TasksPage'),
})

const projects = createRoute({
  getParentRoute: () => root,
  path: patterns.projects,
  validateSearch: asGiven<ProjectsSearch>,
  component: lazyRouteComponent(() => import('./pages/projects/projects-page.tsx'), 'ProjectsPage'),
})

const project = createRoute({
  getParentRoute: () => root,
  path: patterns.project,
  validateSearch: asGiven<ProjectSearch>,
  // With the page, not before it: only who opens a board needs to know how to ask for one.
  loader: ({ params }) =>
    void import('./records/projects/cache.ts').then(
      ({ boardQuery }) => queryClient.prefetchQuery(boardQuery(params.id)),
      // The page will say so.
      () => {},
    ),
  component: lazyRouteComponent(() => import('./pages/projects/project-page.tsx'), 'ProjectPage'),
})

const imports = page(patterns.imports, () => import('./pages/imports/imports-page.tsx'), 'ImportsPage')

const importRun = createRoute({
  getParentRoute: () => root,
  path: patterns.import,
  validateSearch: asGiven<ImportSearch>,
  component: lazyRouteComponent(() => import('./pages/imports/import-page.tsx'), 'ImportPage'),
})

const forms = createRoute({
  getParentRoute: () => root,
  path: patterns.forms,
  validateSearch: asGiven<FormsSearch>,
  component: lazyRouteComponent(() => import('./pages/forms/forms-page.tsx'), 'FormsPage'),
})

const form = createRoute({
  getParentRoute: () => root,
  path: patterns.form,
  validateSearch: asGiven<FormSearch>,
  component: lazyRouteComponent(() => import('./pages/forms/form-page.tsx'), 'FormPage'),
})

const workflows = createRoute({
  getParentRoute: () => root,
  path: patterns.workflows,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./pages/workflows/workflows-page.tsx'), 'WorkflowsPage'),
})

const workflow = createRoute({
  getParentRoute: () => root,
  path: patterns.workflow,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./builder/builder-page.tsx'), 'BuilderPage'),
})

const workflowRuns = createRoute({
  getParentRoute: () => root,
  path: patterns.workflowRuns,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./pages/workflows/runs-page.tsx'), 'RunsPage'),
})

const workflowRun = page(patterns.workflowRun, () => import('./builder/run-page.tsx'), 'RunPage')

const sequences = createRoute({
  getParentRoute: () => root,
  path: patterns.sequences,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./pages/sequences/sequences-page.tsx'), 'SequencesPage'),
})

const sequence = createRoute({
  getParentRoute: () => root,
  path: patterns.sequence,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./pages/sequences/sequence-page.tsx'), 'SequencePage'),
})

const outbox = createRoute({
  getParentRoute: () => root,
  path: patterns.outbox,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./pages/outbox/outbox-page.tsx'), 'OutboxPage'),
})

const templates = createRoute({
  getParentRoute: () => root,
  path: patterns.templates,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./pages/templates/templates-page.tsx'), 'TemplatesPage'),
})

const template = createRoute({
  getParentRoute: () => root,
  path: patterns.template,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(() => import('./pages/templates/template-page.tsx'), 'TemplatePage'),
})

const suppressions = createRoute({
  getParentRoute: () => root,
  path: patterns.suppressions,
  validateSearch: asGiven<Record<string, unknown>>,
  component: lazyRouteComponent(
    () => import('./pages/suppressions/suppressions-page.tsx'),
    'SuppressionsPage',
  ),
})

const outreachSettings = page(
  patterns.outreachSettings,
  () => import('./pages/settings/outreach-settings-page.tsx'),
  'OutreachSettingsPage',
)

const billingSettings = page(
  patterns.billingSettings,
  () => import('./pages/settings/billing-settings-page.tsx'),
  'BillingSettingsPage',
)

const meetingSettings = page(
  patterns.meetingSettings,
  () => import('./pages/settings/meeting-settings-page.tsx'),
  'MeetingSettingsPage',
)

const credits = createRoute({
  getParentRoute: () => root,
  path: patterns.credits,
  validateSearch: asGiven<CreditsSearch>,
  component: lazyRouteComponent(() => import('./pages/credits/credits-page.tsx'), 'CreditsPage'),
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: patterns.inbox,
  validateSearch: asGiven<InboxSearch>,
  component: lazyRouteComponent(() => import('./pages/webhooks/inbox-page.tsx'), 'InboxPage'),
})

const deliveries = createRoute({
  getParentRoute: () => root,
  path: patterns.deliveries,
  validateSearch: asGiven<DeliveriesSearch>,
  component: lazyRouteComponent(() => import('./pages/webhooks/deliveries-page.tsx'), 'DeliveriesPage'),
})

const members = page(patterns.members, () => import('./pages/team/members-page.tsx'), 'MembersPage')

const sessions = page(patterns.sessions, () => import('./pages/account/sessions-page.tsx'), 'SessionsPage')

const connectedApps = page(
  patterns.connectedApps,
  () => import('./pages/apps/connected-page.tsx'),
  'ConnectedPage',
)

const apps = page(patterns.apps, () => import('./pages/apps/apps-page.tsx'), 'AppsPage')

const audit = page(patterns.audit, () => import('./pages/audit/audit-page.tsx'), 'AuditPage')

const keys = page(patterns.keys, () => import('./pages/settings/keys-page.tsx'), 'KeysPage')

const leadSettings = page(
  patterns.leadSettings,
  () => import('./pages/settings/lead-settings-page.tsx'),
  'LeadSettingsPage',
)

const jobs = page(patterns.jobs, () => import('./pages/settings/jobs-page.tsx'), 'JobsPage')

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    leads,
    lead,
    candidates,
    candidate,
    pipeline,
    accounts,
    account,
    opportunities,
    opportunity,
    invoices,
    invoice,
    agents,
    agent,
    calls,
    call,
    meetings,
    tasks,
    projects,
    project,
    imports,
    importRun,
    forms,
    form,
    workflows,
    workflow,
    workflowRuns,
    workflowRun,
    sequences,
    sequence,
    outbox,
    templates,
    template,
    suppressions,
    outreachSettings,
    billingSettings,
    meetingSettings,
    credits,
    inbox,
    deliveries,
    leadSettings,
    members,
    sessions,
    connectedApps,
    apps,
    keys,
    audit,
    jobs,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: PageFault,
  defaultNotFoundComponent: PageMissing,
  // The pages keep their own place; the window itself never scrolls.
  scrollRestoration: false,
})

/** A page without a search of its own, fetched when somebody goes there. */
function page<const Path extends string, Module extends Record<string, unknown>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, name) })
}

/** The page itself takes of its search what it understands: the first download goes without that. */
function asGiven<Search = Record<string, unknown>>(raw: Record<string, unknown>): Search {
  return raw as Search
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
