import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { membersAmong } from '#domains/identity/members.ts'
import { changeLeads } from '#domains/leads/service.ts'
import type { Done } from '../state.ts'
import { takeTurns } from '../turn-store.ts'
import { NO_LEAD, type Perform, type Request } from './action.ts'
import { done, failed, refused } from './answers.ts'
import type { Asked } from './asked.ts'

type Assignment = Request<'assign_to_rep'>

export const perform: Perform<'assign_to_rep'> = async (ctx, requests) => {
  const people = await membersAmong(ctx, requests.flatMap(candidatesOf))
  const isThere = (id: string) => people.has(id)
  const chosen = await choose(
    ctx,
    requests.filter(({ lead }) => lead),
    isThere,
  )
  const doable = [...chosen.keys()]
  const changed = await changeLeads(
    ctx,
    doable.map(request => ({
      ctx: request.ctx,
      id: request.lead!.id,
      change: { owner_id: chosen.get(request)! },
    })),
  )
  const answers = new Map(doable.map((request, at) => [request, changed[at]!]))
  return requests.map((request): Done => {
    if (!request.lead) return NO_LEAD
    const input = given(request)
    const lead = answers.get(request)
    if (!lead) return failed(input, NOBODY)
    if (lead instanceof Problem) return refused(input, lead)
    request.setLead(lead)
    const { id, name, email } = people.get(lead.owner_id!)!
    return done(input, { lead_id: lead.id, owner_id: id }, `${name || email} is now the owner.`)
  })
}

export const NOBODY = 'None of the people named is still a member of this team.'

export function given({ node }: Pick<Asked<'assign_to_rep'>, 'node'>) {
  return node.member === undefined ? { members: node.members } : { member: node.member }
}

export function candidatesOf({ node }: Pick<Assignment, 'node'>): string[] {
  return node.member === undefined ? (node.members ?? []) : [node.member]
}

/** Who gets which. At each node those who are there take turns, in the order they are listed. */
async function choose(
  ctx: Context,
  requests: readonly Assignment[],
  isThere: (id: string) => boolean,
): Promise<Map<Assignment, string>> {
  const chosen = new Map<Assignment, string>()
  const nodes = Map.groupBy(requests, ({ workflow, path }) => `${workflow.id} ${path}`)
  // In one order, so that two who take turns at several nodes cannot wait for each other in a circle.
  for (const [, list] of [...nodes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { node, workflow, path } = list[0]!
    const present = candidatesOf({ node }).filter(isThere)
    if (present.length === 0) continue
    const first =
      node.member === undefined ? await takeTurns(ctx, { workflow_id: workflow.id, path }, list.length) : 0
    for (const [at, request] of list.entries()) chosen.set(request, present[(first + at) % present.length]!)
  }
  return chosen
}
