import { Button, Group } from '@mantine/core'
import IconTrash from 'icon:trash'
import { restoreWorkflow } from '../records/workflows/workflow-writes.ts'
import { paths } from '../paths.ts'
import { useCan } from '../queries.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { Empty } from '../ui/states.tsx'
import { toastFault } from '../ui/toast.ts'

export function WorkflowInTrash({ id }: { id: string }) {
  const canWrite = useCan('workflows:write')
  const restore = () => void restoreWorkflow(id).catch(error => toastFault(error, 'Not restored'))
  return (
    <Empty
      whole
      icon={<IconTrash size={32} stroke={1.4} />}
      title="This workflow is in the trash"
      action={
        <Group gap="xs">
          {canWrite && <Button onClick={restore}>Restore it</Button>}
          <LinkButton variant="default" to={paths.workflows} search={{}}>
            Back to the workflows
          </LinkButton>
        </Group>
      }
    >
      Nothing sets it off. It stays in the trash for 30 days and is then deleted for good.
    </Empty>
  )
}
