import type { Run } from '#domains/workflows/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { refreshRuns } from './workflows-cache.ts'

export type RunAct = 'cancel' | 'pause' | 'resume' | 'retry' | 'replay'

const said: Record<RunAct, { done: string; fault: string }> = {
  cancel: { done: 'Run cancelled', fault: "Couldn't cancel run" },
  pause: { done: 'Run paused', fault: "Couldn't pause run" },
  resume: { done: 'Run resumed', fault: "Couldn't resume run" },
  retry: { done: 'Retrying from failed step', fault: "Couldn't retry run" },
  replay: { done: 'New run started', fault: "Couldn't start run" },
}

/** Returns the updated run. Throws if the server refuses, for a dialog to show. */
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

/** The same for menus and buttons: shows a toast if the server refuses. */
export async function tryControlRun(id: string, act: RunAct): Promise<Run | undefined> {
  try {
    return await controlRun(id, act)
  } catch (error) {
    toastFault(error, said[act].fault)
    return undefined
  }
}
