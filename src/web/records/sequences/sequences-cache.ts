import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListSequences, Sequence } from '#domains/sequences/contract.ts'
import type { OutreachSettings } from '#domains/messages/contract.ts'
import type { Template } from '#domains/templates/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { activityQuery, enrolmentsQuery, sequencesShape } from './search.ts'

const PAGE_SIZE = 50
const TRACE_PAGE_SIZE = 50
const TEMPLATES_LIMIT = 200
const CHOICES_LIMIT = 100
const MESSAGES_LIMIT = 50

export function sequenceListQuery(search: ListSearch) {
  const filters = toQuery<ListSequences>(sequencesShape, search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.sequences, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/outreach/sequences', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

/** Sequences to enrol in, by search text. */
export function sequenceChoicesQuery(q: string) {
  return queryOptions({
    queryKey: [...cacheKeys.sequences, 'choices', q],
    queryFn: async ({ signal }): Promise<Sequence[]> =>
      (
        await api('GET /api/outreach/sequences', {
          query: { limit: CHOICES_LIMIT, sort: 'name', ...(q && { q }) },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })
}

export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.sequences, 'versions', id],
    queryFn: async ({ signal }) =>
      (
        await api('GET /api/outreach/sequences/:id/versions', {
          params: { id: id },
          signal,
        })
      ).data,
  })
}

/** Keyed with enrolments, so that they refresh together. */
export function numbersQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.enrolments, 'numbers', id],
    queryFn: ({ signal }) => api('GET /api/outreach/sequences/:id/numbers', { params: { id: id }, signal }),
  })
}

export function enrolmentListQuery(id: string, search: ListSearch) {
  const filters = { sequence_id: [id], ...enrolmentsQuery(search) }
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.enrolments, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/outreach/enrolments', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

export function traceQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.enrolments, 'trace', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/outreach/enrolments/:id/trace', {
        params: { id },
        query: { limit: TRACE_PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

export function sequenceTraceQuery(id: string, search: ListSearch) {
  const filters = activityQuery(search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.enrolments, 'sequence-trace', id, filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/outreach/sequences/:id/trace', {
        params: { id: id },
        query: { ...filters, limit: TRACE_PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

export function icebreakersQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.enrolments, 'icebreakers', id],
    queryFn: async ({ signal }) =>
      (await api('GET /api/outreach/enrolments/:id/icebreakers', { params: { id }, signal })).data,
  })
}

export function messagesOfQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.messages, 'of-enrolment', id],
    queryFn: async ({ signal }) =>
      (
        await api('GET /api/outreach/messages', {
          query: { enrolment_id: [id], limit: MESSAGES_LIMIT },
          signal,
        })
      ).data,
  })
}

/** What this lead would get, reloaded whenever the steps are saved. */
export function previewQuery(sequence: Pick<Sequence, 'id' | 'updated_at'>, leadId: string) {
  return queryOptions({
    queryKey: [...cacheKeys.enrolments, 'preview', sequence.id, sequence.updated_at, leadId],
    queryFn: async ({ signal }) =>
      (
        await api('POST /api/outreach/sequences/:id/preview', {
          params: { id: sequence.id },
          body: { lead_id: leadId },
          changesNothing: true,
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })
}

/** All template names: a step refers to its template by name, and warns if there is none. */
export const templateNamesQuery = queryOptions({
  queryKey: [...cacheKeys.templates, 'names'],
  queryFn: async ({ signal }): Promise<Pick<Template, 'id' | 'name'>[]> => {
    const found: Pick<Template, 'id' | 'name'>[] = []
    let cursor: string | null = null
    do {
      const query = { limit: TEMPLATES_LIMIT, sort: 'name' as const, ...(cursor && { cursor }) }
      const page: { data: Template[]; next_cursor: string | null } = await api(
        'GET /api/outreach/templates',
        { query, signal },
      )
      found.push(...page.data.map(({ id, name }) => ({ id, name })))
      cursor = page.next_cursor
    } while (cursor)
    return found
  },
})

export const placeholdersQuery = queryOptions({
  queryKey: [...cacheKeys.templates, 'placeholders'],
  queryFn: async ({ signal }) => (await api('GET /api/outreach/placeholders', { signal })).data,
})

export const outreachSettingsQuery = queryOptions({
  queryKey: cacheKeys.outreachSettings,
  queryFn: ({ signal }) => api('GET /api/outreach/settings', { signal }),
})

export function putOutreachSettings(settings: OutreachSettings): void {
  void queryClient.cancelQueries({ queryKey: cacheKeys.outreachSettings })
  queryClient.setQueryData(cacheKeys.outreachSettings, settings)
}
