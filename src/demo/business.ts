import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { createAccount, matchAccounts } from '#domains/accounts/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { changeLead } from '#domains/leads/service.ts'
import { changeOpportunity, createOpportunity } from '#domains/opportunities/service.ts'
import type { OpportunityStage } from '#domains/opportunities/values.ts'
import { createProject } from '#domains/projects/projects.ts'
import { createTask } from '#domains/projects/tasks.ts'
import type { TaskStatus } from '#domains/projects/values.ts'
import type { Ending } from './acts.ts'
import { calendarDate, DAY_MS, inOfficeHours } from './calendar.ts'
import type { Member } from './members.ts'
import type { Random } from './random.ts'

/** What comes of a lead that is worth it: an account, a deal, and in the end a project. */
export type Business = {
  closer: Member
  name: string
  stage: OpportunityStage
  amount: string
  close_date: string
  project?: { tasks: { title: string; status: TaskStatus; due_at: string | null }[] }
}

/** Something to do about a lead, some of it late. */
export type Chore = { by: Member; title: string; due_at: string }

const PRICE_PER_SEAT = 288
const INDUSTRY = 'Building services'
const CHORE_SHARE = 0.3

const stages: Partial<Record<Ending, readonly OpportunityStage[]>> = {
  Engage_Human: ['prospecting', 'qualification'],
  Qualified: ['proposal', 'proposal', 'negotiation'],
  Won: ['closed_won'],
  Lost: ['closed_lost'],
}

const rollout: [title: string, status: TaskStatus][] = [
  ['Kick-off with the service team', 'DONE'],
  ['Import technicians and regions', 'DONE'],
  ['Set up shifts and skills', 'DOING'],
  ['Pilot week with one depot', 'DOING'],
  ['Train the dispatchers', 'TODO'],
  ['Switch off the old plan', 'TODO'],
  ['Review after thirty days', 'TODO'],
]

const chores = ['Call back', 'Send the offer', 'Ask about the renewal', 'Book a demo', 'Send the checklist']

export function businessOf(
  random: Random,
  ending: Ending,
  { closer, company, seats, now }: { closer: Member; company: string; seats: number; now: number },
): Business | undefined {
  const possible = stages[ending]
  if (!possible || (ending === 'Lost' && random.chance(0.5))) return undefined
  const stage = random.pick(possible)
  const ahead = stage.startsWith('closed') ? random.between(-40, -2) : random.between(5, 110)
  return {
    closer,
    name: `${company}, ${seats} seats`,
    stage,
    amount: (seats * PRICE_PER_SEAT).toFixed(2),
    close_date: calendarDate(now + ahead * DAY_MS),
    ...(stage === 'closed_won' && random.chance(0.45) && { project: projectOf(random, now) }),
  }
}

export function choreOf(random: Random, ending: Ending, by: Member, now: number): Chore | undefined {
  const open = ending !== 'Won' && ending !== 'Lost' && ending !== 'Trash'
  if (!open || !random.chance(CHORE_SHARE)) return undefined
  // From three days ago to ten days from now.
  const at = inOfficeHours(random, now + random.between(-3, 10) * DAY_MS)
  return { by, title: random.pick(chores), due_at: isoAt(at) }
}

export async function doBusiness(ctx: Context, lead: Lead, business: Business): Promise<void> {
  const { closer, name, stage, amount, close_date, project } = business
  const own = ctx.as(closer)
  const account_id = await accountFor(own, lead)
  await changeLead(own, lead.id, { account_id })
  const deal = await createOpportunity(own, {
    name,
    lead_id: lead.id,
    amount,
    currency: 'EUR',
    close_date,
    owner_id: closer.id,
  })
  if (stage !== 'prospecting') await changeOpportunity(own, deal.id, { stage })
  if (!project) return
  const { id } = await createProject(own, { opportunity_id: deal.id, name: `${lead.company} rollout` })
  for (const task of project.tasks) await createTask(own, { ...task, project_id: id, assignee_id: closer.id })
}

export async function leaveChore(ctx: Context, lead: Lead, { by, title, due_at }: Chore): Promise<void> {
  const whom = [lead.first_name, lead.last_name].filter(Boolean).join(' ')
  await createTask(ctx.as(by), { title: `${title}: ${whom}`, lead_id: lead.id, assignee_id: by.id, due_at })
}

async function accountFor(ctx: Context, lead: Lead): Promise<string> {
  const [match] = await matchAccounts(ctx, lead)
  if (match) return match.account.id
  const { id } = await createAccount(ctx, {
    name: lead.company!,
    website: lead.website,
    industry: INDUSTRY,
    owner_id: ctx.actor.id,
  })
  return id
}

function projectOf(random: Random, now: number): NonNullable<Business['project']> {
  const begun = now - random.between(5, 30) * DAY_MS
  return {
    tasks: rollout.map(([title, status], at) => ({
      title,
      status,
      due_at: status === 'DONE' ? null : isoAt(inOfficeHours(random, begun + at * 7 * DAY_MS)),
    })),
  }
}
