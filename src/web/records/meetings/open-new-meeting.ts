import { opened } from '../../ui/opened.ts'
import { createStore } from '../../ui/store.ts'

export type Preset = { lead_id?: string; host_id?: string; starts_at?: string }

/** Initial values of the dialog. */
export const preset = createStore<Preset>({})

export function openNewMeeting(from: Preset = {}): void {
  preset.set(from)
  opened.set('new-meeting')
}
