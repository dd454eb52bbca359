import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { keeper } from '#platform/records.ts'
import type { Comparison, Definition, Node } from './definition.ts'
import { workflowEvents, type Draft, type WorkflowVersion } from './contract.ts'
import type { WorkflowStatus } from './values.ts'

export type WorkflowRow = {
  id: string
  name: string
  trigger: string
  hears: string
  filters: Comparison[]
  once_per_lead: boolean
  nodes: Node[]
  status: WorkflowStatus
  version: number
  draft: Draft | null
  /** The person who made it. */
  author_id: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
}

export const workflowColumns = [
  'id',
  'name',
  'trigger',
  'hears',
  'filters',
  'once_per_lead',
  'nodes',
  'status',
  'version',
  'draft',
  'author_id',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof WorkflowRow)[]

export const records = keeper<WorkflowRow>({
  noun: 'workflow',
  table: 'workflows',
  columns: workflowColumns,
  json: ['filters', 'nodes', 'draft'],
  events: workflowEvents,
  nameOf: ({ name }) => name,
})

/** The events that some active workflow hears. */
export async function findHeard(ctx: Context): Promise<string[]> {
  const rows = await ctx.all(
    raw<{ hears: string }>(sql`select distinct hears from workflows
      where team_id = ${ctx.team_id} and status = 'ACTIVE' and deleted_at is null`),
  )
  return rows.map(({ hears }) => hears)
}

export type Listener = Pick<
  WorkflowRow,
  'id' | 'name' | 'version' | 'filters' | 'once_per_lead' | 'status' | 'author_id' | 'deleted_at'
>

/** The active workflows that hear this event, without what they do. */
export async function findHearing(ctx: Context, type: string): Promise<Listener[]> {
  return ctx.all(
    raw<Listener>(sql`select ${listener} from workflows
      where team_id = ${ctx.team_id} and hears = ${type} and status = 'ACTIVE' and deleted_at is null order by id`),
  )
}

export async function findListeners(ctx: Context, ids: readonly string[]): Promise<Listener[]> {
  return ctx.all(
    raw<Listener>(
      sql`select ${listener} from workflows where team_id = ${ctx.team_id} and id = any(${ids}::text[])`,
    ),
  )
}

const listener = sql`id, name, version, filters, once_per_lead, status, author_id, deleted_at`

export function insertVersion(ctx: Context, id: string, version: number, definition: Definition): void {
  ctx.later(
    db.insertInto('workflow_versions').values({
      team_id: ctx.team_id,
      workflow_id: id,
      version,
      definition: JSON.stringify(definition) as unknown as Definition,
      created_at: ctx.now(),
      created_by: ctx.actor.name,
    }),
  )
}

export async function findVersion(
  ctx: Context,
  id: string,
  version: number,
): Promise<WorkflowVersion | undefined> {
  return ctx.first(
    db
      .selectFrom('workflow_versions')
      .select(['version', 'definition', 'created_at', 'created_by'])
      .where('team_id', '=', ctx.team_id)
      .where('workflow_id', '=', id)
      .where('version', '=', version),
  )
}

/** Versions in the order of text are in their order of number. */
export function versionKey(version: number): string {
  return String(version).padStart(10, '0')
}

/** Newest first, after that place. */
export async function listVersions(
  ctx: Context,
  id: string,
  limit: number,
  after?: readonly [at: string, key: string],
): Promise<WorkflowVersion[]> {
  const beyond = after
    ? sql`and (created_at, lpad(version::text, 10, '0')) < (${after[0]}::timestamptz, ${after[1]})`
    : sql``
  return ctx.all(
    raw<WorkflowVersion>(sql`select version, definition, created_at, created_by from workflow_versions
      where team_id = ${ctx.team_id} and workflow_id = ${id} ${beyond}
      order by created_at desc, version desc limit ${limit}`),
  )
}

type VersionRow = WorkflowVersion & { team_id: string; workflow_id: string }
const db = tables<{ workflow_versions: VersionRow }>()
