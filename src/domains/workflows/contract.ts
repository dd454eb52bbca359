import {
  anyOf,
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { recordEndpoints } from '#platform/record-endpoints.ts'
import { WhichLeads } from '#domains/leads/contract.ts'
import { definition, Filter, Node, Trigger, WorkflowDefinition } from './definition-contract.ts'
import { runEndpoints, Simulation, Try } from './run-contract.ts'
import { nodeTypes, START_LEADS_MAX, workflowStatuses } from './values.ts'

/** The run's public data is in a separate file. */

export type { ListRuns, Run, RunInFull, Simulation, TraceEntry, Try } from './run-contract.ts'
export type { WorkflowDefinition } from './definition-contract.ts'

const read = { scope: 'workflows:read' } as const
const write = { scope: 'workflows:write' } as const

/** Somebody is still working at it: it need not be right. */
const Draft = t.Object(
  {
    name: Text,
    trigger: t.String({ maxLength: 120, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
    filters: t.Array(t.Record(t.String(), t.Unknown()), { maxItems: 20 }),
    once_per_lead: t.Boolean(),
    nodes: t.Array(t.Record(t.String(), t.Unknown()), { maxItems: 500 }),
  },
  { $id: 'WorkflowDraft', additionalProperties: false },
)
export type Draft = Static<typeof Draft>

export const Warning = t.Object({ path: t.String(), message: t.String() })
export type Warning = Static<typeof Warning>

const workflow = {
  id: Id,
  name: Text,
  ...definition,
  status: oneOf(workflowStatuses),
  version: t.Integer({ description: '0 until first published' }),
  has_draft: t.Boolean({ description: 'Whether there are unpublished changes' }),
  created_at: Instant,
  updated_at: Instant,
  deleted_at: nullable(Instant),
}
export const Workflow = t.Object(workflow, { $id: 'Workflow' })
export type Workflow = Static<typeof Workflow>

export const WorkflowInFull = t.Object(
  {
    ...workflow,
    draft: nullable(Draft),
    warnings: t.Array(Warning, {
      description: 'Issues that do not prevent publishing, like a missing template',
    }),
    problems: t.Array(Warning, { description: 'Why the draft cannot be published yet' }),
  },
  { $id: 'WorkflowInFull' },
)
export type WorkflowInFull = Static<typeof WorkflowInFull>

const given = {
  filters: t.Optional(t.Array(Filter, { maxItems: 20 })),
  once_per_lead: t.Optional(t.Boolean()),
}
export const NewWorkflow = t.Object(
  {
    name: Text,
    trigger: Trigger,
    nodes: t.Array(Node, { description: 'Ordered; a tree, not a graph' }),
    ...given,
    status: t.Optional(oneOf(workflowStatuses, 'ACTIVE by default')),
  },
  { additionalProperties: false },
)
export type NewWorkflow = Static<typeof NewWorkflow>

export const WorkflowChange = t.Object(
  {
    name: t.Optional(Text),
    trigger: t.Optional(Trigger),
    nodes: t.Optional(t.Array(Node)),
    ...given,
    status: t.Optional(oneOf(workflowStatuses)),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type WorkflowChange = Static<typeof WorkflowChange>

const ListWorkflows = t.Object(
  {
    ...paging,
    sort: sortBy(['name', 'created_at', 'updated_at']),
    q: t.Optional(t.String({ maxLength: 200 })),
    status: anyOf(oneOf(workflowStatuses)),
    trashed: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
)
export type ListWorkflows = Static<typeof ListWorkflows>

export const WorkflowVersion = t.Object({
  version: t.Integer(),
  definition: WorkflowDefinition,
  created_at: Instant,
  created_by: nullable(t.String()),
})
export type WorkflowVersion = Static<typeof WorkflowVersion>

export const Difference = t.Object({
  path: t.String({ description: 'Current path of the node; its previous path if it was removed' }),
  kind: oneOf(['added', 'removed', 'changed', 'moved']),
  what: t.String({ description: 'In plain words' }),
  fields: t.Array(t.Object({ field: t.String(), before: t.Unknown(), after: t.Unknown() })),
})
export type Difference = Static<typeof Difference>

const CatalogEntry = t.Object({
  title: t.String(),
  description: t.String(),
  schema: t.Record(t.String(), t.Unknown(), { description: 'JSON Schema of its fields' }),
  lists: t.Array(t.String(), { description: 'Fields that contain nodes' }),
})
export const Catalog = t.Object({
  triggers: t.Array(
    t.Object({
      name: t.String(),
      label: t.String(),
      description: t.String(),
      fields: t.Array(t.Object({ field: t.String(), label: t.String(), type: t.String() })),
      sample: t.Record(t.String(), t.Unknown()),
    }),
  ),
  actions: t.Array(t.Object({ action: t.String(), ...CatalogEntry.properties })),
  logic: t.Array(t.Object({ type: oneOf(nodeTypes), ...CatalogEntry.properties })),
  operators: t.Array(t.Object({ op: t.String(), label: t.String() })),
  lead_fields: t.Array(
    t.Object({
      field: t.String(),
      label: t.String(),
      type: t.String(),
      options: t.Optional(t.Array(t.String())),
    }),
  ),
  starters: t.Array(
    t.Object({
      key: t.String(),
      name: t.String(),
      description: t.String(),
      definition: WorkflowDefinition,
    }),
  ),
  agents: t.Array(t.String(), { description: 'Names of the voice agents, oldest first' }),
  limits: t.Record(t.String(), t.Integer()),
})
export type Catalog = Static<typeof Catalog>

const ByVersion = t.Object({
  id: Id,
  version: t.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'A version number' }),
})
const Started = t.Object({
  runs: t.Integer({ description: 'Number of runs started' }),
  passed_over: t.Integer({ description: 'Leads that have already been through this workflow' }),
})
export type Started = Static<typeof Started>

export const endpoints = defineEndpoints({
  readWorkflowCatalog: {
    method: 'GET',
    path: '/api/crm/workflows/catalog',
    summary: 'List all triggers, actions and logic nodes with their field schemas',
    auth: read,
    output: Catalog,
  },
  ...recordEndpoints({
    one: 'Workflow',
    many: 'Workflows',
    path: '/api/crm/workflows',
    read,
    write,
    query: ListWorkflows,
    listed: Workflow,
    whole: WorkflowInFull,
    create: NewWorkflow,
    change: WorkflowChange,
    summaries: {
      list: 'List workflows',
      create: 'Create a workflow; it is active immediately unless its status says otherwise',
      read: 'Read a workflow with its draft',
      change: 'Update a workflow: a changed definition becomes a new version; current runs stay on theirs',
      trash: 'Move a workflow to the trash for 30 days; current runs are cancelled',
      restore: 'Restore a workflow from the trash, paused',
    },
  }),
  saveWorkflowDraft: {
    method: 'PUT',
    path: '/api/crm/workflows/:id/draft',
    summary: 'Save a draft without publishing it; problems are reported but do not prevent saving',
    auth: write,
    params: ById,
    body: Draft,
    output: WorkflowInFull,
    etag: true,
  },
  discardWorkflowDraft: {
    method: 'DELETE',
    path: '/api/crm/workflows/:id/draft',
    summary: 'Discard unpublished changes',
    auth: write,
    params: ById,
    output: WorkflowInFull,
    status: 200,
    etag: true,
  },
  publishWorkflow: {
    method: 'POST',
    path: '/api/crm/workflows/:id/publish',
    summary: 'Publish the draft as a new version',
    auth: write,
    params: ById,
    output: WorkflowInFull,
    status: 200,
    etag: true,
  },
  listWorkflowVersions: {
    method: 'GET',
    path: '/api/crm/workflows/:id/versions',
    summary: 'List published versions of a workflow, newest first',
    auth: read,
    params: ById,
    query: t.Object(paging, { additionalProperties: false }),
    output: listOf(WorkflowVersion),
  },
  compareWorkflowVersion: {
    method: 'GET',
    path: '/api/crm/workflows/:id/versions/:version/changes',
    summary: 'Compare a version with another, by default with the previous one',
    auth: read,
    params: ByVersion,
    query: t.Object(
      { since: t.Optional(t.Integer({ minimum: 1, maximum: 2_000_000_000 })) },
      { additionalProperties: false },
    ),
    output: t.Object({ since: nullable(t.Integer()), changes: t.Array(Difference) }),
  },
  testWorkflow: {
    method: 'POST',
    path: '/api/crm/workflows/:id/test',
    summary: 'Test a workflow on a simulated clock without side effects; returns what would happen and when',
    auth: write,
    params: ById,
    body: Try,
    output: Simulation,
    status: 200,
  },
  startWorkflow: {
    method: 'POST',
    path: '/api/crm/workflows/:id/start',
    summary: 'Start a workflow manually for some leads',
    auth: write,
    params: ById,
    body: t.Object(
      { lead_ids: t.Array(Id, { minItems: 1, maxItems: START_LEADS_MAX, uniqueItems: true }) },
      { additionalProperties: false },
    ),
    output: Started,
    status: 200,
  },
  startWorkflowForMatching: {
    method: 'POST',
    path: '/api/crm/workflows/:id/start-matching',
    summary: 'Start a workflow manually for all matching leads, in the background',
    auth: write,
    params: ById,
    body: t.Object({ filter: WhichLeads }, { additionalProperties: false }),
    output: t.Object({
      matching: t.Integer({ description: 'Number of matching leads; runs start in batches' }),
    }),
    status: 200,
  },
  ...runEndpoints,
})

const Fields = t.Record(t.String(), t.Unknown())
const live = { live: 'workflows:read' } as const
const called = { name: t.Optional(t.String()) }
export const workflowEvents = {
  created: defineEvent('workflow.created', t.Object({ workflow: Fields }), { ...live, bare: true }),
  changed: defineEvent('workflow.changed', t.Object({ before: Fields, after: Fields, ...called }), {
    ...live,
    bare: true,
  }),
  trashed: defineEvent('workflow.trashed', t.Object(called), live),
  restored: defineEvent('workflow.restored', t.Object(called), live),
  published: defineEvent('workflow.published', t.Object({ name: t.String(), version: t.Integer() }), live),
}
