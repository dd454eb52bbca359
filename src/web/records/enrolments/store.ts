import type { Enrolment } from '#domains/enrolments/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

/** An enrolment has no fields to edit; it is paused, resumed, rescheduled or stopped. */
export const enrolments = recordStore<Enrolment, object>({
  path: '/api/outreach/enrolments',
  keys: [cacheKeys.enrolments],
  one: 'enrolment',
  nameOf: () => 'The enrolment',
  refresh: () =>
    Promise.all(
      [cacheKeys.enrolments, cacheKeys.messages].map(queryKey => queryClient.invalidateQueries({ queryKey })),
    ),
})
