import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { lockListeners, setListeners } from '#platform/listeners.ts'
import { isAnyOf, listPage, type Listing } from '#platform/listing.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { quickMatches } from '#platform/quick-search.ts'
import { disconnectAll } from '#domains/deliveries/service.ts'
import { getSettings as accountSettings } from '#domains/accounts/service.ts'
import { recentSettings } from '#domains/leads/service.ts'
import {
  workflowEvents,
  type Difference,
  type Draft,
  type ListWorkflows,
  type NewWorkflow,
  type Workflow,
  type WorkflowChange,
  type WorkflowInFull,
} from './contract.ts'
import type { Definition } from './definition.ts'
import { differences } from './differences.ts'
import { definitionFaults } from './faults.ts'
import { withActionNames } from './labels.ts'
import type { OwnKeys } from './nodes/record-fields.ts'
import { outgoingFaults } from './outgoing.ts'
import { warningsOf } from './references.ts'
import { cancelPaused } from './run-store.ts'
import * as store from './store.ts'
import { records, workflowColumns, type WorkflowRow } from './store.ts'
import { triggerOf } from './triggers.ts'
import { DELETED } from './values.ts'

type Sort = 'name' | 'created_at' | 'updated_at'
const listing: Listing<Sort> = {
  table: 'workflows',
  columns: workflowColumns,
  sorts: {
    name: { column: 'name_key', type: 'text' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
  defaultSort: '-created_at',
}

export async function listWorkflows(ctx: Context, query: ListWorkflows) {
  const { data, next_cursor } = await listPage<WorkflowRow, Sort>(
    ctx,
    listing,
    query,
    isAnyOf('status', query.status),
  )
  return { data: data.map(shown), next_cursor }
}

export async function quickWorkflows(ctx: Context, q: string, limit: number): Promise<Workflow[]> {
  const searched = { table: 'workflows', columns: workflowColumns, keys: ['name_key'], recent: 'updated_at' }
  return (await quickMatches<WorkflowRow>(ctx, searched, q, limit)).map(shown)
}

export const getWorkflow = records.get
export const purgeWorkflows = records.purge

export async function readWorkflow(ctx: Context, id: string): Promise<WorkflowInFull> {
  return inFull(ctx, await records.get(ctx, id))
}

export async function createWorkflow(ctx: Context, input: NewWorkflow): Promise<WorkflowInFull> {
  const workflow = await ctx.transaction(async ctx => {
    const { name, status = 'ACTIVE' } = input
    const definition = definitionOf(input)
    await check(ctx, definition, { toRun: status !== 'DRAFT' })
    const at = ctx.now()
    const made: WorkflowRow = {
      id: ctx.newId(),
      name,
      ...definition,
      hears: hearsOf(definition),
      status,
      version: status === 'DRAFT' ? 0 : 1,
      draft: null,
      author_id: authorOf(ctx),
      created_at: at,
      updated_at: at,
      deleted_at: null,
    }
    lockListeners(ctx)
    records.insert(ctx, made)
    if (made.version > 0) store.insertVersion(ctx, made.id, made.version, definition)
    await followListeners(ctx)
    const { name: called, trigger, version } = made
    record(ctx, workflowEvents.created, records.about(made), {
      workflow: { name: called, trigger, status, version },
    })
    return made
  })
  return inFull(ctx, workflow)
}

/** A new definition of one that was published is a new version at once; runs under way stay on theirs. */
export async function changeWorkflow(
  ctx: Context,
  id: string,
  input: WorkflowChange,
  ifMatch?: string,
): Promise<WorkflowInFull> {
  const workflow = await ctx.transaction(async ctx => {
    lockListeners(ctx)
    const before = await records.getForChange(ctx, id, ifMatch)
    const status = input.status ?? before.status
    refuseBackToDraft(before, status)
    const definition = definitionOf({ ...before, ...input })
    const isRewritten = JSON.stringify(definition) !== JSON.stringify(definitionOf(before))
    // Whatever has become wrong meanwhile, it can be paused.
    const begins = status !== before.status && (status === 'ACTIVE' || before.status === 'DRAFT')
    const isFirst = before.status === 'DRAFT' && status !== 'DRAFT'
    if (isRewritten || begins) await check(ctx, definition, { toRun: status !== 'DRAFT', toPublish: isFirst })
    const isPublished = status !== 'DRAFT' && (isRewritten || before.version === 0)
    const name = input.name ?? before.name
    return rewrite(ctx, before, { name, status, definition, isPublished })
  })
  return inFull(ctx, workflow)
}

/** Runs that are paused are cancelled now, those under way when their time comes. */
export async function trashWorkflow(ctx: Context, id: string, ifMatch?: string): Promise<void> {
  await ctx.transaction(async ctx => {
    lockListeners(ctx)
    await records.trash(ctx, id, ifMatch)
    await disconnectAll(ctx, { kind: 'workflow', id })
    cancelPaused(ctx, id, DELETED)
    await followListeners(ctx)
  })
}

/** It does not become active again automatically. */
export async function restoreWorkflow(ctx: Context, id: string): Promise<WorkflowInFull> {
  const restored = await records.restore(ctx, id, (_, { status }) =>
    status === 'ACTIVE' ? { status: 'PAUSED' } : {},
  )
  return inFull(ctx, restored)
}

/** Kept as it is, right or not; what runs stays as it was. */
export async function saveDraft(
  ctx: Context,
  id: string,
  draft: Draft,
  ifMatch?: string,
): Promise<WorkflowInFull> {
  const workflow = await ctx.transaction(async ctx => {
    const before = await records.getForChange(ctx, id, ifMatch)
    const { trigger, nodes } = definitionOf(draft as Definition & Draft)
    return records.write(ctx, before, { draft: { ...draft, trigger, nodes: nodes as Draft['nodes'] } })
  })
  return inFull(ctx, workflow)
}

export async function discardDraft(ctx: Context, id: string, ifMatch?: string): Promise<WorkflowInFull> {
  const workflow = await ctx.transaction(async ctx => {
    const before = await records.getForChange(ctx, id, ifMatch)
    return before.draft ? records.write(ctx, before, { draft: null }) : before
  })
  return inFull(ctx, workflow)
}

/** The draft becomes what runs. Without one, a workflow that never ran begins with what it has. */
export async function publishWorkflow(ctx: Context, id: string, ifMatch?: string): Promise<WorkflowInFull> {
  const workflow = await ctx.transaction(async ctx => {
    lockListeners(ctx)
    const before = await records.getForChange(ctx, id, ifMatch)
    const wanted = before.draft ?? before
    const definition = definitionOf(wanted as Definition)
    await check(ctx, definition, { toRun: true, toPublish: true })
    const isRewritten = JSON.stringify(definition) !== JSON.stringify(definitionOf(before))
    const isPublished = isRewritten || before.version === 0
    return rewrite(ctx, before, { name: wanted.name, status: 'ACTIVE', definition, isPublished, draft: null })
  })
  return inFull(ctx, workflow)
}

export async function listVersions(ctx: Context, id: string, query: { limit?: number; cursor?: string }) {
  await records.get(ctx, id)
  const { limit = LIST_LIMIT_DEFAULT, cursor } = query
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const rows = await store.listVersions(ctx, id, limit + 1, after)
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const more = rows.length > limit && last
  return { data, next_cursor: more ? encodeCursor([last.created_at, store.versionKey(last.version)]) : null }
}

export async function compareVersion(
  ctx: Context,
  id: string,
  version: number,
  since?: number,
): Promise<{ since: number | null; changes: Difference[] }> {
  await records.get(ctx, id)
  const after = await store.findVersion(ctx, id, version)
  if (!after) throw new Problem('not_found', 'No such version.')
  const earlier = since ?? (version > 1 ? version - 1 : null)
  const before = earlier === null ? undefined : await store.findVersion(ctx, id, earlier)
  if (since !== undefined && !before) throw new Problem('not_found', 'No such version.')
  return {
    since: before ? earlier : null,
    changes: differences(before?.definition ?? null, after.definition),
  }
}

/** What decides what a workflow does, in one spelling. */
export function definitionOf(input: {
  trigger: string
  nodes: Definition['nodes']
  filters?: Definition['filters'] | undefined
  once_per_lead?: boolean | undefined
}): Definition {
  const { trigger, filters = [], once_per_lead = false, nodes } = input
  return {
    trigger: triggerOf(trigger)?.name ?? trigger,
    filters,
    once_per_lead,
    nodes: withActionNames(nodes),
  }
}

/** The keys of the fields that the team has made itself. */
export async function ownKeys(ctx: Context): Promise<OwnKeys> {
  const [lead, account] = await Promise.all([recentSettings(ctx), accountSettings(ctx)])
  const keysOf = (fields: readonly { key: string }[]) => fields.map(({ key }) => key)
  return { lead: keysOf(lead.custom_fields), account: keysOf(account.custom_fields) }
}

type Rewriting = {
  name: string
  status: WorkflowRow['status']
  definition: Definition
  isPublished: boolean
  draft?: null
}

async function rewrite(ctx: Context, before: WorkflowRow, wanted: Rewriting): Promise<WorkflowRow> {
  const { name, status, definition, isPublished, ...draft } = wanted
  const version = before.version + (isPublished ? 1 : 0)
  const fields = { name, status, ...definition, hears: hearsOf(definition), version, ...draft }
  const changed = records.change(ctx, before, fields)
  if (isPublished) {
    store.insertVersion(ctx, before.id, version, definition)
    record(ctx, workflowEvents.published, records.about(changed), { name, version })
  }
  await followListeners(ctx)
  return changed
}

async function followListeners(ctx: Context): Promise<void> {
  setListeners(ctx, await store.findHeard(ctx))
}

/** References to other records are enforced on publish; a definition sent by API only gets warnings. */
async function check(
  ctx: Context,
  definition: Definition,
  { toRun, toPublish = false }: { toRun: boolean; toPublish?: boolean },
): Promise<void> {
  const own = await ownKeys(ctx)
  const faults = definitionFaults(definition, own)
  if (toPublish) faults.push(...(await outgoingFaults(ctx, definition, own)))
  if (toRun && definition.nodes.length === 0)
    faults.push({ path: 'nodes', message: 'must have at least one node' })
  if (faults.length === 0) return
  // If these are the only errors, they get the usual https code.
  if (faults.every(({ path }) => path.endsWith('.url'))) throw httpsRequired(faults)
  throw invalid(faults)
}

function httpsRequired(errors: Fault[]): Problem {
  const [{ path, message }] = errors as [Fault]
  return new Problem('invalid', `${path}: ${message}`, { code: 'https_required', errors })
}

/** Also behind a key or an app: whose it is. */
function authorOf({ principal, actor }: Context): string | null {
  return principal?.user_id ?? (actor.kind === 'person' ? actor.id : null)
}

function hearsOf({ trigger }: Definition): string {
  return triggerOf(trigger)?.hears ?? trigger
}

function refuseBackToDraft(before: WorkflowRow, status: WorkflowRow['status']): void {
  if (status !== 'DRAFT' || before.status === 'DRAFT') return
  throw new Problem('conflict', 'A published workflow cannot become a draft again. Pause it instead.', {
    code: 'workflow_is_published',
  })
}

async function inFull(ctx: Context, row: WorkflowRow): Promise<WorkflowInFull> {
  const latest = definitionOf((row.draft ?? row) as Definition)
  const [own, missing] = await Promise.all([ownKeys(ctx), warningsOf(ctx, latest)])
  const outgoing = await outgoingFaults(ctx, latest, own)
  const isToPublish = row.version === 0 || row.draft !== null
  const problems = [
    ...definitionFaults(latest, own),
    ...(isToPublish ? outgoing : []),
    ...(latest.nodes.length === 0 ? [{ path: 'nodes', message: 'needs a first step' }] : []),
  ]
  const warnings = isToPublish ? missing : [...missing, ...outgoing]
  return { ...shown(row), draft: row.draft, warnings, problems }
}

function shown({ draft, hears: _, author_id: _author, ...workflow }: WorkflowRow): Workflow {
  return { ...workflow, has_draft: draft !== null }
}
