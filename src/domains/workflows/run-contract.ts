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
  t,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { WorkflowDefinition } from './definition-contract.ts'
import { nodeTypes, outcomes, runStatuses } from './values.ts'

const read = { scope: 'workflows:read' } as const
const write = { scope: 'workflows:write' } as const

export const TraceEntry = t.Object(
  {
    path: t.String({ description: 'The node, like nodes[2].else[0]' }),
    type: oneOf(nodeTypes),
    action: t.Optional(t.String()),
    name: t.Optional(t.String()),
    outcome: oneOf(outcomes),
    note: nullable(t.String()),
    input: t.Optional(t.Record(t.String(), t.Unknown())),
    result: t.Optional(t.Record(t.String(), t.Unknown())),
    until: t.Optional(Instant),
    turn: t.Optional(t.Integer()),
    at: Instant,
  },
  { $id: 'WorkflowTraceEntry' },
)
export type TraceEntry = Static<typeof TraceEntry>

const run = {
  id: Id,
  workflow_id: Id,
  version: t.Integer(),
  status: oneOf(runStatuses),
  lead_id: nullable(Id),
  lead_name: nullable(t.String()),
  error: nullable(t.String()),
  failed_path: nullable(t.String()),
  next_at: nullable(t.String({ format: 'date-time', description: 'When it continues' })),
  created_at: Instant,
  updated_at: Instant,
  ended_at: nullable(Instant),
}
export const Run = t.Object(run, { $id: 'WorkflowRun' })
export type Run = Static<typeof Run>

export const RunInFull = t.Object(
  {
    ...run,
    workflow_name: t.String(),
    event: t.Record(t.String(), t.Unknown()),
    definition: WorkflowDefinition,
    trace: t.Array(TraceEntry),
  },
  { $id: 'WorkflowRunInFull' },
)
export type RunInFull = Static<typeof RunInFull>

const ListRuns = t.Object(
  {
    ...paging,
    status: anyOf(oneOf(runStatuses)),
    lead_id: t.Optional(Id),
    version: t.Optional(t.Integer({ minimum: 1, maximum: 2_000_000_000 })),
    from: t.Optional(Instant),
    until: t.Optional(Instant),
  },
  { additionalProperties: false },
)
export type ListRuns = Static<typeof ListRuns>

export const Try = t.Object(
  {
    event: t.Optional(
      t.Unsafe<Record<string, unknown>>(
        t.Object({}, { additionalProperties: true, description: 'Sample trigger data' }),
      ),
    ),
    lead_id: t.Optional(Id),
    draft: t.Optional(t.Boolean({ description: 'Whether to test the unpublished draft' })),
  },
  { additionalProperties: false },
)
export type Try = Static<typeof Try>

export const Simulation = t.Object({
  status: oneOf(['DONE', 'FAILED', 'FILTERED'], 'FILTERED: the event does not meet the trigger conditions'),
  error: nullable(t.String()),
  began_at: Instant,
  ended_at: Instant,
  trace: t.Array(TraceEntry),
})
export type Simulation = Static<typeof Simulation>

export const runEndpoints = defineEndpoints({
  listWorkflowRuns: {
    method: 'GET',
    path: '/api/crm/workflows/:id/runs',
    summary: 'List runs of a workflow, newest first',
    auth: read,
    params: ById,
    query: ListRuns,
    output: listOf(Run),
  },
  readWorkflowRun: {
    method: 'GET',
    path: '/api/crm/workflows/runs/:id',
    summary: 'Read a run with its trigger event and steps',
    auth: read,
    params: ById,
    output: RunInFull,
  },
  cancelWorkflowRun: {
    method: 'POST',
    path: '/api/crm/workflows/runs/:id/cancel',
    summary: 'Cancel a run',
    auth: write,
    params: ById,
    output: Run,
    status: 200,
  },
  pauseWorkflowRun: {
    method: 'POST',
    path: '/api/crm/workflows/runs/:id/pause',
    summary: 'Pause a run',
    auth: write,
    params: ById,
    output: Run,
    status: 200,
  },
  resumeWorkflowRun: {
    method: 'POST',
    path: '/api/crm/workflows/runs/:id/resume',
    summary: 'Resume a paused run',
    auth: write,
    params: ById,
    output: Run,
    status: 200,
  },
  retryWorkflowRun: {
    method: 'POST',
    path: '/api/crm/workflows/runs/:id/retry',
    summary: 'Retry a failed run from the failed node',
    auth: write,
    params: ById,
    output: Run,
    status: 200,
  },
  replayWorkflowRun: {
    method: 'POST',
    path: '/api/crm/workflows/runs/:id/replay',
    summary: 'Rerun from the start on the latest version; previous effects stay',
    auth: write,
    params: ById,
    output: Run,
    status: 201,
    location: '/api/crm/workflows/runs/{id}',
  },
})

const live = { live: 'workflows:read' } as const
const OfRun = t.Object({ workflow_id: Id, name: t.String(), version: t.Integer() })
/** These appear on the lead's timeline. */
export const runEvents = {
  started: defineEvent('workflow.started', OfRun, live),
  failed: defineEvent('workflow.failed', t.Object({ ...OfRun.properties, reason: t.String() }), live),
  controlled: defineEvent(
    'workflow.run_changed',
    t.Object({ ...OfRun.properties, before: oneOf(runStatuses), after: oneOf(runStatuses) }),
    live,
  ),
}
