import type { Context } from '#platform/context.ts'
import { latestOfType } from '#platform/event-log.ts'
import { countDead } from '#platform/jobs/dead.ts'
import { atLeast, scopesOfRole, type Scope } from '#platform/scopes.ts'
import { countUnsentInvitations } from '#domains/identity/invitations.ts'
import { countTroubledImports } from '#domains/imports/troubles.ts'
import { countOpenPayments } from '#domains/invoices/totals.ts'
import { nameOf } from '#domains/leads/model.ts'
import { findLeads } from '#domains/leads/service.ts'
import { countInTrouble } from '#domains/messages/service.ts'
import { boardAndForecast, leadBoard } from '#domains/opportunities/board.ts'
import { countDue } from '#domains/projects/tasks.ts'
import { countFailedRuns } from '#domains/workflows/control.ts'
import type { Home } from './contract.ts'

const DAY_MS = 86_400_000
const LOOK_BACK_MS = 7 * DAY_MS
const REPLIES_SHOWN = 5
const WORKFLOWS_MAX = 10
/** Recorded when a lead answers a mail. */
const REPLIED = 'email.replied'

/** Everything at the same time: the page is as quick as its slowest part. */
export async function readHome(ctx: Context, until = ctx.in(DAY_MS)): Promise<Home> {
  const { user_id, role } = ctx.requirePerson()
  const isAdmin = Boolean(role && atLeast(role, 'ADMIN'))
  const since = ctx.in(-LOOK_BACK_MS)
  const may = (scope: Scope) => Boolean(role && scopesOfRole(role).includes(scope))
  const [tasks, replies, jobs, imports, invitations, messages, payments, workflows, funnel, deals] =
    await Promise.all([
      countDue(ctx, user_id, { now: ctx.now(), until }),
      latestReplies(ctx, since),
      isAdmin ? countDead(ctx) : 0,
      countTroubledImports(ctx, since),
      isAdmin ? countUnsentInvitations(ctx) : 0,
      may('outreach:write') ? countInTrouble(ctx) : 0,
      may('billing:write') ? countOpenPayments(ctx) : 0,
      may('workflows:read') ? countFailedRuns(ctx, since) : [],
      leadBoard(ctx, {}),
      boardAndForecast(ctx),
    ])
  return {
    tasks,
    replies,
    failures: {
      jobs,
      imports,
      invitations,
      messages,
      payments,
      workflows: workflows.slice(0, WORKFLOWS_MAX),
    },
    funnel: funnel.columns,
    deals: deals.board.columns,
    forecast: deals.months,
  }
}

async function latestReplies(ctx: Context, since: string): Promise<Home['replies']> {
  const { latest, count } = await latestOfType(ctx, REPLIED, since, REPLIES_SHOWN)
  const leads = await findLeads(
    ctx,
    latest.flatMap(({ lead_id }) => lead_id ?? []),
  )
  return {
    count,
    latest: latest.map(({ id, lead_id, at }) => {
      const lead = leads.find(lead => lead.id === lead_id)
      return { id, lead_id, lead_name: lead ? nameOf(lead) : null, at }
    }),
  }
}
