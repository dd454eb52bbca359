import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { exportList } from '#platform/csv-export.ts'
import { changedSince, columnsOf, isAnyOf, isAnyOfOrNone, listPage, type Listing } from '#platform/listing.ts'
import { quickMatches } from '#platform/quick-search.ts'
import { keeper } from '#platform/records.ts'
import { laterVersion } from '#platform/version.ts'
import {
  projectEvents,
  taskEvents,
  type ListProjects,
  type ListTasks,
  type Project,
  type Task,
} from './contract.ts'
import type { Card } from './positions.ts'
import type { projectSorts, taskSorts } from './values.ts'

export const projects = keeper<Project>({
  noun: 'project',
  table: 'projects',
  columns: [
    'id',
    'name',
    'account_id',
    'opportunity_id',
    'columns',
    'status',
    'created_at',
    'updated_at',
    'deleted_at',
  ],
  json: ['columns'],
  events: projectEvents,
  nameOf: ({ name }) => name,
})

export const taskColumns = [
  'id',
  'title',
  'description',
  'lead_id',
  'project_id',
  'column',
  'position',
  'assignee_id',
  'due_at',
  'remind_at',
  'status',
  'done_at',
  'overdue_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof Task)[]

export const tasks = keeper<Task>({
  noun: 'task',
  table: 'tasks',
  columns: taskColumns,
  nameOf: ({ title }) => title,
  events: taskEvents,
})

type ProjectSort = (typeof projectSorts)[number]
const projectListing: Listing<ProjectSort> = {
  table: 'projects',
  columns: projects.columns,
  sorts: {
    name: { column: 'name_key', type: 'text' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
  defaultSort: '-created_at',
}

export async function listProjects(ctx: Context, query: ListProjects) {
  return listPage<Project, ProjectSort>(ctx, projectListing, query, [
    ...isAnyOf('status', query.status),
    ...isAnyOf('account_id', query.account_id),
    ...isAnyOf('opportunity_id', query.opportunity_id),
  ])
}

export async function quickProjects(ctx: Context, q: string, limit: number): Promise<Project[]> {
  return quickMatches(ctx, { ...projectListing, keys: ['name_key'], recent: 'updated_at' }, q, limit)
}

type TaskSort = (typeof taskSorts)[number]
const taskListing: Listing<TaskSort> = {
  table: 'tasks',
  columns: taskColumns,
  sorts: {
    due_at: { column: 'due_key', type: 'timestamptz' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
    title: { column: 'title_key', type: 'text' },
  },
  defaultSort: 'due_at',
}

export async function listTasks(ctx: Context, query: ListTasks) {
  return listPage<Task, TaskSort>(ctx, taskListing, query, taskConditions(query), isByFacet(query))
}

/** Those of a lead or a project are few, and found by the index for them. */
function isByFacet({ lead_id, project_id, status, assignee_id, q, trashed, ...query }: ListTasks): boolean {
  if (lead_id || project_id || q || trashed) return false
  return Boolean(status ?? assignee_id ?? query.due_after ?? query.due_before ?? query.done_after)
}

export function exportTasks(ctx: Context, query: Omit<ListTasks, 'limit' | 'cursor'>) {
  return exportList(ctx, taskListing, query, taskConditions(query))
}

/** No index by title is worth its keep: what contains the words is few enough. */
export async function quickTasks(ctx: Context, q: string, limit: number): Promise<Task[]> {
  return quickMatches(ctx, { ...taskListing, keys: [], recent: 'updated_at' }, q, limit)
}

function taskConditions(query: ListTasks): RawBuilder<unknown>[] {
  return [
    ...isAnyOf('status', query.status),
    ...isAnyOf('lead_id', query.lead_id),
    ...isAnyOfOrNone('assignee_id', query.assignee_id),
    ...isAnyOfOrNone('project_id', query.project_id),
    // By the key of the sort, which has an index.
    ...(query.due_after ? [sql`due_key >= ${query.due_after}::timestamptz and due_at is not null`] : []),
    ...(query.due_before ? [sql`due_key < ${query.due_before}::timestamptz`] : []),
    ...(query.done_after ? [changedSince('done_at', query.done_after)] : []),
  ]
}

export type TaskCount = { project_id: string; total: number; done: number }

/** How many tasks these projects have, and how many of them are done. */
export async function countTasksOf(ctx: Context, ids: readonly string[]): Promise<TaskCount[]> {
  return ctx.all(
    raw<TaskCount>(sql`select project_id, count(*) as total, count(*) filter (where status = 'DONE') as done from tasks
      where team_id = ${ctx.team_id} and project_id = any(${ids}::text[]) and deleted_at is null group by project_id`),
  )
}

export async function findProjectOf(
  ctx: Context,
  opportunity_id: string,
): Promise<{ id: string } | undefined> {
  return ctx.first(
    raw<{ id: string }>(sql`select id from projects where team_id = ${ctx.team_id}
      and opportunity_id = ${opportunity_id} and deleted_at is null`),
  )
}

/** The whole board, in order. */
export async function listBoard(ctx: Context, project_id: string): Promise<Task[]> {
  return ctx.all(
    raw<Task>(sql`select ${columnsOf(taskListing)} from tasks where ${onBoard(ctx, project_id)}
      order by "column", position, id`),
  )
}

export async function countTasks(ctx: Context, project_id: string): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from tasks where ${onBoard(ctx, project_id)}`),
  )
  return row!.count
}

export async function countByColumn(ctx: Context, project_id: string): Promise<Map<string, number>> {
  const rows = await ctx.all(
    raw<{ column: string; count: number }>(sql`select "column", count(*) as count from tasks
      where ${onBoard(ctx, project_id)} group by "column"`),
  )
  return new Map(rows.map(row => [row.column, row.count]))
}

/** Locked, so that changing a column's status changes every task in it. */
export async function lockColumn(ctx: Context, project_id: string, column: string): Promise<Task[]> {
  return ctx.all(
    raw<Task>(sql`select ${columnsOf(taskListing)} from tasks where ${onBoard(ctx, project_id)} and "column" = ${column}
      order by id for update`),
  )
}

type Place = { project_id: string; column: string; without: string }

/** The nearest cards of a column before a position, in order; without a position: the last ones. */
export async function cardsAbove(ctx: Context, place: Place, position: string | null, count: number) {
  const upTo = position === null ? sql`` : sql`and position < ${position}`
  const rows = await ctx.all(
    raw<Card>(sql`select id, position from tasks where ${inColumn(ctx, place)} ${upTo}
      order by position desc, id desc limit ${count}`),
  )
  return rows.toReversed()
}

/** Those from a position on. */
export async function cardsBelow(ctx: Context, place: Place, position: string | null, count: number) {
  if (position === null) return []
  return ctx.all(
    raw<Card>(sql`select id, position from tasks where ${inColumn(ctx, place)} and position >= ${position}
      order by position, id limit ${count}`),
  )
}

/** With their project into the trash, and with it out again: told by the same time. */
export function trashTasksOf(ctx: Context, project_id: string, at: string): void {
  ctx.later(
    raw(sql`update tasks set deleted_at = ${at}, updated_at = ${laterVersion(at)}
    where ${onBoard(ctx, project_id)}`),
  )
}

export async function restoreTasksOf(ctx: Context, project_id: string, at: string): Promise<Task[]> {
  return ctx.all(
    raw<Task>(sql`update tasks set deleted_at = null, updated_at = ${laterVersion(ctx.now())}
      where team_id = ${ctx.team_id} and project_id = ${project_id} and deleted_at = ${at}
      returning ${columnsOf(taskListing)}`),
  )
}

/** How many open tasks of a person are due before each of these times. */
export async function countDue(ctx: Context, assignee_id: string, times: { now: string; until: string }) {
  const row = await ctx.first(
    raw<{ overdue: number; today: number }>(sql`select
        count(*) filter (where due_at < ${times.now}::timestamptz) as overdue,
        count(*) filter (where due_at >= ${times.now}::timestamptz) as today
      from tasks where team_id = ${ctx.team_id} and assignee_id = ${assignee_id} and deleted_at is null
        and status <> 'DONE' and due_at < ${times.until}::timestamptz`),
  )
  return row!
}

function onBoard(ctx: Context, project_id: string) {
  return sql`team_id = ${ctx.team_id} and project_id = ${project_id} and deleted_at is null`
}

function inColumn(ctx: Context, { project_id, column, without }: Place) {
  return sql`${onBoard(ctx, project_id)} and "column" = ${column} and id <> ${without}`
}
