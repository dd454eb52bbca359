import { paths } from '../../paths.ts'
import { InTrash } from '../../ui/in-trash.tsx'
import { sequences } from '../../records/sequences/store.ts'

export function SequenceInTrash({ id }: { id: string }) {
  return (
    <InTrash noun="sequence" list={paths.sequences} restore={() => sequences.bringBack(id)}>
      It sends nothing. After 30 days in the trash it is deleted permanently.
    </InTrash>
  )
}
