import { ActionIcon } from '@mantine/core'
import IconDots from 'icon:dots'
import { lazy, Suspense, useState } from 'react'
import type { Enrolment } from '#domains/enrolments/contract.ts'
import { ButtonMenu, type MenuItem } from '../../ui/menu.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { pauseEnrolment, resumeEnrolment, skipStep, stopEnrolment } from '../enrolments/enrolment-writes.ts'

const Reschedule = lazy(() => import('./reschedule.tsx').then(({ Reschedule }) => ({ default: Reschedule })))

type Props = {
  enrolment: Enrolment
  /** Display names. */
  lead: string
  sequence: string
}

/** Actions on an active enrolment. */
export function EnrolmentMenu({ enrolment, lead, sequence }: Props) {
  const [open, setOpen] = useState<'reschedule' | 'stop'>()
  const close = () => setOpen(undefined)
  const items: (MenuItem | 'divider')[] = [
    enrolment.paused_at
      ? { label: 'Resume for this lead', run: () => void resumeEnrolment(enrolment, lead) }
      : { label: 'Pause for this lead', run: () => void pauseEnrolment(enrolment, lead) },
    { label: 'Reschedule next step…', run: () => setOpen('reschedule') },
    { label: 'Skip next step', run: () => void skipStep(enrolment, lead) },
    'divider',
    { label: 'Stop for this lead…', danger: true, run: () => setOpen('stop') },
  ]
  return (
    <>
      <ButtonMenu
        button={
          <ActionIcon aria-label={`More actions for ${lead} in ${sequence}`}>
            <IconDots size={16} />
          </ActionIcon>
        }
        items={items}
      />
      {open === 'reschedule' && (
        <Suspense fallback={null}>
          <Reschedule enrolment={enrolment} lead={lead} close={close} />
        </Suspense>
      )}
      {open === 'stop' && (
        <Confirm
          title={`Stop ${sequence} for ${lead}?`}
          verb={`Stop for ${lead}`}
          act={() => stopEnrolment(enrolment, lead)}
          close={close}
        >
          This sequence sends nothing more to this lead, on any channel. It cannot be resumed, but you can
          enrol the lead again.
        </Confirm>
      )}
    </>
  )
}
