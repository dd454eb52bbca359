import type { Run } from '#domains/workflows/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { refreshRuns } from './workflows-cache.ts'

export type RunAct = 'cancel' | 'pause' | 'resume' | 'retry' | 'replay'

const said: Record<RunAct, { done: string; fault: string }> = {
  cancel: { done: 'Cancelled the run', fault: 'Not cancelled' },
  pause: { done: 'Paused the run', fault: 'Not paused' },
  resume: { done: 'Resumed the run', fault: 'Not resumed' },
  retry: { done: 'Retrying from the step that failed', fault: 'Not retried' },
  replay: { done: 'Started a new run', fault: 'Not started' },
}

/** The run as it is then. It throws what the server refuses, for a dialog to show. */
export async function controlRun(id: string, act: RunAct): Promise<Run> {
  try {
    const run = await api(`POST /api/crm/workflows/runs/:id/${act}`, { params: { id } })
    if (act === 'pause') toastWithUndo(said.pause.done, () => controlRun(id, 'resume'))
    else toast(said[act].done)
    return run
  } finally {
    refreshRuns()
  }
}

/** The same from a menu or a button: nothing where the server refused, which has been said. */
export async function tryControlRun(id: string, act: RunAct): Promise<Run | undefined> {
  try {
    return await controlRun(id, act)
  } catch (error) {
    toastFault(error, said[act].fault)
    return undefined
  }
}
