import type { LeadSettings } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'

export type SettingsChange = Partial<Pick<LeadSettings, 'pipeline_stages' | 'custom_fields'>>

/** Shown at once, saved, and undone by writing what was there before. */
export async function changeSettings(
  before: LeadSettings,
  change: SettingsChange,
  say: string,
): Promise<boolean> {
  put({ ...before, ...change })
  try {
    await write(change, before.updated_at)
  } catch (error) {
    put(before)
    if (isProblem(error, 412)) {
      toast('Somebody changed the settings meanwhile. They were loaded again.')
      await queryClient.invalidateQueries({ queryKey: cacheKeys.leadSettings })
    } else toastFault(error, 'Not saved')
    return false
  }
  const back: SettingsChange = {
    ...(change.pipeline_stages && { pipeline_stages: before.pipeline_stages }),
    ...(change.custom_fields && { custom_fields: before.custom_fields }),
  }
  toastWithUndo(say, () =>
    write(back, queryClient.getQueryData<LeadSettings>(cacheKeys.leadSettings)?.updated_at),
  )
  return true
}

export async function write(change: SettingsChange, ifMatch?: string): Promise<LeadSettings> {
  const saved = await api('PATCH /api/crm/leads/settings', { body: change, ...(ifMatch && { ifMatch }) })
  put(saved)
  return saved
}

function put(settings: LeadSettings): void {
  queryClient.setQueryData(cacheKeys.leadSettings, settings)
}
