import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { InTrash } from '../../ui/in-trash.tsx'
import { forms } from '../../records/forms/store.ts'

export function FormInTrash({ id }: { id: string }) {
  const canWrite = useCan('forms:write')
  return (
    <InTrash noun="form" list={paths.forms} restore={canWrite ? () => forms.bringBack(id) : undefined}>
      Its page is offline. The form and its submissions are deleted permanently after 30 days in the trash.
    </InTrash>
  )
}
