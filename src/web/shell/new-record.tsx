import { lazy, Suspense } from 'react'
import { close } from '../ui/opened.ts'

const NewOpportunity = lazy(() =>
  import('../records/opportunities/new-opportunity.tsx').then(({ NewOpportunity }) => ({
    default: NewOpportunity,
  })),
)
const NewAccount = lazy(() =>
  import('../records/accounts/new-account.tsx').then(({ NewAccount }) => ({ default: NewAccount })),
)
const NewProject = lazy(() =>
  import('../records/projects/new-project.tsx').then(({ NewProject }) => ({ default: NewProject })),
)
const NewInvoice = lazy(() =>
  import('../records/invoices/new-invoice.tsx').then(({ NewInvoice }) => ({ default: NewInvoice })),
)
const NewMeeting = lazy(() =>
  import('../records/meetings/new-meeting.tsx').then(({ NewMeeting }) => ({ default: NewMeeting })),
)

export type NewDialog = 'new-opportunity' | 'new-account' | 'new-project' | 'new-invoice' | 'new-meeting'

/** The dialogs that create a record, loaded on demand to keep the first download small. */
export function NewRecord({ dialog }: { dialog: NewDialog }) {
  return (
    <Suspense fallback={null}>
      {dialog === 'new-opportunity' && <NewOpportunity />}
      {dialog === 'new-invoice' && <NewInvoice />}
      {dialog === 'new-meeting' && <NewMeeting />}
      {dialog === 'new-account' && <NewAccount close={close} />}
      {dialog === 'new-project' && <NewProject close={close} />}
    </Suspense>
  )
}
