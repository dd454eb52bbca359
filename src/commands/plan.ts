import { changePlan } from '#domains/credits/plan.ts'
import { grantCredits, readCredits } from '#domains/credits/service.ts'
import { CREDITS_MAX, plans, TRIAL_DAYS_DEFAULT, type Plan } from '#domains/credits/values.ts'
import { getTeam } from '#domains/identity/teams.ts'
import type { Context } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { need, UsageError, type Values } from './command.ts'
import { withContext } from './database.ts'
import { teamOf } from './team.ts'

const DAYS_MAX = 3_650

export async function run(values: Values): Promise<void> {
  const wanted = need(values, 'team')
  const plan = values.plan === undefined ? undefined : knownPlan(values.plan)
  const days = number(values, 'days', 1, DAYS_MAX)
  const quota = number(values, 'quota', 0, CREDITS_MAX)
  const credits = number(values, 'credits', 1, CREDITS_MAX)
  if (days !== undefined && plan !== 'TRIAL') throw new UsageError('--days requires --plan TRIAL.')
  await withContext(async (ctx, config) => {
    const team = ctx.forTeam(await teamOf(ctx, wanted))
    const trial = plan === 'TRIAL' ? { days: days ?? config.trialDays ?? TRIAL_DAYS_DEFAULT } : {}
    if (plan !== undefined || quota !== undefined)
      await changePlan(team, { ...(plan && { plan }), ...(quota !== undefined && { quota }), ...trial })
    if (credits !== undefined)
      await grantCredits(team, { amount: credits, reference: newId(), note: 'From the operator' })
    console.log(await stateOf(team))
  })
}

function knownPlan(text: string): Plan {
  const plan = plans.find(plan => plan === text.toUpperCase())
  if (!plan) throw new UsageError(`--plan must be one of ${plans.join(', ')}, not ${text}.`)
  return plan
}

function number(values: Record<string, string | undefined>, name: string, min: number, max: number) {
  const text = values[name]
  if (text === undefined) return undefined
  if (/^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
  throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not ${text}.`)
}

async function stateOf(ctx: Context): Promise<string> {
  const { name } = await getTeam(ctx)
  const { plan, trial_ends_at, balance, monthly_quota, resets_at } = await readCredits(ctx)
  const until = plan === 'TRIAL' ? ` until ${trial_ends_at}` : ''
  return `${name} (${ctx.team_id}): ${plan}${until}, ${balance} credits, ${monthly_quota} per month, next on ${resets_at.slice(0, 10)}`
}
