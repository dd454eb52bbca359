import { useMemo } from 'react'
import { useMembers } from '../../queries.ts'
import type { People } from './plain-value.ts'

export function usePeople(): People {
  const members = useMembers()
  return useMemo(() => new Map(members.map(member => [member.id, member])), [members])
}
