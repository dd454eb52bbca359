import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { teamMemory } from '#platform/team-memory.ts'
import { nextVersion } from '#platform/version.ts'
import { listAdmins } from '#domains/identity/members.ts'
import { pauseAll } from '#domains/messages/settings.ts'
import { notify } from '#domains/notifications/service.ts'
import { findPlan, lockCurrent, quotaOf, waitForTrialEnd } from './account.ts'
import { creditEvents } from './contract.ts'
import { mailExpiry } from './expiry-mail.ts'
import { planAt, trialEnd } from './model.ts'
import * as store from './store.ts'
import type { AccountRow } from './store.ts'
import type { Plan } from './values.ts'

const PLAN_REMEMBERED_MS = 2_000
const memory = teamMemory<Pick<AccountRow, 'plan' | 'trial_ends_at'>>(PLAN_REMEMBERED_MS)

/** For every request that writes: another process may have changed it a moment ago. The end of a trial is never late. */
export async function planOf(ctx: Context): Promise<Plan> {
  return planAt(await memory.get(ctx, () => findPlan(ctx)), ctx.now())
}

export function trialExpired(): Problem {
  return new Problem(
    'forbidden',
    "Your team's trial has ended. You can still view and export everything, but changes are disabled. To continue, contact the administrator of this installation.",
    { code: 'trial_expired' },
  )
}

/** A trial that is over is noted, once: the team is told, and its outreach held. */
export async function expireTrial(ctx: Context): Promise<boolean> {
  return ctx.transaction(async ctx => {
    const { account } = await lockCurrent(ctx)
    if (account.plan !== 'TRIAL' || planAt(account, ctx.now()) !== 'EXPIRED') return false
    await move(ctx, account, { plan: 'EXPIRED' })
    return true
  })
}

export type PlanChange = { plan?: Plan; quota?: number; days?: number }

/** The operator's word: a plan, from when on a trial is over, and how many credits a month brings. */
export async function changePlan(ctx: Context, { plan, quota, days }: PlanChange): Promise<void> {
  await ctx.transaction(async ctx => {
    const { account } = await lockCurrent(ctx)
    const after = plan ?? planAt(account, ctx.now())
    const trial_ends_at =
      after === 'TRIAL' && days !== undefined ? trialEnd(ctx.now(), days) : account.trial_ends_at
    const ends = after === 'ACTIVE' ? null : trial_ends_at
    if (after === 'TRIAL' && (ends === null || ends <= ctx.now()))
      throw new Problem('conflict', 'A trial must end in the future.', { code: 'trial_end' })
    await move(ctx, account, { plan: after, trial_ends_at: ends, ...(quota !== undefined && { quota }) })
  })
}

type Wanted = { plan: Plan; trial_ends_at?: string | null; quota?: number }

async function move(ctx: Context, account: AccountRow, wanted: Wanted): Promise<void> {
  const { plan, trial_ends_at = account.trial_ends_at, quota } = wanted
  const about = { kind: 'credits', id: ctx.team_id }
  store.saveAccount(ctx, {
    plan,
    trial_ends_at,
    ...(quota !== undefined && { monthly_quota: quota }),
    updated_at: nextVersion(account.updated_at, ctx.now()),
  })
  ctx.afterCommit(() => memory.forget(ctx))
  if (plan === 'TRIAL' && trial_ends_at !== null && trial_ends_at !== account.trial_ends_at)
    waitForTrialEnd(ctx, trial_ends_at)
  if (quota !== undefined && quota !== account.monthly_quota)
    record(ctx, creditEvents.quotaChanged, about, { before: quotaOf(ctx, account), after: quota })
  if (plan === account.plan) return
  record(ctx, creditEvents.planChanged, about, { before: account.plan, after: plan })
  if (plan === 'EXPIRED') await tellOfExpiry(ctx)
}

/** Nothing more goes out in the name of a team that cannot change it any more. */
async function tellOfExpiry(ctx: Context): Promise<void> {
  await pauseAll(ctx)
  const admins = await listAdmins(ctx)
  await notify(ctx, {
    user_ids: admins.map(({ id }) => id),
    title: 'Your trial has ended',
    text: 'You can still view and export everything, but changes are disabled and outreach is paused.',
    link: '/settings/credits',
    source: { kind: 'credits', id: ctx.team_id, name: null },
  })
  for (const { email } of admins) mailExpiry(ctx, email)
}
