import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueueAll, type Job, type NewJob } from '#platform/jobs/queue.ts'
import { invalid, isRefusal, Problem, type Fault } from '#platform/problem.ts'
import { filledFields } from '#platform/records.ts'
import { membersAmong } from '#domains/identity/members.ts'
import { livingLeads } from '#domains/leads/service.ts'
import {
  taskEvents,
  taskOverdue,
  taskReminded,
  type Column,
  type NewTask,
  type Task,
  type TaskChange,
  type TaskMove,
} from './contract.ts'
import { columnFor, columnWithoutProject, consequences, newTask, withTidyDates } from './model.ts'
import { placeAfter, placeBetween, SPREAD_CARDS } from './positions.ts'
import * as store from './store.ts'
import { projects, tasks } from './store.ts'
import { PROJECT_TASKS_MAX } from './values.ts'

export { countDue, exportTasks, listTasks, quickTasks } from './store.ts'

export const OVERDUE_JOB = 'tasks.overdue'
export const REMIND_JOB = 'tasks.remind'

export const getTask = tasks.get
export const trashTask = tasks.trash
export const purgeTasks = tasks.purge

export async function createTask(ctx: Context, input: NewTask): Promise<Task> {
  return ctx.transaction(async ctx => {
    const [made] = await createTasks(ctx, [{ ctx, input }])
    if (made instanceof Problem) throw made
    return made!
  })
}

/**
 * Many at once, each by its own doer. What they name is looked up together, and what is wrong with one is answered in its
 * place without a hindrance to the others.
 */
export async function createTasks(
  ctx: Context,
  wanted: readonly { ctx: Context; input: NewTask }[],
): Promise<(Task | Problem)[]> {
  ctx.transactionOrThrow()
  const inputs = wanted.map(({ input }) => withTidyDates(input))
  const faults = await faultsInAll(ctx, inputs)
  const answers: (Task | Problem)[] = []
  const made: Task[] = []
  for (const [at, input] of inputs.entries()) {
    const by = wanted[at]!.ctx
    const wrong = [...columnWithoutProject(input), ...faults[at]!]
    const task = wrong.length > 0 ? invalid(wrong) : await placedTask(by, input)
    answers.push(task)
    if (task instanceof Problem) continue
    made.push(task)
    // The next move on the same board must find it there.
    if (task.project_id) tasks.insert(ctx, task)
    record(by, taskEvents.created, tasks.about(task), { task: filledFields(task) })
  }
  tasks.insertAll(
    ctx,
    made.filter(({ project_id }) => project_id === null),
  )
  arrangeDates(ctx, made)
  return answers
}

/** In a project the column follows the status and the status the column, whichever was changed. */
export async function changeTask(
  ctx: Context,
  id: string,
  given: TaskChange,
  ifMatch?: string,
): Promise<Task> {
  const change = withTidyDates(given)
  return ctx.transaction(async ctx => {
    const task = await lockOnBoard(ctx, id, ifMatch)
    await check(ctx, change, task)
    const placed = await placeAnew(ctx, task, change)
    const after = consequences(task, { ...change, ...placed }, ctx.now())
    const changed = tasks.change(ctx, task, { ...change, ...after, ...placed })
    if (changed.due_at !== task.due_at || changed.status !== task.status) arrangeDue(ctx, changed)
    if (changed.remind_at !== task.remind_at) arrangeReminder(ctx, changed)
    return changed
  })
}

/** To a place on its board. A neighbour that went elsewhere meanwhile is no reason to refuse: the end serves. */
export async function moveTask(
  ctx: Context,
  id: string,
  { column, before }: TaskMove,
  ifMatch?: string,
): Promise<Task> {
  return ctx.transaction(async ctx => {
    const task = await lockOnBoard(ctx, id, ifMatch)
    if (!task.project_id) {
      throw new Problem('conflict', 'This task is not in a project.', { code: 'not_on_a_board' })
    }
    const target = columnFor(await projects.get(ctx, task.project_id), column, undefined, null)
    if (before === id) return task
    const anchor = before ? await tasks.find(ctx, before) : undefined
    if (before && !anchor) throw invalid([{ path: 'before', message: 'is not a task in this team' }])
    const stands =
      anchor?.project_id === task.project_id && anchor.column === target.key && !anchor.deleted_at
    const place = { project_id: task.project_id, column: target.key, without: id }
    const from = stands ? anchor.position : null
    const above = await store.cardsAbove(ctx, place, from, SPREAD_CARDS + 1)
    const below = await store.cardsBelow(ctx, place, from, SPREAD_CARDS + 1)
    const { position, spread } = placeBetween(above, below)
    for (const card of spread) tasks.update(ctx, card.id, { position: card.position })
    const change = { column: target.key, position, status: target.status }
    const moved = tasks.change(ctx, task, { ...change, ...consequences(task, change, ctx.now()) })
    if (moved.status !== task.status) arrangeDue(ctx, moved)
    return moved
  })
}

/**
 * A project that is gone or in the trash has no place for it any more: it comes back on its own. A date that passed in
 * the trash was told to nobody; it waits for its dates again.
 */
export async function restoreTask(ctx: Context, id: string): Promise<Task> {
  return ctx.transaction(async ctx => {
    const wasTrashed = Boolean((await tasks.find(ctx, id))?.deleted_at)
    const task = await tasks.restore(ctx, id, placeAgain)
    if (wasTrashed) arrangeDates(ctx, [task])
    return task
  })
}

/** Those that went into the trash with their project, at that time. */
export async function restoreTasksOf(ctx: Context, project_id: string, at: string): Promise<void> {
  arrangeDates(ctx, await store.restoreTasksOf(ctx, project_id, at))
}

/** The column has a new status, and so have its tasks. */
export async function applyColumnStatus(
  ctx: Context,
  project_id: string,
  { key, status }: Column,
): Promise<void> {
  for (const task of await store.lockColumn(ctx, project_id, key)) {
    const changed = tasks.change(ctx, task, consequences(task, { status }, ctx.now()))
    if (changed.status !== task.status) arrangeDue(ctx, changed)
  }
}

/** Told once for each due date: only the job of the date that still holds finds a task it has to tell of. */
export async function notifyOverdue(ctx: Context, job: Job): Promise<void> {
  const { task_id, due_at } = job.data as { task_id: string; due_at: string }
  const [task] = await tasks.lockAll(ctx, [task_id])
  if (!task || task.deleted_at || task.status === 'DONE' || task.due_at !== due_at || task.overdue_at) return
  tasks.write(ctx, task, { overdue_at: ctx.now() })
  const { title, assignee_id } = task
  record(ctx, taskOverdue, tasks.about(task), { title, assignee_id, at: due_at })
}

export async function remind(ctx: Context, job: Job): Promise<void> {
  const { task_id, remind_at } = job.data as { task_id: string; remind_at: string }
  const [task] = await tasks.lockAll(ctx, [task_id])
  if (!task || task.deleted_at || task.status === 'DONE' || task.remind_at !== remind_at) return
  const { title, assignee_id } = task
  record(ctx, taskReminded, tasks.about(task), { title, assignee_id, at: remind_at })
}

/** The board first, then the card: moves on one board are serialized. */
async function lockOnBoard(ctx: Context, id: string, ifMatch: string | undefined): Promise<Task> {
  const { project_id } = await tasks.get(ctx, id)
  if (project_id) await projects.lockAll(ctx, [project_id])
  const task = await tasks.getForChange(ctx, id, ifMatch)
  if (task.project_id === project_id) return task
  throw new Problem(
    'conflict',
    'This task was moved to another project in the meantime. Reload it and try again.',
    {
      code: 'moved_meanwhile',
    },
  )
}

async function placeAgain(ctx: Context, task: Task): Promise<Partial<Place>> {
  if (!task.project_id) return {}
  const [project] = await projects.lockAll(ctx, [task.project_id])
  if (!project || project.deleted_at) return { project_id: null, column: null, position: null }
  return enter(ctx, task, task.project_id, {})
}

type Place = Pick<Task, 'project_id' | 'column' | 'position' | 'status'>

async function placeAnew(ctx: Context, task: Task, change: TaskChange): Promise<Partial<Place>> {
  const project_id = change.project_id === undefined ? task.project_id : change.project_id
  if (!project_id) return task.project_id ? { project_id: null, column: null, position: null } : {}
  if (project_id !== task.project_id) {
    await projects.lockAll(ctx, [project_id])
    return enter(ctx, task, project_id, change)
  }
  const project = await projects.get(ctx, project_id)
  const column = columnFor(project, change.column, change.status, task.column)
  if (column.key === task.column) return change.column || change.status ? { status: column.status } : {}
  return atEnd(ctx, task, project_id, column)
}

async function enter(ctx: Context, task: Task, project_id: string, change: TaskChange): Promise<Place> {
  const [project] = await projects.lockAll(ctx, [project_id])
  if (!project || project.deleted_at) {
    throw invalid([{ path: 'project_id', message: 'is not a project in this team' }])
  }
  if ((await store.countTasks(ctx, project_id)) >= PROJECT_TASKS_MAX) {
    throw new Problem('conflict', `A project can have at most ${PROJECT_TASKS_MAX} tasks.`, {
      code: 'project_full',
    })
  }
  const column = columnFor(project, change.column, change.status ?? task.status, null)
  return atEnd(ctx, task, project_id, column)
}

async function atEnd(
  ctx: Context,
  task: Task,
  project_id: string,
  column: { key: string; status: Task['status'] },
): Promise<Place> {
  const place = { project_id, column: column.key, without: task.id }
  const [last] = await store.cardsAbove(ctx, place, null, 1)
  return {
    project_id,
    column: column.key,
    position: placeAfter(last?.position ?? null),
    status: column.status,
  }
}

async function check(ctx: Context, input: TaskChange, task?: Task): Promise<void> {
  const [own] = await faultsInAll(ctx, [input])
  const faults = [...columnWithoutProject(input, task), ...own!]
  if (faults.length > 0) throw invalid(faults)
}

/** Invalid references of each of these tasks, looked up together. */
async function faultsInAll(ctx: Context, inputs: readonly TaskChange[]): Promise<Fault[][]> {
  const leads = await livingLeads(
    ctx,
    inputs.flatMap(({ lead_id }) => lead_id ?? []),
  )
  const people = await membersAmong(
    ctx,
    inputs.flatMap(({ assignee_id }) => assignee_id ?? []),
  )
  return inputs.map(({ lead_id, assignee_id }) => [
    ...(lead_id && !leads.has(lead_id) ? [{ path: 'lead_id', message: 'is not a lead in this team' }] : []),
    ...(assignee_id && !people.has(assignee_id)
      ? [{ path: 'assignee_id', message: 'is not a member of this team' }]
      : []),
  ])
}

async function placedTask(ctx: Context, input: NewTask): Promise<Task | Problem> {
  const made = { id: ctx.newId(), at: ctx.now() }
  const bare = newTask(input, made)
  try {
    const placed = input.project_id ? await enter(ctx, bare, input.project_id, input) : {}
    return { ...bare, ...consequences(bare, { ...input, ...placed }, made.at), ...placed }
  } catch (error) {
    // A board that is full or gone: nothing is written yet.
    if (isRefusal(error)) return error
    throw error
  }
}

/** The wait for a date is a row of the queue; one for a date that no longer holds does nothing when it comes. */
function arrangeDates(ctx: Context, tasks: readonly Task[]): void {
  enqueueAll(
    ctx,
    tasks.flatMap(task => [...dueJobs(task), ...reminderJobs(task)]),
  )
}

function arrangeDue(ctx: Context, task: Task): void {
  enqueueAll(ctx, dueJobs(task))
}

function arrangeReminder(ctx: Context, task: Task): void {
  enqueueAll(ctx, reminderJobs(task))
}

function dueJobs({ id, due_at, status, overdue_at }: Task): NewJob[] {
  if (!due_at || status === 'DONE' || overdue_at) return []
  return [{ kind: OVERDUE_JOB, data: { task_id: id, due_at }, run_at: due_at }]
}

function reminderJobs({ id, remind_at, status }: Task): NewJob[] {
  if (!remind_at || status === 'DONE') return []
  return [{ kind: REMIND_JOB, data: { task_id: id, remind_at }, run_at: remind_at }]
}
