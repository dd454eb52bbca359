import type { Run } from '#domains/workflows/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { refreshRuns } from '../../records/workflows/workflows-cache.ts'

export async function pauseRun({ id }: Run): Promise<void> {
  await done('Not paused', async () => {
    await api('POST /api/crm/workflows/runs/:id/pause', { params: { id } })
    toastWithUndo('Paused the run where it is', () => resume(id))
  })
}

export async function resumeRun({ id }: Run): Promise<void> {
  await done('Not resumed', async () => {
    await resume(id)
    toast('The run goes on')
  })
}

export async function retryRun({ id }: Run): Promise<void> {
  await done('Not tried again', async () => {
    await api('POST /api/crm/workflows/runs/:id/retry', { params: { id } })
    toast('The run goes on from where it failed')
  })
}

export async function cancelRun({ id }: Run): Promise<void> {
  await api('POST /api/crm/workflows/runs/:id/cancel', { params: { id } })
  refreshRuns()
  toast('Cancelled the run')
}

export async function runAgain({ id }: Run): Promise<void> {
  await api('POST /api/crm/workflows/runs/:id/replay', { params: { id } })
  refreshRuns()
  toast('It runs again, from the beginning')
}

async function resume(id: string): Promise<void> {
  await api('POST /api/crm/workflows/runs/:id/resume', { params: { id } })
  refreshRuns()
}

/** Whatever the server says, the list shows what is true. */
async function done(otherwise: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    toastFault(error, otherwise)
  }
  refreshRuns()
}
