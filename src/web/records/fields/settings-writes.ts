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
  await keep(cacheKeys.leadSettings, saved)
  return saved
}

async function writeOfAccounts(change: AccountSettingsChange, ifMatch?: string): Promise<AccountSettings> {
  const saved = await api('PATCH /api/crm/accounts/settings', { body: change, ...(ifMatch && { ifMatch }) })
  await keep(cacheKeys.accountSettings, saved)
  return saved
}

/** A response still on its way would restore the old values. */
async function keep<Kept>(queryKey: readonly string[], now: Kept): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<Kept>(queryKey, now)
}

/** Shown immediately, then saved. Undo writes the previous values. */
async function changeKept<Kept extends { updated_at: string }, Change extends Partial<Kept>>(
  key: readonly string[],
  save: (change: Change, ifMatch?: string) => Promise<Kept>,
  before: Kept,
  change: Change,
  say: string,
): Promise<boolean> {
  const shown = { ...before, ...change }
  queryClient.setQueryData<Kept>(key, shown)
  await keep<Kept>(key, shown)
  try {
    await save(change, before.updated_at)
  } catch (error) {
    queryClient.setQueryData<Kept>(key, before)
    if (isProblem(error, 412)) {
      toast('Someone else changed these settings. The latest version is shown.')
      await queryClient.invalidateQueries({ queryKey: key })
    } else toastFault(error, "Couldn't save")
    return false
  }
  const back = Object.fromEntries(
    Object.keys(change).map(name => [name, before[name as keyof Kept]]),
  ) as unknown as Change
  toastWithUndo(say, () => save(back, queryClient.getQueryData<Kept>(key)?.updated_at))
  return true
}
