import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { validateSearch } from './pages/leads/search.ts'
import { listQuery } from './pages/leads/cache.ts'
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
  beforeLoad: () => {
    throw redirect({ to: patterns.leads, replace: true })
  },
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
