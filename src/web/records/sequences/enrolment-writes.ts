import type { Enrolment } from '#domains/enrolments/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { patchEnrolment, refreshEnrolments } from './sequences-cache.ts'

type Way = 'pause' | 'resume' | 'skip' | 'stop'

/** Shown at once where the outcome is known, and taken back when the server refuses. */
export async function pauseEnrolment(enrolment: Enrolment, name: string): Promise<void> {
  const done = await act(enrolment, 'pause', { paused_at: new Date().toISOString() }, 'Not paused')
  if (done) toastWithUndo(`Paused for ${name}`, () => run(enrolment.id, 'resume'))
}

export async function resumeEnrolment(enrolment: Enrolment, name: string): Promise<void> {
  const done = await act(enrolment, 'resume', { held: null, paused_at: null }, 'Not resumed')
  if (done) toast(`Goes on for ${name}`)
}

export async function skipStep(enrolment: Enrolment, name: string): Promise<void> {
  if (await act(enrolment, 'skip', {}, 'Not left out')) toast(`The next step is left out for ${name}`)
}

export async function stopEnrolment({ id }: Enrolment, name: string): Promise<void> {
  await run(id, 'stop')
  toast(`Stopped for ${name}`)
}

export async function reschedule({ id }: Enrolment, at: string): Promise<void> {
  patchEnrolment(
    id,
    await api('POST /api/outreach/enrolments/:id/reschedule', { params: { id }, body: { next_step_at: at } }),
  )
  refreshEnrolments()
}

export async function writeIcebreakers(id: string): Promise<void> {
  try {
    await api('POST /api/outreach/enrolments/:id/icebreakers', { params: { id } })
    toast('The icebreakers are being written')
  } catch (error) {
    toastFault(error, 'Not written')
  }
  refreshEnrolments()
}

export async function approveIcebreaker(id: string, step: number, text: string): Promise<void> {
  await api('PUT /api/outreach/enrolments/:id/icebreakers/:step_index', {
    params: { id, step_index: String(step) },
    body: { text },
  })
  refreshEnrolments()
}

async function act(
  enrolment: Enrolment,
  way: Way,
  fields: Partial<Enrolment>,
  fault: string,
): Promise<boolean> {
  patchEnrolment(enrolment.id, fields)
  try {
    await run(enrolment.id, way)
    return true
  } catch (error) {
    patchEnrolment(enrolment.id, enrolment)
    toastFault(error, fault)
    return false
  }
}

async function run(id: string, way: Way): Promise<void> {
  patchEnrolment(id, await api(`POST /api/outreach/enrolments/:id/${way}`, { params: { id } }))
  refreshEnrolments()
}
