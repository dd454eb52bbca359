import { teamsOfAddress } from '#domains/identity/people.ts'
import { isTeam } from '#domains/identity/service.ts'
import type { Context } from '#platform/context.ts'
import { isId } from '#platform/ids.ts'

/** By its id, or by the address of somebody who is in one team only. */
export async function teamOf(ctx: Context, wanted: string): Promise<string> {
  if (isId(wanted)) {
    if (await isTeam(ctx, wanted)) return wanted
    throw new Error(`There is no team ${wanted}.`)
  }
  const [first, ...others] = await teamsOfAddress(ctx, wanted)
  if (first === undefined) throw new Error(`No team member has the address ${wanted}.`)
  if (others.length > 0)
    throw new Error(`${wanted} is in several teams. Use a team ID: ${[first, ...others].join(' ')}`)
  return first
}
