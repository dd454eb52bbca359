import { paths } from '../../paths.ts'
import { InTrash } from '../../ui/in-trash.tsx'
import { restoreSequence } from '../../records/sequences/sequence-writes.ts'

export function SequenceInTrash({ id }: { id: string }) {
  return (
    <InTrash noun="sequence" list={paths.sequences} restore={() => restoreSequence(id)}>
      Nothing of it is sent. It stays in the trash for 30 days and is then deleted for good.
    </InTrash>
  )
}
