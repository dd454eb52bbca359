import { useInfiniteQuery } from '@tanstack/react-query'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { versionsQuery } from '../../records/forms/forms-cache.ts'

const none: readonly string[] = []

/** Keys that visitors have seen: answers may be stored under them. Undefined while loading. */
export function useKeptKeys({ id, version }: FormWithCounts): readonly string[] | undefined {
  const versions = useInfiniteQuery({ ...versionsQuery(id), enabled: version > 0 }).data
  if (version === 0) return none
  return versions?.pages.flatMap(({ data }) =>
    data.flatMap(({ content }) => content.fields.map(({ key }) => key)),
  )
}
