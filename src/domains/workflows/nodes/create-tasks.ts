import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { membersAmong } from '#domains/identity/members.ts'
import { createTasks } from '#domains/projects/tasks.ts'
import type { Done } from '../state.ts'
import { done, refused } from './answers.ts'
import type { Request } from './action.ts'

/** A task that an action wants made, and what is said of it. */
export type TaskRequest = {
  request: Pick<Request, 'ctx' | 'lead'>
  input: Record<string, unknown>
  task: { title: string; description?: string; assignee_id: string | null; due_at: string | null }
  /** The assignee if no one is named, or the named person has left. */
  stand_in?: string | null
  note: string
}

/** Creates tasks for many runs. Former members get none: such a task is unassigned. */
export async function makeTasks(ctx: Context, wanted: readonly TaskRequest[]): Promise<Done[]> {
  const people = await membersAmong(
    ctx,
    wanted.flatMap(({ task, stand_in }) => [task.assignee_id ?? [], stand_in ?? []].flat()),
  )
  const whoGets = ({ task, stand_in }: TaskRequest) =>
    [task.assignee_id, stand_in].find(id => id && people.has(id)) ?? null
  const made = await createTasks(
    ctx,
    wanted.map(one => ({
      ctx: one.request.ctx,
      input: { ...one.task, assignee_id: whoGets(one), lead_id: one.request.lead?.id ?? null },
    })),
  )
  return made.map((task, at) => {
    const { input, note, task: asked } = wanted[at]!
    if (task instanceof Problem) return refused(input, task)
    const person = people.get(task.assignee_id ?? '')
    const whose = person
      ? `Assigned to ${person.name || person.email}.`
      : asked.assignee_id === null
        ? 'Unassigned.'
        : 'Unassigned: the person it was meant for has left the team.'
    return done({ ...input, assignee_id: task.assignee_id }, { task_id: task.id }, `${note} ${whose}`)
  })
}
