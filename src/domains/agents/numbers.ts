import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { hasSeveralTeams } from '#domains/identity/service.ts'
import type { Agent } from './contract.ts'
import * as store from './number-store.ts'

/** The agent that answers this number, if any, in whichever team: an incoming call knows no team. */
export async function agentAtNumber(
  ctx: Context,
  phone: string,
): Promise<{ team_id: string; agent_id: string } | undefined> {
  const found = await store.findByNumber(ctx, phone)
  return found && { team_id: found.team_id, agent_id: found.agent_id }
}

type Answering = Pick<Agent, 'id' | 'phone_number'>

/** Runs in the transaction of the agent's change: from now on it answers this number and no other. */
export async function keepNumber(ctx: Context, { id, phone_number }: Answering): Promise<void> {
  if (phone_number === null) return freeNumber(ctx, id)
  const isAllowed = await mayTake(ctx, phone_number)
  // The owner of the number is not disclosed.
  if (!isAllowed && !(await store.findByNumber(ctx, phone_number))) throw notAssigned(phone_number)
  if (isAllowed && (await store.take(ctx, id, phone_number))) return
  throw new Problem('conflict', `Another agent already uses ${phone_number}.`, {
    code: 'number_taken',
    errors: [{ path: 'phone_number', message: 'is used by another agent' }],
  })
}

/** The number the agent had before, if it is still free. */
export async function numberAgain(ctx: Context, { id, phone_number }: Answering): Promise<string | null> {
  if (phone_number === null || !(await mayTake(ctx, phone_number))) return null
  return (await store.take(ctx, id, phone_number)) ? phone_number : null
}

export const freeNumber = store.free

/**
 * With teams that do not trust each other, the operator assigns numbers: otherwise the first to enter one
 * could take another team's callers. An agent keeps the number it already has.
 */
async function mayTake(ctx: Context, phone_number: string): Promise<boolean> {
  const { phoneNumbers } = ctx.runtime.settings
  if (phoneNumbers === 'any' || phoneNumbers.get(phone_number) === ctx.team_id) return true
  return !phoneNumbers.has(phone_number) && !(await hasSeveralTeams(ctx))
}

function notAssigned(phone_number: string): Problem {
  return new Problem(
    'conflict',
    `${phone_number} is not assigned to this team. The operator of this installation assigns numbers (PHONE_NUMBERS).`,
    {
      code: 'number_not_assigned',
      errors: [{ path: 'phone_number', message: 'is not assigned to this team' }],
    },
  )
}
