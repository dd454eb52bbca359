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
  /** Of the lead and of the sequence, as a person reads them. */
  lead: string
  sequence: string
}

/** What can be done about a lead on its way through a sequence. */
export function EnrolmentMenu({ enrolment, lead, sequence }: Props) {
  const [open, setOpen] = useState<'reschedule' | 'stop'>()
  const close = () => setOpen(undefined)
  const items: (MenuItem | 'divider')[] = [
    enrolment.paused_at
      ? { label: 'Resume for this lead', run: () => void resumeEnrolment(enrolment, lead) }
      : { label: 'Pause for this lead', run: () => void pauseEnrolment(enrolment, lead) },
    { label: 'Do the next step at another time…', run: () => setOpen('reschedule') },
    { label: 'Leave the next step out', run: () => void skipStep(enrolment, lead) },
    'divider',
    { label: 'Stop for this lead…', danger: true, run: () => setOpen('stop') },
  ]
  return (
    <>
      <ButtonMenu
        button={
          <ActionIcon aria-label={`More about ${lead} in ${sequence}`}>
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
          Nothing more of it is sent to this lead, on no channel. To write to them again, they must be
          enrolled anew.
        </Confirm>
      )}
    </>
  )
}
