import { membersQuery } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import type { People } from './plain-value.ts'

/** The members of the team as they are known at this moment, for what is said outside of a component. */
export function peopleNow(): People {
  const members = queryClient.getQueryData(membersQuery.queryKey) ?? []
  return new Map(members.map(member => [member.id, member]))
}
