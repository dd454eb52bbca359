import type { Context } from '#platform/context.ts'
import { listAdmins, listPeopleOf } from '#domains/identity/members.ts'
import { notify } from '#domains/notifications/service.ts'
import type { Done } from '../state.ts'
import type { Perform, Request } from './action.ts'
import { done, failed } from './answers.ts'
import { ask, asLine, lineOf, textOf, type Asked } from './asked.ts'

type People = { everybody: string[]; admins: string[] }

export const perform: Perform<'push_notification'> = async (ctx, requests) => {
  const people = await peopleOf(ctx)
  const answers: Done[] = []
  for (const request of await ask(ctx, requests)) answers.push(await push(request, people))
  return answers
}

export const NOBODY = 'The recipient is no longer a member of this team.'

export function given(asked: Asked<'push_notification'>) {
  const { node, workflow } = asked
  const message = textOf(node.message, asked)
  return {
    to: node.to ?? 'owner',
    title: lineOf(node.title, asked) || asLine(workflow.name),
    ...(message !== '' && { message }),
  }
}

async function push(
  request: Request<'push_notification'> & Asked<'push_notification'>,
  people: People,
): Promise<Done> {
  const { ctx, lead, workflow } = request
  const input = given(request)
  const user_ids = recipients(input.to, lead?.owner_id ?? null, people)
  if (user_ids.length === 0) return failed(input, NOBODY)
  const ids = await notify(ctx, {
    user_ids,
    title: input.title,
    ...(input.message !== undefined && { text: input.message }),
    ...(lead && { link: `/leads/${lead.id}` }),
    source: { kind: 'workflow', id: workflow.id, name: workflow.name },
  })
  const note = ids.length === 1 ? 'One person notified.' : `${ids.length} people notified.`
  return done(input, { notification_ids: ids }, note)
}

export async function peopleOf(ctx: Context): Promise<People> {
  const [everybody, admins] = [await listPeopleOf(ctx, ctx.team_id), await listAdmins(ctx)]
  return { everybody, admins: admins.map(({ id }) => id) }
}

/** Where a lead has no owner, or one who has left, the admins hear of it. */
export function recipients(to: string, owner: string | null, { everybody, admins }: People): string[] {
  if (to === 'everybody') return everybody
  if (to === 'admins') return admins
  if (to === 'owner') return owner !== null && everybody.includes(owner) ? [owner] : admins
  return everybody.filter(id => id === to)
}
