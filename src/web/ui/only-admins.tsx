import IconLock from 'icon:lock'
import { PageHead } from './page-head.tsx'
import { Empty } from './states.tsx'

export function OnlyAdmins({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} />
      <Empty icon={<IconLock size={32} stroke={1.4} />} title="Only admins can see this page">
        Ask an admin to change your role.
      </Empty>
    </>
  )
}
