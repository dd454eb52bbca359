import { paths } from '../../paths.ts'
import { InTrash } from '../../ui/in-trash.tsx'
import { sequences } from '../../records/sequences/store.ts'

export function SequenceInTrash({ id }: { id: string }) {
  return (
    <InTrash noun="sequence" list={paths.sequences} restore={() => sequences.bringBack(id)}>
      Nothing of it is sent. It stays in the trash for 30 days and is then deleted for good.
    </InTrash>
  )
}
