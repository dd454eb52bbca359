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
    toast(`Resending the invitation to ${email}. The earlier link no longer works.`)
  } catch (error) {
    toastFault(error, `Couldn't resend the invitation to ${email}`)
    if (isProblem(error, 404)) void reloadMembers()
  }
  await reloadInvitations()
}

export async function revoke({ id, email }: Invitation): Promise<void> {
  await api('DELETE /api/team/invitations/:id', { params: { id } })
  toast(`Revoked the invitation to ${email}`)
  await reloadInvitations()
}

export function reloadInvitations(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.invitations })
}
