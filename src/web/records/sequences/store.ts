import type { Sequence, SequenceSettings, SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

/** Settings are changed one by one, so that two people can change different ones without a conflict. */
export type SequenceEdit = Partial<Pick<Sequence, 'name' | 'status'>> & Partial<SequenceSettings>

export const sequences = recordStore<SequenceWithWarnings, SequenceEdit>({
  path: '/api/outreach/sequences',
  keys: [cacheKeys.sequences],
  one: 'sequence',
  nameOf: ({ name }) => name,
  bodyOf: edit => {
    const { own, settings } = parted(edit)
    return { ...own, ...(Object.keys(settings).length > 0 && { settings }) }
  },
  changed: (sequence, edit) => {
    const { own, settings } = parted(edit)
    return { ...sequence, ...own, settings: { ...sequence.settings, ...settings } }
  },
  valueOf: ({ settings, ...sequence }, field) =>
    ({ ...settings, name: sequence.name, status: sequence.status })[field as keyof SequenceEdit] ?? null,
  refresh: () =>
    Promise.all(
      [cacheKeys.sequences, cacheKeys.enrolments].map(queryKey =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    ),
})

function parted({ name, status, ...settings }: SequenceEdit) {
  return { own: { ...(name !== undefined && { name }), ...(status && { status }) }, settings }
}
