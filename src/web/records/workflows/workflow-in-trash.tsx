import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { InTrash } from '../../ui/in-trash.tsx'
import { workflows } from './store.ts'

export function WorkflowInTrash({ id }: { id: string }) {
  const canWrite = useCan('workflows:write')
  return (
    <InTrash
      noun="workflow"
      list={paths.workflows}
      restore={canWrite ? () => workflows.bringBack(id) : undefined}
    >
      Nothing sets it off, and it does nothing more. It stays in the trash for 30 days and is then deleted for
      good.
    </InTrash>
  )
}
