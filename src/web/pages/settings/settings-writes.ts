import type { AccountSettings } from '#domains/accounts/contract.ts'
import type { LeadSettings } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'

export type SettingsChange = Partial<Pick<LeadSettings, 'pipeline_stages' | 'custom_fields'>>
type AccountSettingsChange = Pick<AccountSettings, 'custom_fields'>

export function changeSettings(before: LeadSettings, change: SettingsChange, say: string): Promise<boolean> {
  return changeKept(cacheKeys.leadSettings, write, before, change, say)
}

export function changeAccountSettings(
  before: AccountSettings,
  change: AccountSettingsChange,
  say: string,
): Promise<boolean> {
  return changeKept(cacheKeys.accountSettings, writeOfAccounts, before, change, say)
}

export async function write(change: SettingsChange, ifMatch?: string): Promise<LeadSettings> {
  const saved = await api('PATCH /api/crm/leads/settings', { body: change, ...(ifMatch && { ifMatch }) })
  queryClient.setQueryData(cacheKeys.leadSettings, saved)
  return saved
}

async function writeOfAccounts(change: AccountSettingsChange, ifMatch?: string): Promise<AccountSettings> {
  const saved = await api('PATCH /api/crm/accounts/settings', { body: change, ...(ifMatch && { ifMatch }) })
  queryClient.setQueryData(cacheKeys.accountSettings, saved)
  return saved
}

/** Shown at once, saved, and undone by writing what was there before. */
async function changeKept<Kept extends { updated_at: string }, Change extends Partial<Kept>>(
  key: readonly string[],
  save: (change: Change, ifMatch?: string) => Promise<Kept>,
  before: Kept,
  change: Change,
  say: string,
): Promise<boolean> {
  queryClient.setQueryData<Kept>(key, { ...before, ...change })
  try {
    await save(change, before.updated_at)
  } catch (error) {
    queryClient.setQueryData<Kept>(key, before)
    if (isProblem(error, 412)) {
      toast('Somebody changed the settings meanwhile. They were loaded again.')
      await queryClient.invalidateQueries({ queryKey: key })
    } else toastFault(error, 'Not saved')
    return false
  }
  const back = Object.fromEntries(
    Object.keys(change).map(name => [name, before[name as keyof Kept]]),
  ) as unknown as Change
  toastWithUndo(say, () => save(back, queryClient.getQueryData<Kept>(key)?.updated_at))
  return true
}
