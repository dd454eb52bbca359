import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Hit } from '#domains/search/contract.ts'
import type { HitKind } from '#domains/search/values.ts'
import { api } from '../api.ts'
import { paths, patterns } from '../paths.ts'

const QUIET_MS = 90
const TYPED_MIN = 2

export const hitHeadings: Record<HitKind, string> = {
  lead: 'Leads',
  account: 'Accounts',
  candidate: 'Candidates',
  opportunity: 'Opportunities',
  invoice: 'Invoices',
  project: 'Projects',
  task: 'Tasks',
  meeting: 'Meetings',
  form: 'Forms',
  sequence: 'Sequences',
  workflow: 'Workflows',
}

/** Records that match the typed text. Results of an older search are shown only where they match the newer one too. */
export function useHits(text: string): { hits: Hit[]; busy: boolean; failed: boolean } {
  const typed = text.trim()
  const [q] = useDebouncedValue(typed, QUIET_MS)
  const query = useQuery({
    queryKey: ['found', 'records', q],
    queryFn: async ({ signal }) => (await api('GET /api/crm/search', { query: { q }, signal })).data,
    enabled: q.length >= TYPED_MIN,
    placeholderData: keepPreviousData,
    // A record may have been renamed since the last search.
    staleTime: 0,
    gcTime: 0,
  })
  if (typed.length < TYPED_MIN) return { hits: [], busy: false, failed: false }
  const isCurrent = q === typed && !query.isPlaceholderData
  const hits = query.data ?? []
  return {
    hits: isCurrent ? hits : hits.filter(hit => answers(hit, typed)),
    busy: !isCurrent || query.isFetching,
    failed: isCurrent && query.isError,
  }
}

export function useOpenHit(): (hit: Hit) => void {
  const navigate = useNavigate()
  return ({ kind, id }) => {
    const params = { id }
    if (kind === 'lead') void navigate({ to: patterns.lead, params, search: {} })
    else if (kind === 'account') void navigate({ to: patterns.account, params })
    else if (kind === 'candidate') void navigate({ to: patterns.candidate, params })
    else if (kind === 'opportunity') void navigate({ to: patterns.opportunity, params })
    else if (kind === 'invoice') void navigate({ to: patterns.invoice, params })
    else if (kind === 'project') void navigate({ to: patterns.project, params })
    else if (kind === 'form') void navigate({ to: patterns.form, params, search: {} })
    else if (kind === 'workflow') void navigate({ to: patterns.workflow, params, search: {} })
    else if (kind === 'sequence') void navigate({ to: patterns.sequence, params, search: {} })
    else if (kind === 'meeting') void navigate({ to: paths.meetings, search: { meeting: id } })
    else void navigate({ to: paths.tasks, search: { task: id } })
  }
}

function answers({ title, detail }: Hit, typed: string): boolean {
  const words = `${title} ${detail ?? ''}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every(word => words.includes(word))
}
