import type { Agent, AgentChange, Deployment, NewAgent } from '#domains/agents/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../../records/in-turn.ts'
import { agentQuery, putAgent, refreshAgents } from '../../records/agents/agents-cache.ts'

export async function createAgent(body: NewAgent): Promise<Agent> {
  const agent = await api('POST /api/voice/agents', { body })
  putAgent(agent)
  refreshAgents()
  return agent
}

/** Shows the change at once, saves it, and offers the way back. */
export async function changeAgent(agent: Agent, change: AgentChange, say: string | null): Promise<boolean> {
  const { id } = agent
  const before = Object.fromEntries(
    Object.keys(change).map(key => [key, agent[key as keyof Agent]]),
  ) as AgentChange
  patch(id, change)
  const waiting = underWay.get(id) ?? []
  underWay.set(id, [...waiting, change])
  // An answer that is on its way was asked for before.
  await queryClient.cancelQueries({ queryKey: agentQuery(id).queryKey })
  patch(id, change)
  try {
    const saved = await inTurn(id, () => api('PATCH /api/voice/agents/:id', { params: { id }, body: change }))
    settle(id, change)
    // What was changed since stays as it is shown.
    putAgent(Object.assign({}, saved, ...(underWay.get(id) ?? [])))
    if (say) toastWithUndo(say, () => changeAgent(saved, before, null))
    return true
  } catch (error) {
    settle(id, change)
    patch(id, before)
    toastFault(error, 'Not saved')
    return false
  } finally {
    refreshAgents()
  }
}

/** Changes that are shown and not saved yet, by their agent. */
const underWay = new Map<string, AgentChange[]>()

function settle(id: string, change: AgentChange): void {
  const left = (underWay.get(id) ?? []).filter(other => other !== change)
  if (left.length > 0) underWay.set(id, left)
  else underWay.delete(id)
}

/** Many fields at once, as they are on the agent's page. */
export async function saveAgent(id: string, body: AgentChange, ifMatch?: string): Promise<Agent> {
  const saved = await inTurn(id, () =>
    api('PATCH /api/voice/agents/:id', { params: { id }, body, ...(ifMatch && { ifMatch }) }),
  )
  putAgent(saved)
  refreshAgents()
  return saved
}

/** Going back is a step forward: it can be undone by going to where it was. */
export async function restoreVersion(agent: Agent, version: number): Promise<void> {
  const { id } = agent
  const go = async (to: number) => {
    const params = { id, version: String(to) }
    putAgent(await api('POST /api/voice/agents/:id/versions/:version/restore', { params }))
    refreshAgents()
  }
  try {
    await go(version)
    toastWithUndo(`${agent.name} is as it was in version ${version}`, () => go(agent.version))
  } catch (error) {
    toastFault(error, 'Not gone back')
  }
}

export async function trashAgent({ id, name }: Agent, leave?: () => void): Promise<void> {
  try {
    await api('DELETE /api/voice/agents/:id', { params: { id } })
    leave?.()
    refreshAgents()
    toastWithUndo(`Moved ${name} to the trash`, () => restoreAgent(id))
  } catch (error) {
    toastFault(error, 'Not moved to the trash')
  }
}

/** What comes back is not listed by that alone. */
export async function restoreAgent(id: string): Promise<Agent> {
  const agent = await api('POST /api/voice/agents/:id/restore', { params: { id } })
  await queryClient.resetQueries(agentQuery(id))
  refreshAgents()
  return agent
}

export async function claimDeployment(id: string, key: string): Promise<Deployment> {
  const deployment = await api('POST /api/agents/deployments/:id/claim', { params: { id }, body: { key } })
  refreshAgents()
  return deployment
}

function patch(id: string, fields: Partial<Agent>): void {
  queryClient.setQueryData<Agent>(agentQuery(id).queryKey, known => known && { ...known, ...fields })
}
