import { opened } from '../../ui/opened.ts'
import { createStore } from '../../ui/store.ts'

type Preset = { lead_id?: string; account_id?: string }

/** Prefilled values of the dialog. */
export const preset = createStore<Preset>({})

export function openNewOpportunity(from: Preset = {}): void {
  preset.set(from)
  opened.set('new-opportunity')
}
