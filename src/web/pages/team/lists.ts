import { queryOptions } from '@tanstack/react-query'
import type { Invitation } from '#domains/identity/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

const PAGE_MAX = 200
/** Joins and leaves are not in the live stream, so they are polled while the page is visible. */
const CALM_MS = 10_000
/** Sending an email takes a second or two. */
const MAIL_UNDER_WAY_MS = 2_000

export const everyMemberQuery = queryOptions({
  queryKey: [...cacheKeys.members, 'every'],
  queryFn: ({ signal }) => everyPage(query => api('GET /api/team/members', { query, signal })),
  staleTime: 0,
  refetchInterval: CALM_MS,
  refetchOnWindowFocus: true,
})

export const invitationsQuery = queryOptions({
  queryKey: cacheKeys.invitations,
  queryFn: ({ signal }) => everyPage(query => api('GET /api/team/invitations', { query, signal })),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? MAIL_UNDER_WAY_MS : CALM_MS),
  refetchOnWindowFocus: true,
})

function isUnderWay({ mail_status }: Invitation): boolean {
  return mail_status === 'QUEUED' || mail_status === 'SENDING'
}

type Page<T> = { data: T[]; next_cursor: string | null }

async function everyPage<T>(read: (query: { limit: number; cursor?: string }) => Promise<Page<T>>) {
  const all: T[] = []
  let cursor: string | null = null
  do {
    const page: Page<T> = await read({ limit: PAGE_MAX, ...(cursor && { cursor }) })
    all.push(...page.data)
    cursor = page.next_cursor
  } while (cursor)
  return all
}
