import type { Lead } from '#domains/leads/contract.ts'
import { leadName, valueOf, type Field } from '../../records/leads/fields.ts'
import { ValueRow } from '../../records/leads/value-row.tsx'
import { leads } from '../../records/leads/store.ts'

type Props = { lead: Lead; field: Field; canWrite: boolean }

export function FieldRow({ lead, field, canWrite }: Props) {
  return (
    <ValueRow
      field={field}
      value={valueOf(lead, field.key)}
      canWrite={canWrite}
      change={value =>
        void leads.change(
          lead.id,
          { [field.key]: value },
          `Changed ${field.label.toLowerCase()} of ${leadName(lead)}`,
        )
      }
    />
  )
}
