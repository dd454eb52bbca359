import type { Account } from '#domains/accounts/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../leads/in-turn.ts'
import type { Values } from '../leads/fields.ts'
import { knownAccount, patchAccount, refreshAccounts } from './cache.ts'
import { accountChange, accountValue, changedAccount } from './fields.ts'

/** Shows the change at once, saves it, and offers the way back; takes it back when the server refuses. */
export async function setAccountFields(
  account: Account,
  values: Values,
  say: string | null,
): Promise<boolean> {
  const { id } = account
  const before = Object.fromEntries(Object.keys(values).map(key => [key, accountValue(account, key)]))
  patchAccount(id, changedAccount(account, values))
  try {
    const saved = await inTurn(id, () => {
      const { updated_at } = knownAccount(id) ?? account
      return api('PATCH /api/crm/accounts/:id', {
        params: { id },
        body: accountChange(values),
        ifMatch: updated_at,
      })
    })
    patchAccount(id, saved)
    if (say) toastWithUndo(say, () => setAccountFields(knownAccount(id) ?? saved, before, null))
    return true
  } catch (error) {
    patchAccount(id, changedAccount(knownAccount(id) ?? account, before))
    if (!isProblem(error, 412)) toastFault(error, 'Not saved')
    else {
      toast('Somebody changed this account meanwhile. It now shows their version.')
      await refreshAccounts()
    }
    return false
  }
}

export async function trashAccount(account: Account): Promise<boolean> {
  try {
    await api('DELETE /api/crm/accounts/:id', { params: { id: account.id } })
    patchAccount(account.id, { deleted_at: new Date().toISOString() })
    toastWithUndo(`Moved ${account.name} to the trash`, () => bringBack(account.id))
    return true
  } catch (error) {
    toastFault(error, 'Nothing was moved to the trash')
    return false
  } finally {
    void refreshAccounts()
  }
}

export async function restoreAccount(id: string): Promise<void> {
  try {
    toast(`Restored ${(await bringBack(id)).name}`)
  } catch (error) {
    toastFault(error, 'Not restored')
  }
}

async function bringBack(id: string): Promise<Account> {
  const account = await api('POST /api/crm/accounts/:id/restore', { params: { id } })
  patchAccount(id, account)
  void refreshAccounts()
  return account
}
