import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { filledFields } from '#platform/records.ts'
import { accountFaults } from '#domains/accounts/service.ts'
import { lockOpportunity } from '#domains/opportunities/service.ts'
import type { Opportunity } from '#domains/opportunities/contract.ts'
import {
  projectEvents,
  type ListProjects,
  type NewProject,
  type Project,
  type ProjectBoard,
  type ProjectChange,
} from './contract.ts'
import { checkColumns, newProject } from './model.ts'
import * as store from './store.ts'
import { applyColumnStatus, restoreTasksOf } from './tasks.ts'
import { projects } from './store.ts'

export { quickProjects } from './store.ts'

export async function listProjects(ctx: Context, query: ListProjects) {
  const page = await store.listProjects(ctx, query)
  const ids = page.data.map(({ id }) => id)
  const counts = ids.length > 0 ? await store.countTasksOf(ctx, ids) : []
  const tasksOf = (id: string) => {
    const { total = 0, done = 0 } = counts.find(({ project_id }) => project_id === id) ?? {}
    return { total, done }
  }
  return { ...page, data: page.data.map(project => ({ ...project, tasks: tasksOf(project.id) })) }
}

export const getProject = projects.get
export const purgeProjects = projects.purge

/** Of a won opportunity one click makes a project: it has its name and account, and there is one. */
export async function createProject(ctx: Context, input: NewProject): Promise<Project> {
  return ctx.transaction(async ctx => {
    const opportunity = await givenOpportunity(ctx, input.opportunity_id)
    const name = input.name ?? opportunity?.name
    if (!name) throw invalid([{ path: 'name', message: 'is required' }])
    const account_id = input.account_id ?? opportunity?.account_id ?? null
    await checkReferences(ctx, { account_id: input.account_id })
    const project = newProject({ ...input, name, account_id }, { id: ctx.newId(), at: ctx.now() })
    projects.insert(ctx, project)
    const about = { ...projects.about(project), lead_id: opportunity?.lead_id ?? null }
    record(ctx, projectEvents.created, about, { project: filledFields(project) })
    return project
  })
}

/**
 * A column can be removed only if it has no tasks: nothing may vanish from the board. Changing a column's
 * status changes its tasks.
 */
export async function changeProject(ctx: Context, id: string, change: ProjectChange, ifMatch?: string) {
  return ctx.transaction(async ctx => {
    const project = await projects.getForChange(ctx, id, ifMatch)
    await checkReferences(ctx, change)
    const { opportunity_id } = change
    if (opportunity_id && opportunity_id !== project.opportunity_id)
      await givenOpportunity(ctx, opportunity_id)
    if (change.columns) {
      checkColumns(change.columns)
      await refuseFilledColumns(ctx, project, change.columns)
      for (const column of changedInStatus(project, change.columns)) await applyColumnStatus(ctx, id, column)
    }
    return projects.change(ctx, project, change)
  })
}

export async function trashProject(ctx: Context, id: string, ifMatch?: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const project = await projects.trash(ctx, id, ifMatch)
    store.trashTasksOf(ctx, id, project.deleted_at!)
  })
}

/** The tasks that went with it come back with it. An opportunity that has a new project keeps that one. */
export async function restoreProject(ctx: Context, id: string): Promise<Project> {
  return projects.restore(ctx, id, async (ctx, { opportunity_id, deleted_at }) => {
    await restoreTasksOf(ctx, id, deleted_at!)
    if (!opportunity_id) return {}
    await lockOpportunity(ctx, opportunity_id)
    return (await store.findProjectOf(ctx, opportunity_id)) ? { opportunity_id: null } : {}
  })
}

export async function readBoard(ctx: Context, id: string): Promise<ProjectBoard> {
  const project = await projects.get(ctx, id)
  const tasks = await store.listBoard(ctx, id)
  const order = new Map(project.columns.map(({ key }, at) => [key, at]))
  // The database sorts within a column; the columns are in the project's own order.
  tasks.sort((a, b) => (order.get(a.column!) ?? 0) - (order.get(b.column!) ?? 0))
  return { project, tasks }
}

async function givenOpportunity(
  ctx: Context,
  id: string | null | undefined,
): Promise<Opportunity | undefined> {
  if (!id) return undefined
  // Two clicks at once come one after the other.
  const opportunity = await lockOpportunity(ctx, id)
  if (!opportunity || opportunity.deleted_at) {
    throw invalid([{ path: 'opportunity_id', message: 'is not an opportunity in this team' }])
  }
  if (opportunity.stage !== 'closed_won') {
    throw invalid([{ path: 'opportunity_id', message: 'is not won yet' }])
  }
  if (await store.findProjectOf(ctx, id)) {
    throw new Problem('conflict', 'This opportunity already has a project.', { code: 'project_exists' })
  }
  return opportunity
}

async function checkReferences(
  ctx: Context,
  { account_id }: Pick<ProjectChange, 'account_id'>,
): Promise<void> {
  const faults = await accountFaults(ctx, account_id)
  if (faults.length > 0) throw invalid(faults)
}

function changedInStatus({ columns }: Project, wanted: Project['columns']): Project['columns'] {
  return wanted.filter(({ key, status }) =>
    columns.some(column => column.key === key && column.status !== status),
  )
}

async function refuseFilledColumns(
  ctx: Context,
  { id, columns }: Project,
  wanted: Project['columns'],
): Promise<void> {
  const going = columns.filter(({ key }) => !wanted.some(column => column.key === key))
  if (going.length === 0) return
  const counts = await store.countByColumn(ctx, id)
  const filled = going.filter(({ key }) => counts.has(key))
  if (filled.length === 0) return
  const list = filled.map(({ key, name }) => `${name} (${counts.get(key)})`).join(', ')
  throw new Problem('conflict', `These columns still have tasks: ${list}. Move them first.`, {
    code: 'column_in_use',
  })
}
