import type { Member } from '#domains/identity/contract.ts'
import type { Role } from '#platform/scopes.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { everyMemberQuery } from './lists.ts'
import { asRole } from '../../records/members/roles.ts'

const BUTTON_LENGTH_MAX = 24

export function nameOf({ name, email }: Pick<Member, 'name' | 'email'>): string {
  return name || email
}

/** A button names what it does, but does not grow with the name. */
export function onButton(name: string): string {
  return name.length > BUTTON_LENGTH_MAX ? `${name.slice(0, BUTTON_LENGTH_MAX - 1).trimEnd()}…` : name
}

/** Shown immediately, then saved. Undo restores the previous role. */
export async function changeRole(member: Member, role: Role): Promise<void> {
  try {
    await write(member, role)
    toastWithUndo(`${nameOf(member)} is now ${asRole[role]}`, () => giveBack(member, role))
  } catch (error) {
    toastFault(error, "Couldn't change the role")
    // Our own role may have changed, and with it what this page offers.
    if (isProblem(error, 403)) void queryClient.invalidateQueries({ queryKey: cacheKeys.session })
  }
}

export async function removeMember(member: Member): Promise<void> {
  await api('DELETE /api/team/members/:id', { params: { id: member.id } })
  toast(`Removed ${nameOf(member)}`)
  await reloadMembers()
}

export function reloadMembers(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.members })
}

/** Roles have no version: reads the member again to see whether someone else has changed the role since. */
async function giveBack(member: Member, given: Role): Promise<boolean> {
  const { queryKey, queryFn } = everyMemberQuery
  const members = await queryClient.fetchQuery({ queryKey, queryFn, staleTime: 0 })
  const now = members.find(({ id }) => id === member.id)
  if (now?.role !== given) {
    toast(
      now
        ? `The role of ${nameOf(member)} has changed since.`
        : `${nameOf(member)} is no longer in the team.`,
    )
    return false
  }
  await write(now, member.role)
  return true
}

async function write(member: Member, role: Role): Promise<void> {
  // A response still on its way would overwrite what is shown.
  await queryClient.cancelQueries({ queryKey: everyMemberQuery.queryKey })
  show(member.id, role)
  try {
    await api('PATCH /api/team/members/:id', { params: { id: member.id }, body: { role } })
  } catch (error) {
    show(member.id, member.role)
    throw error
  } finally {
    void reloadMembers()
  }
}

function show(id: string, role: Role): void {
  queryClient.setQueryData(everyMemberQuery.queryKey, members =>
    members?.map(member => (member.id === id ? { ...member, role } : member)),
  )
}
