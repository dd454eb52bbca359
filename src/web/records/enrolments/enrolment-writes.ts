import type { Enrolment } from '#domains/enrolments/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { enrolments } from './store.ts'

type Way = 'pause' | 'resume' | 'skip' | 'stop'

export async function pauseEnrolment({ id }: Enrolment, name: string): Promise<void> {
  const shown = { paused_at: new Date().toISOString() }
  if (await tried("Couldn't pause", () => run(id, 'pause', shown)))
    toastWithUndo(`Paused for ${name}`, () => run(id, 'resume'))
}

export async function resumeEnrolment({ id }: Enrolment, name: string): Promise<void> {
  const shown = { held: null, paused_at: null }
  if (await tried("Couldn't resume", () => run(id, 'resume', shown))) toast(`Resumed for ${name}`)
}

export async function skipStep({ id }: Enrolment, name: string): Promise<void> {
  if (await tried("Couldn't skip the step", () => run(id, 'skip'))) toast(`Skipped the next step for ${name}`)
}

export async function stopEnrolment({ id }: Enrolment, name: string): Promise<void> {
  await run(id, 'stop')
  toast(`Stopped for ${name}`)
}

export function reschedule({ id }: Enrolment, at: string): Promise<Enrolment> {
  return enrolments.act(id, () =>
    api('POST /api/outreach/enrolments/:id/reschedule', { params: { id }, body: { next_step_at: at } }),
  )
}

export async function writeIcebreakers(id: string): Promise<void> {
  const write = () => api('POST /api/outreach/enrolments/:id/icebreakers', { params: { id } })
  if (await tried("Couldn't write icebreakers", write)) toast('Writing icebreakers …')
  void enrolments.refresh()
}

export async function approveIcebreaker(id: string, step: number, text: string): Promise<void> {
  await api('PUT /api/outreach/enrolments/:id/icebreakers/:step_index', {
    params: { id, step_index: String(step) },
    body: { text },
  })
  void enrolments.refresh()
}

/** `shown` is applied right away, where the outcome is known. */
function run(id: string, way: Way, shown?: Partial<Enrolment>): Promise<Enrolment> {
  return enrolments.act(id, () => api(`POST /api/outreach/enrolments/:id/${way}`, { params: { id } }), shown)
}

async function tried(fault: string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    toastFault(error, fault)
    return false
  }
}
