import type { Invitation } from '#domains/identity/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { reloadMembers } from './member-writes.ts'

export async function resend({ id, email }: Invitation): Promise<void> {
  try {
    await api('POST /api/team/invitations/:id/resend', { params: { id } })
    toast(`Inviting ${email} again. The link of the earlier mail no longer works.`)
  } catch (error) {
    toastFault(error, `${email} was not invited again`)
    if (isProblem(error, 404)) void reloadMembers()
  }
  await reloadInvitations()
}

export async function revoke({ id, email }: Invitation): Promise<void> {
  await api('DELETE /api/team/invitations/:id', { params: { id } })
  toast(`The invitation of ${email} is taken back`)
  await reloadInvitations()
}

export function reloadInvitations(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.invitations })
}
