import type { CustomField, LeadSettings } from '#domains/leads/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { FieldDialog } from '../../records/fields/field-dialog.tsx'
import { write } from '../../records/fields/settings-writes.ts'

type Props = {
  settings: LeadSettings
  proposed: Pick<CustomField, 'label' | 'kind'>
  added: (field: CustomField) => void
  close: () => void
}

/** A new custom field for a column. */
export function NewField({ settings, proposed, added, close }: Props) {
  async function save(field: CustomField): Promise<boolean> {
    try {
      await write({ custom_fields: [...settings.custom_fields, field] }, settings.updated_at)
    } catch (error) {
      toastFault(error, "Couldn't add the field")
      void queryClient.invalidateQueries({ queryKey: cacheKeys.leadSettings })
      return false
    }
    added(field)
    toast(`Added ${field.label}`)
    return true
  }
  return (
    <FieldDialog
      field={undefined}
      proposed={proposed}
      taken={settings.custom_fields.map(({ key }) => key)}
      save={save}
      close={close}
    />
  )
}
