import { isoAt } from '#platform/clock.ts'
import { after } from '../duration.ts'
import type { Perform } from './action.ts'
import { ask, asLine, calledOf, lineOf, textOf, type Asked } from './asked.ts'
import { makeTasks } from './create-tasks.ts'

export const perform: Perform<'create_task'> = async (ctx, requests) => {
  const asked = await ask(ctx, requests)
  return makeTasks(
    ctx,
    asked.map(request => {
      const task = given(request)
      return { request, input: task, task, note: 'Task created.' }
    }),
  )
}

export function given(asked: Asked<'create_task'>) {
  const { node, lead, zone, nowMs } = asked
  const description = textOf(node.description, asked)
  return {
    title: lineOf(node.title, asked) || (lead ? asLine(`Follow up with ${calledOf(lead)}`) : 'Follow up'),
    ...(description !== '' && { description }),
    assignee_id: node.assignee_id ?? lead?.owner_id ?? null,
    due_at: node.due === undefined ? null : isoAt(after(nowMs, node.due, zone)),
  }
}
