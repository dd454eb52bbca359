import IconLock from 'icon:lock'
import { PageHead } from '../../ui/page-head.tsx'
import { Empty } from '../../ui/states.tsx'

/** Shown instead of the outreach pages to viewers. */
export function NoOutreach({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} />
      <Empty icon={<IconLock size={32} stroke={1.4} />} title="Your role does not include outreach">
        Viewers can see leads and the messages sent to them, but not sequences. Ask an admin to make you a
        member.
      </Empty>
    </>
  )
}
