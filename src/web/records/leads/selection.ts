import type { Lead } from '#domains/leads/contract.ts'
import { BULK_IDS_MAX, OUTLINE_EVERY } from '#domains/leads/values.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { createStore } from '../../ui/store.ts'
import { toast } from '../../ui/toast.ts'
import { count } from '../../ui/words.ts'
import { blockQuery, listQuery, type LeadList } from './cache.ts'
import { toQuery, type LeadsSearch } from './search.ts'
import { leads } from './store.ts'

/** The selected leads, as of when they were selected. */
export const selection = createStore<ReadonlyMap<string, Lead>>(new Map())

/** Too many to list: all matching leads are selected. */
export class AllMatching extends Map<string, Lead> {
  readonly search: LeadsSearch
  readonly total: number
  /** The search stopped counting: there are more. */
  readonly capped: boolean

  constructor(search: LeadsSearch, { count, capped }: Pick<LeadList, 'count' | 'capped'>) {
    super()
    this.search = search
    this.total = count
    this.capped = capped
  }

  override has(): boolean {
    return true
  }

  override get size(): number {
    // The constructor of the parent asks before `total` is set.
    return this.total ?? 0
  }
}

const PAGE_MAX = 200

/** In their current state, for undo. */
export function selectedLeads(): Lead[] {
  return [...selection.get().values()].map(lead => leads.known(lead.id) ?? lead)
}

export function clearSelection(): void {
  if (selection.get().size) selection.set(new Map())
}

export function toggle(lead: Lead): void {
  if (selection.get() instanceof AllMatching) {
    toast("Selection cleared. Leads selected all at once can't be deselected one by one.")
    return clearSelection()
  }
  const next = new Map(selection.get())
  if (!next.delete(lead.id)) next.set(lead.id, lead)
  put(next)
}

/** All rows between two positions, including those not loaded yet. */
export async function selectRange(list: LeadList, from: number, to: number): Promise<void> {
  const [first, last] = from < to ? [from, to] : [to, from]
  const before = selection.get()
  const next = before instanceof AllMatching ? new Map<string, Lead>() : new Map(before)
  for (let block = Math.floor(first / OUTLINE_EVERY); block * OUTLINE_EVERY <= last; block++) {
    const rows = await queryClient.ensureQueryData(blockQuery(list.text, list.cursors[block] ?? null))
    const start = block * OUTLINE_EVERY
    for (const lead of rows.slice(Math.max(0, first - start), last - start + 1)) next.set(lead.id, lead)
    if (next.size > BULK_IDS_MAX) break
  }
  put(next)
}

/** All matching leads: as a list if each can be undone, otherwise as the query itself. */
export async function selectAllMatching(search: LeadsSearch): Promise<void> {
  const list = await queryClient.ensureQueryData(listQuery(search))
  if (list.count > BULK_IDS_MAX || (search.q && list.capped)) {
    return selection.set(new AllMatching(search, { ...list, capped: list.capped && search.q !== undefined }))
  }
  const next = new Map<string, Lead>()
  let cursor: string | null = null
  do {
    const limit = Math.min(PAGE_MAX, BULK_IDS_MAX - next.size)
    const query = { ...toQuery(search), limit, ...(cursor && { cursor }) }
    const page: { data: Lead[]; next_cursor: string | null } = await api('GET /api/crm/leads', { query })
    for (const lead of page.data) next.set(lead.id, lead)
    cursor = page.next_cursor
  } while (cursor && next.size < BULK_IDS_MAX)
  selection.set(next)
}

function put(next: Map<string, Lead>): void {
  if (next.size > BULK_IDS_MAX) {
    toast(`You can change up to ${count(BULK_IDS_MAX)} leads at once`)
    selection.set(new Map([...next].slice(0, BULK_IDS_MAX)))
  } else selection.set(next)
}
