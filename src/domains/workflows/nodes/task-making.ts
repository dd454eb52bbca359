import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { membersAmong } from '#domains/identity/members.ts'
import { createTasks } from '#domains/projects/tasks.ts'
import type { Done } from '../state.ts'
import { done, refused } from './answers.ts'
import type { Request } from './action.ts'

/** A task that an action wants made, and what is said of it. */
export type TaskWanted = {
  request: Pick<Request, 'ctx' | 'lead'>
  input: Record<string, unknown>
  task: { title: string; description?: string; assignee_id: string | null; due_at: string | null }
  note: string
}

/** Tasks of many runs. Whoever has left the team gets none: it is for whoever takes it then. */
export async function makeTasks(ctx: Context, wanted: readonly TaskWanted[]): Promise<Done[]> {
  const people = await membersAmong(
    ctx,
    wanted.flatMap(({ task }) => task.assignee_id ?? []),
  )
  const made = await createTasks(
    ctx,
    wanted.map(({ request, task }) => ({
      ctx: request.ctx,
      input: {
        ...task,
        assignee_id: task.assignee_id !== null && people.has(task.assignee_id) ? task.assignee_id : null,
        lead_id: request.lead?.id ?? null,
      },
    })),
  )
  return made.map((task, at) => {
    const { input, note, task: asked } = wanted[at]!
    if (task instanceof Problem) return refused(input, task)
    const person = people.get(asked.assignee_id ?? '')
    const whose = person
      ? `It is for ${person.name || person.email}.`
      : asked.assignee_id === null
        ? 'It is for nobody in particular.'
        : 'It is for nobody: whom it was meant for has left the team.'
    return done({ ...input, assignee_id: task.assignee_id }, { task_id: task.id }, `${note} ${whose}`)
  })
}
