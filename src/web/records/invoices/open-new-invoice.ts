import { opened } from '../../ui/opened.ts'
import { createStore } from '../../ui/store.ts'

export type Preset = {
  lead_id?: string | null
  account_id?: string | null
  opportunity_id?: string
  description?: string
  unit_price?: string
  currency?: string
}

/** What the dialog starts with. */
export const preset = createStore<Preset>({})

export function openNewInvoice(from: Preset = {}): void {
  preset.set(from)
  opened.set('new-invoice')
}
