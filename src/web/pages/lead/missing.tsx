import { Button, Group } from '@mantine/core'
import IconTrash from 'icon:trash'
import IconUserOff from 'icon:user-off'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Empty } from '../../ui/states.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { leads } from '../../records/leads/store.ts'

export function NoSuchLead({ search }: { search: ListSearch }) {
  return (
    <Empty
      whole
      icon={<IconUserOff size={32} stroke={1.4} />}
      title="Lead not found"
      action={
        <LinkButton to={paths.leads} search={search}>
          Back to leads
        </LinkButton>
      }
    >
      It may have been permanently deleted, or it belongs to another team.
    </Empty>
  )
}

export function InTrash({ id, search }: { id: string; search: ListSearch }) {
  const canWrite = useCan('leads:write')
  const { busy, submit } = useSubmit(() => leads.restore(id))
  return (
    <Empty
      whole
      icon={<IconTrash size={32} stroke={1.4} />}
      title="This lead is in the trash"
      action={
        <Group gap="sm">
          {canWrite && (
            <Button loading={busy} onClick={submit}>
              Restore
            </Button>
          )}
          <LinkButton variant="default" to={paths.leads} search={search}>
            Back to leads
          </LinkButton>
        </Group>
      }
    >
      It will be deleted permanently after 30 days.
    </Empty>
  )
}
