import type { Endpoints, Handlers } from '#platform/contract.ts'
import type { BearerKind } from '#platform/bearer.ts'
import {
  createRegistry,
  type JobDefinition,
  type Reaction,
  type Registry,
  type ScheduledJob,
  type Sweep,
} from '#platform/registry.ts'
import * as identityContract from '#domains/identity/contract.ts'
import { api as identityApi } from '#domains/identity/api.ts'
import { jobs as identityJobs } from '#domains/identity/jobs.ts'
import { apiKey } from '#domains/identity/keys.ts'
import * as oauthContract from '#domains/oauth/contract.ts'
import { api as oauthApi } from '#domains/oauth/api.ts'
import { accessToken } from '#domains/oauth/bearer.ts'
import * as auditContract from '#domains/audit/contract.ts'
import { api as auditApi } from '#domains/audit/api.ts'
import * as accountsContract from '#domains/accounts/contract.ts'
import { api as accountsApi } from '#domains/accounts/api.ts'
import { sweeps as accountsSweeps } from '#domains/accounts/jobs.ts'
import * as leadsContract from '#domains/leads/contract.ts'
import { api as leadsApi } from '#domains/leads/api.ts'
import { reactions as leadsReactions } from '#domains/leads/reactions.ts'
import { jobs as leadsJobs, sweeps as leadsSweeps } from '#domains/leads/jobs.ts'
import * as opportunitiesContract from '#domains/opportunities/contract.ts'
import { api as opportunitiesApi } from '#domains/opportunities/api.ts'
import { sweeps as opportunitiesSweeps } from '#domains/opportunities/jobs.ts'
import * as projectsContract from '#domains/projects/contract.ts'
import { api as projectsApi } from '#domains/projects/api.ts'
import { jobs as projectsJobs, sweeps as projectsSweeps } from '#domains/projects/jobs.ts'
import { reactions as projectsReactions } from '#domains/projects/reactions.ts'
import * as importsContract from '#domains/imports/contract.ts'
import { api as importsApi } from '#domains/imports/api.ts'
import { jobs as importsJobs, sweeps as importsSweeps } from '#domains/imports/jobs.ts'
import * as viewsContract from '#domains/views/contract.ts'
import { api as viewsApi } from '#domains/views/api.ts'
import * as searchContract from '#domains/search/contract.ts'
import { api as searchApi } from '#domains/search/api.ts'
import * as homeContract from '#domains/home/contract.ts'
import { api as homeApi } from '#domains/home/api.ts'
import * as liveContract from '#domains/live/contract.ts'
import { api as liveApi } from '#domains/live/api.ts'
import * as operationsContract from '#domains/operations/contract.ts'
import { api as operationsApi } from '#domains/operations/api.ts'
import { scheduled as operationsScheduled } from '#domains/operations/jobs.ts'

export type Domain = {
  name: string
  endpoints: Endpoints
  api: Handlers<Endpoints>
  reactions?: readonly Reaction[]
  jobs?: readonly JobDefinition[]
  scheduled?: readonly ScheduledJob[]
  sweeps?: readonly Sweep[]
  bearers?: readonly BearerKind[]
}

/** The domains in their order: one may call those above it, everything else is an event. `test/tidy.test.ts` watches. */
export const domains: readonly Domain[] = [
  domain('identity', identityContract.endpoints, identityApi, { jobs: identityJobs, bearers: [apiKey] }),
  domain('oauth', oauthContract.endpoints, oauthApi, { bearers: [accessToken] }),
  domain('audit', auditContract.endpoints, auditApi),
  domain('accounts', accountsContract.endpoints, accountsApi, { sweeps: accountsSweeps }),
  domain('leads', leadsContract.endpoints, leadsApi, {
    reactions: leadsReactions,
    jobs: leadsJobs,
    sweeps: leadsSweeps,
  }),
  domain('opportunities', opportunitiesContract.endpoints, opportunitiesApi, { sweeps: opportunitiesSweeps }),
  domain('projects', projectsContract.endpoints, projectsApi, {
    reactions: projectsReactions,
    jobs: projectsJobs,
    sweeps: projectsSweeps,
  }),
  domain('imports', importsContract.endpoints, importsApi, { jobs: importsJobs, sweeps: importsSweeps }),
  domain('views', viewsContract.endpoints, viewsApi),
  domain('search', searchContract.endpoints, searchApi),
  domain('home', homeContract.endpoints, homeApi),
  domain('live', liveContract.endpoints, liveApi),
  domain('operations', operationsContract.endpoints, operationsApi, { scheduled: operationsScheduled }),
]

export function registryOf(domains: readonly Domain[]): Registry {
  return createRegistry({
    reactions: domains.flatMap(domain => domain.reactions ?? []),
    jobs: domains.flatMap(domain => domain.jobs ?? []),
    scheduled: domains.flatMap(domain => domain.scheduled ?? []),
    sweeps: domains.flatMap(domain => domain.sweeps ?? []),
    bearers: domains.flatMap(domain => domain.bearers ?? []),
  })
}

type Parts = Omit<Domain, 'name' | 'endpoints' | 'api'>

function domain<E extends Endpoints>(
  name: string,
  endpoints: E,
  api: Handlers<E>,
  parts: Parts = {},
): Domain {
  return { name, endpoints, api: api as unknown as Handlers<Endpoints>, ...parts }
}
