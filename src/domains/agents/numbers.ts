import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import type { Agent } from './contract.ts'
import * as store from './number-store.ts'

/** Who answers there, if anybody does: who calls knows no team. */
export async function agentAtNumber(
  ctx: Context,
  phone: string,
): Promise<{ team_id: string; agent_id: string } | undefined> {
  const found = await store.findByNumber(ctx, phone)
  return found && { team_id: found.team_id, agent_id: found.agent_id }
}

type Answering = Pick<Agent, 'id' | 'phone_number'>

/** In the transaction of the agent's change: it answers at its number from now on, and at no other. */
export async function keepNumber(ctx: Context, { id, phone_number }: Answering): Promise<void> {
  if (phone_number === null) return freeNumber(ctx, id)
  if (await store.take(ctx, id, phone_number)) return
  // Whose it is stays between them and us.
  throw new Problem('conflict', `Another agent answers at ${phone_number} already.`, {
    code: 'number_taken',
    errors: [{ path: 'phone_number', message: 'is taken by another agent' }],
  })
}

/** The number that an agent had before, where it is still free. */
export async function numberAgain(ctx: Context, { id, phone_number }: Answering): Promise<string | null> {
  return phone_number !== null && (await store.take(ctx, id, phone_number)) ? phone_number : null
}

export const freeNumber = store.free
