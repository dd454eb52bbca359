import { isoAt } from '#platform/clock.ts'
import type { Offers } from '#platform/offers.ts'
import { isRefusal } from '#platform/problem.ts'
import { wallTime } from '#platform/zone.ts'
import { after } from '../duration.ts'
import type { Done } from '../state.ts'
import { NO_LEAD, type Perform, type Request } from './action.ts'
import { done, refused } from './answers.ts'
import { ask, asLine, calledOf, textOf, type Asked } from './asked.ts'
import { makeTasks } from './create-tasks.ts'

export const NO_AGENTS = 'There are no voice agents'

type Call = Request<'schedule_call'> & Asked<'schedule_call'>

export const perform: Perform<'schedule_call'> = async (ctx, requests) => {
  const asked = await ask(ctx, requests)
  const { scheduleCall } = ctx.runtime.registry.offers
  const doable = asked.filter(({ lead }) => lead)
  const answers = scheduleCall
    ? await byAgents(ctx, scheduleCall, doable)
    : await byPeople(ctx, doable, NO_AGENTS)
  return asked.map(({ lead }) => (lead ? answers.shift()! : NO_LEAD))
}

export function given(asked: Asked<'schedule_call'>) {
  const { node, zone, nowMs } = asked
  const note = textOf(node.note, asked)
  return {
    at: isoAt(after(nowMs, node.due, zone)),
    ...(node.agent !== undefined && { agent: node.agent }),
    ...(note !== '' && { note }),
  }
}

/** By an agent where there is one that may; else by somebody of the team, and it says why. */
async function byAgents(
  ctx: Request['ctx'],
  scheduleCall: NonNullable<Offers['scheduleCall']>,
  calls: Call[],
): Promise<Done[]> {
  const answers: Done[] = []
  for (const call of calls) {
    const { lead, key, zone } = call
    const input = given(call)
    try {
      const made = await scheduleCall(call.ctx, {
        lead_id: lead!.id,
        ...input,
        user_id: call.workflow.author_id,
        key,
      })
      if ('instead' in made) answers.push(...(await byPeople(ctx, [call], made.instead)))
      else
        answers.push(
          done(
            input,
            { call_id: made.id },
            `${calledOf(lead)} will be called ${whenOf(made.at, input.at, zone)}.`,
          ),
        )
    } catch (error) {
      if (!isRefusal(error)) throw error
      answers.push(refused(input, error))
    }
  }
  return answers
}

async function byPeople(ctx: Request['ctx'], calls: Call[], why: string): Promise<Done[]> {
  return makeTasks(
    ctx,
    calls.map(call => {
      const { lead, zone, workflow } = call
      const input = given(call)
      const title = asLine(`Call ${calledOf(lead)} ${momentOf(input.at, zone)}`)
      const task = {
        title,
        ...(input.note !== undefined && { description: input.note }),
        assignee_id: lead!.owner_id,
        due_at: input.at,
      }
      const note = `${why}: a task to call was created.`
      return { request: call, input, task, stand_in: workflow.author_id, note }
    }),
  )
}

/** When it will be, and why not when it was wanted. */
export function whenOf(at: string, wanted: string, zone: string): string {
  return `${momentOf(at, zone)}${at > wanted ? ': quiet hours until then' : ''}`
}

/** As the lead reads it off the wall. */
function momentOf(at: string, zone: string): string {
  const [day, time] = wallTime(Date.parse(at), zone).toISOString().split('T') as [string, string]
  return `at ${time.slice(0, 5)} on ${day} (${zone})`
}
