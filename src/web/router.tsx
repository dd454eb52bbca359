import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { accountsSearch } from './pages/accounts/search.ts'
import { validateSearch } from './pages/leads/search.ts'
import { importSearch } from './pages/imports/search.ts'
import { listQuery } from './pages/leads/cache.ts'
import { boardQuery } from './pages/projects/cache.ts'
import { pipelineSearch } from './pages/pipeline/search.ts'
import { projectSearch, projectsSearch } from './pages/projects/search.ts'
import { tasksSearch } from './pages/tasks/search.ts'
import { opportunitiesSearch } from './pages/opportunities/search.ts'
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

const home = createRoute({
  getParentRoute: () => root,
  path: patterns.home,
  component: lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

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

const pipeline = createRoute({
  getParentRoute: () => root,
  path: patterns.pipeline,
  validateSearch: pipelineSearch,
  component: lazyRouteComponent(() => import('./pages/pipeline/pipeline-page.tsx'), 'PipelinePage'),
})

const accounts = createRoute({
  getParentRoute: () => root,
  path: patterns.accounts,
  validateSearch: accountsSearch,
  component: lazyRouteComponent(() => import('./pages/accounts/accounts-page.tsx'), 'AccountsPage'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: patterns.account,
  component: lazyRouteComponent(() => import('./pages/accounts/account-page.tsx'), 'AccountPage'),
})

const opportunities = createRoute({
  getParentRoute: () => root,
  path: patterns.opportunities,
  validateSearch: opportunitiesSearch,
  component: lazyRouteComponent(
    () => import('./pages/opportunities/opportunities-page.tsx'),
    'OpportunitiesPage',
  ),
})

const opportunity = createRoute({
  getParentRoute: () => root,
  path: patterns.opportunity,
  component: lazyRouteComponent(
    () => import('./pages/opportunities/opportunity-page.tsx'),
    'OpportunityPage',
  ),
})

const tasks = createRoute({
  getParentRoute: () => root,
  path: patterns.tasks,
  validateSearch: tasksSearch,
  component: lazyRouteComponent(() => import('./pages/tasks/tasks-page.tsx'), 'TasksPage'),
})

const projects = createRoute({
  getParentRoute: () => root,
  path: patterns.projects,
  validateSearch: projectsSearch,
  component: lazyRouteComponent(() => import('./pages/projects/projects-page.tsx'), 'ProjectsPage'),
})

const project = createRoute({
  getParentRoute: () => root,
  path: patterns.project,
  validateSearch: projectSearch,
  loader: ({ params }) => void queryClient.prefetchQuery(boardQuery(params.id)),
  component: lazyRouteComponent(() => import('./pages/projects/project-page.tsx'), 'ProjectPage'),
})

const imports = createRoute({
  getParentRoute: () => root,
  path: patterns.imports,
  component: lazyRouteComponent(() => import('./pages/imports/imports-page.tsx'), 'ImportsPage'),
})

const importRun = createRoute({
  getParentRoute: () => root,
  path: patterns.import,
  validateSearch: importSearch,
  component: lazyRouteComponent(() => import('./pages/imports/import-page.tsx'), 'ImportPage'),
})

const members = createRoute({
  getParentRoute: () => root,
  path: patterns.members,
  component: lazyRouteComponent(() => import('./pages/team/members-page.tsx'), 'MembersPage'),
})

const sessions = createRoute({
  getParentRoute: () => root,
  path: patterns.sessions,
  component: lazyRouteComponent(() => import('./pages/account/sessions-page.tsx'), 'SessionsPage'),
})

const connectedApps = createRoute({
  getParentRoute: () => root,
  path: patterns.connectedApps,
  component: lazyRouteComponent(() => import('./pages/apps/connected-page.tsx'), 'ConnectedPage'),
})

const apps = createRoute({
  getParentRoute: () => root,
  path: patterns.apps,
  component: lazyRouteComponent(() => import('./pages/apps/apps-page.tsx'), 'AppsPage'),
})

const audit = createRoute({
  getParentRoute: () => root,
  path: patterns.audit,
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: patterns.keys,
  component: lazyRouteComponent(() => import('./pages/settings/keys-page.tsx'), 'KeysPage'),
})

const leadSettings = createRoute({
  getParentRoute: () => root,
  path: patterns.leadSettings,
  component: lazyRouteComponent(() => import('./pages/settings/lead-settings-page.tsx'), 'LeadSettingsPage'),
})

const jobs = createRoute({
  getParentRoute: () => root,
  path: patterns.jobs,
  component: lazyRouteComponent(() => import('./pages/settings/jobs-page.tsx'), 'JobsPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    leads,
    lead,
    pipeline,
    accounts,
    account,
    opportunities,
    opportunity,
    tasks,
    projects,
    project,
    imports,
    importRun,
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

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
