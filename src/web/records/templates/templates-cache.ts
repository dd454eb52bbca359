import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TemplateFormat } from '#domains/templates/values.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { DEFAULT_SORT, type TemplatesSearch } from './search.ts'

const PAGE_SIZE = 50

export function templatesQuery({ q, sort = DEFAULT_SORT, trashed }: TemplatesSearch) {
  const filters = { sort, ...(q && { q }), ...(trashed && { trashed }) }
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.templates, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/outreach/templates', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

export type Draft = { subject: string; body: string; format: TemplateFormat }

/** As this lead, or a sample one, would see it. A rejected text leaves the previous preview. */
export function previewQuery(draft: Draft, leadId: string | undefined) {
  return queryOptions({
    queryKey: ['template-preview', draft, leadId ?? ''],
    queryFn: ({ signal }) =>
      api('POST /api/outreach/templates/preview', {
        body: { ...draft, ...(leadId && { lead_id: leadId }) },
        changesNothing: true,
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: draft.body !== '',
    retry: false,
    gcTime: 60_000,
  })
}
