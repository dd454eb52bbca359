import { FakeClock, isoAt } from '#platform/clock.ts'
import { systemContext, type Context, type Runtime } from '#platform/context.ts'
import { eraseDemoTeam } from '#platform/database/erase.ts'
import { deleteTeamless, listPeopleOf } from '#domains/identity/members.ts'
import { ensurePerson, findDemoTeam, findOperator, foundTeam } from '#domains/identity/people.ts'
import {
  changeLead,
  changeSettings,
  createLead,
  getLead,
  getSettings,
  noteLead,
  trashLead,
} from '#domains/leads/service.ts'
import { automate } from './automation.ts'
import { doBusiness, leaveChore } from './business.ts'
import { DAY_MS } from './calendar.ts'
import { lookForCustomers } from './candidates.ts'
import { customFields, TEAM_NAME } from './company.ts'
import { converse } from './conversations.ts'
import { correspond } from './emails.ts'
import { FOUNDER, joinMembers } from './members.ts'
import { sell } from './money.ts'
import { receiveRequests } from './requests.ts'
import { planStories, type Story } from './story.ts'

export { OPERATOR_EMAIL } from './members.ts'

const HISTORY_MS = 92 * DAY_MS

/**
 * A small company with three months behind it, made by the product's own use cases on a clock set into the past. A
 * second load finds the team, does nothing and answers false; one that was cut short is completed.
 */
export async function loadDemo(runtime: Runtime): Promise<boolean> {
  const now = runtime.clock.now()
  const clock = new FakeClock(now - HISTORY_MS)
  const past = systemContext({ ...runtime, clock })
  const team = (await findDemoTeam(past))?.id ?? (await found(runtime, past))
  return past.forTeam(team).transaction(async ctx => {
    // The settings are written in the transaction of the leads: where they are, everything is.
    if ((await getSettings(ctx)).custom_fields.length > 0) return false
    const members = await joinMembers(ctx)
    await changeSettings(ctx.as(members.maya), { custom_fields: customFields })
    for (const story of planStories(members, now)) await play(ctx, clock, story)
    await receiveRequests(ctx, clock, members.maya, now)
    const agent = await sell(ctx, clock, members.maya, now)
    await converse(ctx, clock, { agent, by: members.maya, now })
    await correspond(ctx, clock, { by: members.maya, now })
    await lookForCustomers(ctx, clock, members.maya, now)
    await automate(ctx, clock, members.maya, now)
    return true
  })
}

/** Takes the demo team away with everything that belongs to it, and the people who belong to nothing else. */
export async function removeDemo(runtime: Runtime): Promise<boolean> {
  const ctx = systemContext(runtime)
  const team = await findDemoTeam(ctx)
  if (!team) return false
  await ctx.transaction(async ctx => {
    const people = await listPeopleOf(ctx, team.id)
    await eraseDemoTeam(ctx)
    await deleteTeamless(ctx, people)
  })
  return true
}

/** Whose installation it is already, keeps it: the demo is then one more team of that person, joined today. */
async function found(runtime: Runtime, past: Context): Promise<string> {
  const operator = await findOperator(past)
  const ctx = operator ? systemContext(runtime) : past
  return ctx.transaction(async ctx =>
    foundTeam(ctx, operator ?? (await ensurePerson(ctx, FOUNDER.email, FOUNDER.name)), TEAM_NAME, true),
  )
}

async function play(ctx: Context, clock: FakeClock, story: Story): Promise<void> {
  const { at, by, lead, steps, business, chore } = story
  clock.set(isoAt(at))
  const { id } = await createLead(ctx.as(by), lead)
  for (const step of steps) {
    clock.set(isoAt(step.at))
    if (step.change) await changeLead(ctx.as(step.by), id, step.change)
    if (step.note) await noteLead(ctx.as(step.by), id, step.note)
    if (step.trash) await trashLead(ctx.as(step.by), id)
  }
  if (business) await doBusiness(ctx, await getLead(ctx, id), business)
  if (chore) await leaveChore(ctx, await getLead(ctx, id), chore)
}
