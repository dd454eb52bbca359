import { queryOptions } from '@tanstack/react-query'
import type { ActivityDescription, FieldDescription } from '#domains/fields/contract.ts'
import type { FilteredKind } from '#domains/fields/values.ts'
import { api } from '../../api.ts'
import { inPlainWords } from '../../ui/words.ts'

/** What records of a kind can be filtered by. */
export type FilterFields = { fields: FieldDescription[]; activities: ActivityDescription[] }

export function filterFieldsQuery(kind: FilteredKind) {
  return queryOptions({
    queryKey: ['filter-fields', kind],
    queryFn: ({ signal }): Promise<FilterFields> => api('GET /api/crm/fields', { query: { kind }, signal }),
    staleTime: 60_000,
  })
}

/** Stages and options are the team's own words; other choices are constants. */
export function choiceInWords(field: string, value: string): string {
  return field === 'pipeline_stage' || field.startsWith('custom.') ? value : inPlainWords(value)
}

/** Fields and activities share one list of choices. */
const ACTIVITY = 'activity:'

export function subjectOfActivity(name: string): string {
  return ACTIVITY + name
}

export function activityIn(subject: string): string | undefined {
  return subject.startsWith(ACTIVITY) ? subject.slice(ACTIVITY.length) : undefined
}
