import type { Endpoints, Handlers } from '#platform/contract.ts'
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
import * as leadsContract from '#domains/leads/contract.ts'
import { api as leadsApi } from '#domains/leads/api.ts'
import { reactions as leadsReactions } from '#domains/leads/reactions.ts'
import { sweeps as leadsSweeps } from '#domains/leads/jobs.ts'
import * as viewsContract from '#domains/views/contract.ts'
import { api as viewsApi } from '#domains/views/api.ts'
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
}

/** The domains in their order: one may call those above it, everything else is an event. `test/tidy.test.ts` watches. */
export const domains: readonly Domain[] = [
  domain('identity', identityContract.endpoints, identityApi),
  domain('leads', leadsContract.endpoints, leadsApi, { reactions: leadsReactions, sweeps: leadsSweeps }),
  domain('views', viewsContract.endpoints, viewsApi),
  domain('live', liveContract.endpoints, liveApi),
  domain('operations', operationsContract.endpoints, operationsApi, { scheduled: operationsScheduled }),
]

export function registryOf(domains: readonly Domain[]): Registry {
  return createRegistry({
    reactions: domains.flatMap(domain => domain.reactions ?? []),
    jobs: domains.flatMap(domain => domain.jobs ?? []),
    scheduled: domains.flatMap(domain => domain.scheduled ?? []),
    sweeps: domains.flatMap(domain => domain.sweeps ?? []),
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
