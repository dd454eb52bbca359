import { invoiceStatuses, type InvoiceStatus } from '#domains/invoices/values.ts'
import type { Option } from '../../ui/picker.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { statusNames, statusTones } from './words.ts'

export function Status({ status }: { status: InvoiceStatus }) {
  return <Dotted tone={statusTones[status]}>{statusNames[status]}</Dotted>
}

export const statusOptions: Option[] = invoiceStatuses.map(status => ({
  value: status,
  label: statusNames[status],
  node: <Status status={status} />,
}))
