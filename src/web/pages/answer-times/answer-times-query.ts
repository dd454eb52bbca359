import { queryOptions } from '@tanstack/react-query'
import type { AnswerTimes } from '#domains/conversations/contract.ts'
import type { AnswerSpan } from '#domains/conversations/values.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { dayAgo, startOf } from '../../ui/day.ts'
import { stringifySearch } from '../../search-text.ts'
import { periods, type Period } from './search.ts'

const EXPORT_PATH = '/api/conversations/answer-times/export'
/** Longer periods are charted by week. */
const DAYS_CHARTED_MAX = 31

export function answerTimesQuery(by: AnswerSpan, period: Period) {
  return queryOptions({
    queryKey: [...cacheKeys.conversations, 'answer-times', by, period],
    queryFn: ({ signal }): Promise<AnswerTimes> =>
      api('GET /api/conversations/answer-times', { query: { by, ...from(period) }, signal }),
    staleTime: 0,
  })
}

export function chartedBy(period: Period): 'day' | 'week' {
  return Number.parseInt(period, 10) <= DAYS_CHARTED_MAX ? 'day' : 'week'
}

export function exportAddress(by: AnswerSpan, period: Period): string {
  return EXPORT_PATH + stringifySearch({ by, ...from(period) })
}

/** The usual period is the server's: it begins at midnight where the team is. */
function from(period: Period): { from?: string } {
  if (period === periods[0]) return {}
  return { from: startOf(dayAgo(Number.parseInt(period, 10) - 1), 0).toISOString() }
}
