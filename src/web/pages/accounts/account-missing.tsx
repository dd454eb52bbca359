import { Button, Group } from '@mantine/core'
import IconBuildingOff from 'icon:building-off'
import IconTrash from 'icon:trash'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Empty } from '../../ui/states.tsx'
import { accounts } from '../../records/accounts/store.ts'

export function NoSuchAccount() {
  return (
    <Empty
      whole
      icon={<IconBuildingOff size={32} stroke={1.4} />}
      title="There is no such account"
      action={<LinkButton to={paths.accounts}>Back to the accounts</LinkButton>}
    >
      It may have been deleted for good, or it belongs to another team.
    </Empty>
  )
}

export function AccountInTrash({ id }: { id: string }) {
  const canWrite = useCan('accounts:write')
  const [busy, setBusy] = useState(false)
  return (
    <Empty
      whole
      icon={<IconTrash size={32} stroke={1.4} />}
      title="This account is in the trash"
      action={
        <Group gap="xs">
          {canWrite && (
            <Button
              loading={busy}
              onClick={() => {
                setBusy(true)
                void accounts.restore(id).finally(() => setBusy(false))
              }}
            >
              Restore it
            </Button>
          )}
          <LinkButton variant="default" to={paths.accounts}>
            Back to the accounts
          </LinkButton>
        </Group>
      }
    >
      It stays there for 30 days and is then deleted for good.
    </Empty>
  )
}
