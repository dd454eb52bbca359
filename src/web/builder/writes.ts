import type { Draft as Body, Run, WorkflowInFull } from '#domains/workflows/contract.ts'
import { api } from '../api.ts'
import { inTurn } from '../records/in-turn.ts'
import { putWorkflow, refreshRuns, refreshWorkflows } from '../records/workflows/workflows-cache.ts'
import { toast, toastFault } from '../ui/toast.ts'

/** Only what builds on the workflow as we know it. */
export async function saveDraft(id: string, body: Body, ifMatch: string): Promise<WorkflowInFull> {
  const workflow = await inTurn(id, () =>
    api('PUT /api/crm/workflows/:id/draft', { params: { id }, body, ifMatch }),
  )
  putWorkflow(workflow)
  return workflow
}

export async function discardDraft(id: string): Promise<WorkflowInFull> {
  const workflow = await inTurn(id, () => api('DELETE /api/crm/workflows/:id/draft', { params: { id } }))
  putWorkflow(workflow)
  return workflow
}

export async function publish(id: string): Promise<WorkflowInFull> {
  const workflow = await inTurn(id, () => api('POST /api/crm/workflows/:id/publish', { params: { id } }))
  putWorkflow(workflow)
  refreshWorkflows()
  return workflow
}

export type RunAct = 'cancel' | 'pause' | 'resume' | 'retry' | 'replay'

const said: Record<RunAct, string> = {
  cancel: 'The run is cancelled',
  pause: 'The run is held where it is',
  resume: 'The run goes on',
  retry: 'The run goes on from the step that failed',
  replay: 'Started again, on the newest version',
}

/** The run as it is then; nothing where the server refused, which has been said. */
export async function controlRun(id: string, act: RunAct): Promise<Run | undefined> {
  try {
    const run = await api(`POST /api/crm/workflows/runs/:id/${act}`, { params: { id } })
    toast(said[act])
    return run
  } catch (error) {
    toastFault(error)
    return undefined
  } finally {
    refreshRuns()
  }
}
