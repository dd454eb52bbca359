import { membersQuery } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import type { People } from './plain-value.ts'

/** The cached members of the team, for code outside of components. */
export function peopleNow(): People {
  const members = queryClient.getQueryData(membersQuery.queryKey) ?? []
  return new Map(members.map(member => [member.id, member]))
}
