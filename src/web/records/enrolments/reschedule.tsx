import type { Enrolment } from '#domains/enrolments/contract.ts'
import { MomentDialog } from '../../ui/moment-dialog.tsx'
import { exactly } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { reschedule } from '../enrolments/enrolment-writes.ts'

type Props = { enrolment: Enrolment; lead: string; close: () => void }

/** Asks for a new time for the next step. */
export function Reschedule({ enrolment, lead, close }: Props) {
  async function act(at: string) {
    await reschedule(enrolment, at)
    toast(`Next step for ${lead} rescheduled to ${exactly(at)}`)
    close()
  }
  return (
    <MomentDialog
      title={`Reschedule next step for ${lead}`}
      verb="Reschedule"
      begin={enrolment.next_step_at}
      description="The sending window and daily limit still apply."
      mayBePast
      act={act}
      close={close}
    />
  )
}
