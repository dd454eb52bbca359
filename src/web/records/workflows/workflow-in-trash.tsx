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
      It does not run. After 30 days in the trash it is deleted permanently.
    </InTrash>
  )
}
