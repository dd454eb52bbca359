import type { Sequence, SequenceWithWarnings, Step } from '#domains/sequences/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import { enrolments } from '../enrolments/store.ts'
import { putOutreachSettings } from './sequences-cache.ts'
import { sequences } from './store.ts'

const NAME_LENGTH_MAX = 200
const MOVED_AT_ONCE_MAX = 500

/** The copy is a draft. */
export function duplicateSequence({ name, steps, settings }: Sequence): Promise<SequenceWithWarnings> {
  const called = `Copy of ${name}`.slice(0, NAME_LENGTH_MAX)
  return sequences.create({ name: called, steps, settings, status: 'DRAFT' })
}

/** Refused if the sequence has changed since it was loaded. */
export function saveSteps(id: string, steps: Step[], ifMatch: string): Promise<SequenceWithWarnings> {
  return sequences.act(id, () =>
    api('PATCH /api/outreach/sequences/:id', { params: { id }, body: { steps }, ifMatch }),
  )
}

/** Moves leads on older versions to the newest. */
export async function moveAll(id: string): Promise<void> {
  const { moved } = await api('POST /api/outreach/sequences/:id/move', { params: { id } })
  void enrolments.refresh()
  // Beyond one block, the rest are moved in the background.
  toast(
    moved < MOVED_AT_ONCE_MAX
      ? `Moved ${plural(moved, 'lead')} to the new version`
      : 'Moving leads to the new version …',
  )
}

/** Throws if the sequence cannot be activated. */
export async function activateSequence({ id, name }: Sequence): Promise<void> {
  await sequences.changeOrThrow(id, { status: 'ACTIVE' }, { plain: `${name} is active` })
}

export function setStatus({ id, name }: Sequence, status: 'ACTIVE' | 'PAUSED'): Promise<boolean> {
  const say = status === 'ACTIVE' ? { plain: `Resumed ${name}` } : `Paused ${name}`
  return sequences.change(id, { status }, say)
}

/** The team's panic button. */
export async function pauseOutreach(): Promise<void> {
  putOutreachSettings(await api('POST /api/outreach/pause'))
  void enrolments.refresh()
  toast('All outreach is paused')
}

export async function resumeOutreach(): Promise<void> {
  try {
    putOutreachSettings(await api('POST /api/outreach/resume'))
    toast('Outreach resumed')
  } catch (error) {
    toastFault(error, "Couldn't resume")
  }
  void enrolments.refresh()
}
