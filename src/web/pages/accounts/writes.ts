import type { Account } from '#domains/accounts/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../../writes/in-turn.ts'
import { notPending, release, reserve } from '../../writes/pending.ts'
import type { Values } from '../../records/leads/fields.ts'
import { knownAccount, patchAccount, putAccount, refreshAccounts } from '../../records/accounts/cache.ts'
import { accountChange, accountValue, changedAccount } from '../../records/accounts/fields.ts'

/** Shows the change at once, saves it, and offers the way back; takes it back when the server refuses. */
export async function setAccountFields(
  account: Account,
  values: Values,
  say: string | null,
): Promise<boolean> {
  const { id } = account
  const before = Object.fromEntries(Object.keys(values).map(key => [key, accountValue(account, key)]))
  const change = accountChange(values)
  const fields = Object.keys(change)
  patchAccount(id, changedAccount(account, values))
  reserve(id, fields)
  try {
    const saved = await inTurn(id, () => {
      const { updated_at } = knownAccount(id) ?? account
      return api('PATCH /api/crm/accounts/:id', {
        params: { id },
        body: change,
        ifMatch: updated_at,
      })
    })
    release(id, fields)
    putAccount(saved)
    if (say) toastWithUndo(say, () => setAccountFields(knownAccount(id) ?? saved, before, null))
    return true
  } catch (error) {
    release(id, fields)
    patchAccount(id, notPending(id, changedAccount(knownAccount(id) ?? account, before)))
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
  putAccount(account)
  void refreshAccounts()
  return account
}
