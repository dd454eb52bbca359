import type { Context } from '#platform/context.ts'
import type { Lead } from '#domains/leads/contract.ts'
import type { ActionNode } from '../definition.ts'
import type { Done } from '../state.ts'
import type { Facts } from '../fields.ts'
import type { ActionName } from '../values.ts'

/** One run that wants this action done now. */
export type Request<Action extends ActionName = ActionName> = {
  /** Acts as the workflow, in the transaction of the run's progress. */
  ctx: Context
  node: ActionNode<Action>
  /** The path of the node. */
  path: string
  /** Of this run, node and turn: the same however often it is tried. */
  key: string
  workflow: { id: string; name: string; author_id: string | null }
  run: { id: string; event_id: string | null; subject_kind: string | null; subject_id: string | null }
  facts: Facts
  lead: Lead | null
  /** The lead's time zone. */
  zone: string
  /** The lead as it is now: what follows sees it so. */
  setLead(lead: Lead): void
  /** From now on the run is about this lead. */
  becomeLead(lead: Lead): void
}

/**
 * Performs an action for many runs at once. Results are in the order of the requests. A foreseeable failure
 * is returned as a result; a thrown error rolls back this action only, and is returned as its failure if it
 * is a `Problem`.
 */
export type Perform<Action extends ActionName = ActionName> = (
  ctx: Context,
  requests: readonly Request<Action>[],
) => Promise<Done[]>

export const NO_LEAD: Done = { ok: false, reason: 'This run has no lead.' }

/** For actions that are done one after the other. */
export function each<Action extends ActionName>(
  perform: (request: Request<Action>) => Promise<Done>,
): Perform<Action> {
  return async (_ctx, requests) => {
    const done: Done[] = []
    for (const request of requests) done.push(await perform(request))
    return done
  }
}
