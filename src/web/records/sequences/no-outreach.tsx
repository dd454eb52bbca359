import IconLock from 'icon:lock'
import { PageHead } from '../../ui/page-head.tsx'
import { Empty } from '../../ui/states.tsx'

/** For those who only read: outreach is work, so its pages are for those who do it. */
export function NoOutreach({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} />
      <Empty icon={<IconLock size={32} stroke={1.4} />} title="Your role does not include outreach">
        Viewers read leads and what was sent to them, but do not see sequences. Ask an administrator of the
        team to make you a member.
      </Empty>
    </>
  )
}
