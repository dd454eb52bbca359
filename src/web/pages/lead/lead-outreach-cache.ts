import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Enrolment } from '#domains/enrolments/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

const PAGE_SIZE = 10

/** The sequences a lead is or was in, newest first. */
export function enrolmentsOfQuery(leadId: string) {
  const filters = { lead_id: [leadId] }
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.enrolments, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/outreach/enrolments', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: (last: { data: Enrolment[]; next_cursor: string | null }) =>
      last.next_cursor ?? undefined,
  })
}
