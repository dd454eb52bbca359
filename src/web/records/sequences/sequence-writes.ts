import type {
  NewSequence,
  Sequence,
  SequenceChange,
  SequenceSettings,
  SequenceWithWarnings,
  Step,
} from '#domains/sequences/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import { inTurn } from '../in-turn.ts'
import {
  putOutreachSettings,
  putSequence,
  refreshEnrolments,
  refreshSequences,
  sequenceQuery,
} from './sequences-cache.ts'

const NAME_LENGTH_MAX = 200
const MOVED_AT_ONCE_MAX = 500

export async function createSequence(body: NewSequence): Promise<SequenceWithWarnings> {
  const sequence = await api('POST /api/outreach/sequences', { body })
  putSequence(sequence)
  refreshSequences()
  return sequence
}

/** The copy does not begin by itself. */
export function duplicateSequence({ name, steps, settings }: Sequence): Promise<SequenceWithWarnings> {
  const called = `Copy of ${name}`.slice(0, NAME_LENGTH_MAX)
  return createSequence({ name: called, steps, settings, status: 'DRAFT' })
}

/** The steps: only what builds on the sequence as we know it. */
export async function saveSteps(id: string, steps: Step[], ifMatch: string): Promise<SequenceWithWarnings> {
  const sequence = await change(id, { steps }, ifMatch)
  refreshSequences()
  refreshEnrolments()
  return sequence
}

/** Everybody who is on an older version goes on with the newest. */
export async function moveAll(id: string): Promise<void> {
  const { moved } = await api('POST /api/outreach/sequences/:id/move', {
    params: { id: id },
  })
  refreshEnrolments()
  // More than a block are moved in the background.
  toast(
    moved < MOVED_AT_ONCE_MAX
      ? `Moved ${plural(moved, 'lead')} to the new version`
      : 'The leads are being moved to the new version',
  )
}

export async function activateSequence({ id, name }: Sequence): Promise<void> {
  await change(id, { status: 'ACTIVE' })
  refreshSequences()
  refreshEnrolments()
  toast(`${name} is active`)
}

/** Shown at once, and taken back when the server refuses. */
export async function setStatus(sequence: Sequence, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
  const { id, name } = sequence
  patch(id, { status })
  try {
    await change(id, { status })
    if (status === 'ACTIVE') toast(`Resumed ${name}`)
    else toastWithUndo(`Paused ${name}: nothing of it is sent`, () => change(id, { status: 'ACTIVE' }))
  } catch (error) {
    patch(id, { status: sequence.status })
    toastFault(error, status === 'ACTIVE' ? 'Not resumed' : 'Not paused')
  }
  refreshSequences()
  refreshEnrolments()
}

export async function renameSequence(sequence: Sequence, name: string): Promise<void> {
  const { id, name: before } = sequence
  patch(id, { name })
  try {
    await change(id, { name })
    toastWithUndo(`Renamed to ${name}`, () => change(id, { name: before }))
  } catch (error) {
    patch(id, { name: before })
    toastFault(error, 'Not renamed')
  }
  refreshSequences()
}

/** A setting takes effect at once, and can be taken back. */
export async function setSettings(
  sequence: Sequence,
  settings: Partial<SequenceSettings>,
  say: string,
): Promise<void> {
  const { id } = sequence
  const before = Object.fromEntries(
    Object.keys(settings).map(key => [key, sequence.settings[key as keyof SequenceSettings]]),
  ) as Partial<SequenceSettings>
  patch(id, { settings: { ...sequence.settings, ...settings } })
  try {
    await change(id, { settings })
    toastWithUndo(say, () => change(id, { settings: before }))
  } catch (error) {
    patch(id, { settings: sequence.settings })
    toastFault(error, 'Not saved')
  }
}

/** Into the trash, and `leave` the page of what is no longer there. */
export async function trashSequence({ id, name }: Sequence, leave: () => void): Promise<void> {
  try {
    await api('DELETE /api/outreach/sequences/:id', { params: { id: id } })
    leave()
    refreshSequences()
    toastWithUndo(`Moved ${name} to the trash`, () => restoreSequence(id))
  } catch (error) {
    toastFault(error, 'Not moved to the trash')
  }
}

export async function restoreSequence(id: string): Promise<void> {
  await api('POST /api/outreach/sequences/:id/restore', { params: { id: id } })
  await queryClient.resetQueries(sequenceQuery(id))
  refreshSequences()
}

/** The panic button of the team. */
export async function pauseOutreach(): Promise<void> {
  putOutreachSettings(await api('POST /api/outreach/pause'))
  refreshEnrolments()
  toast('All outreach is paused')
}

export async function resumeOutreach(): Promise<void> {
  try {
    putOutreachSettings(await api('POST /api/outreach/resume'))
    toast('Outreach goes on')
  } catch (error) {
    toastFault(error, 'Not resumed')
  }
  refreshEnrolments()
}

async function change(id: string, body: SequenceChange, ifMatch?: string): Promise<SequenceWithWarnings> {
  const sequence = await inTurn(id, () =>
    api('PATCH /api/outreach/sequences/:id', {
      params: { id: id },
      body,
      ...(ifMatch && { ifMatch }),
    }),
  )
  putSequence(sequence)
  return sequence
}

function patch(id: string, fields: Partial<SequenceWithWarnings>): void {
  queryClient.setQueryData(sequenceQuery(id).queryKey, sequence => sequence && { ...sequence, ...fields })
}
