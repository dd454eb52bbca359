import type { Agent, AgentChange, Deployment } from '#domains/agents/contract.ts'
import { api } from '../../api.ts'
import { agents } from '../../records/agents/store.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'

/** Many fields at once, as they are on the agent's page; refused unless they are based on the current version. */
export function saveAgent(id: string, body: AgentChange, ifMatch: string): Promise<Agent> {
  return agents.act(id, () => api('PATCH /api/voice/agents/:id', { params: { id }, body, ifMatch }))
}

/** Restoring creates a new version, so it can be undone by restoring the one before. */
export async function restoreVersion({ id, name, version: now }: Agent, version: number): Promise<void> {
  try {
    await goTo(id, version)
    toastWithUndo(`Restored ${name} to version ${version}`, () => goTo(id, now))
  } catch (error) {
    toastFault(error, "Couldn't restore")
  }
}

function goTo(id: string, version: number): Promise<Agent> {
  const params = { id, version: String(version) }
  return agents.act(id, () => api('POST /api/voice/agents/:id/versions/:version/restore', { params }))
}

export async function claimDeployment(id: string, key: string): Promise<Deployment> {
  const deployment = await api('POST /api/agents/deployments/:id/claim', { params: { id }, body: { key } })
  void agents.refresh()
  return deployment
}
