import type { Context } from '#platform/context.ts'
import type { Fault } from '#platform/problem.ts'
import type { OpenHours, OwnTargets } from './answer-targets-contract.ts'
import * as store from './store.ts'

/** The answer targets of its own that a mailbox has; of one that was disconnected, none. */
export async function findOwnTargets(ctx: Context, id: string): Promise<OwnTargets | undefined> {
  return store.findMailbox(ctx, id)
}

/** Of these mailboxes, the addresses of those that are still connected. */
export async function findMailboxAddresses(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, string>> {
  return store.findAddressesOf(ctx, ids)
}

export function hoursFaults(hours: readonly OpenHours[]): Fault[] {
  return hours.flatMap(({ from, until }, at) =>
    from < until ? [] : [{ path: `hours[${at}].until`, message: 'must be later than the start time' }],
  )
}
