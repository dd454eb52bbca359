import IconBuildingOff from 'icon:building-off'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { InTrash } from '../../ui/in-trash.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Empty } from '../../ui/states.tsx'
import { accounts } from '../../records/accounts/store.ts'

export function NoSuchAccount() {
  return (
    <Empty
      whole
      icon={<IconBuildingOff size={32} stroke={1.4} />}
      title="Account not found"
      action={<LinkButton to={paths.accounts}>Back to accounts</LinkButton>}
    >
      It may have been permanently deleted, or it belongs to another team.
    </Empty>
  )
}

export function AccountInTrash({ id }: { id: string }) {
  const canWrite = useCan('accounts:write')
  const restore = () => accounts.restore(id)
  return (
    <InTrash noun="account" list={paths.accounts} restore={canWrite ? restore : undefined}>
      It will be deleted permanently after 30 days.
    </InTrash>
  )
}
