import type { Candidate, Conversion, ListedCandidate } from '#domains/candidates/contract.ts'
import { RECRAWL_PAUSE_HOURS } from '#domains/candidates/values.ts'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { inWords, isProblem } from '../../problem.ts'
import { dayAndTime } from '../../ui/time.tsx'
import { toast, toastFault, toastWithAction, toastWithUndo } from '../../ui/toast.ts'
import { count, plural } from '../../ui/words.ts'
import { refreshLists } from '../leads/cache.ts'
import { patch, put } from '../cache.ts'
import { candidates } from './store.ts'
import { candidateName, isUnderWay } from './words.ts'

/** Concurrent requests when records are moved one by one. */
const AT_ONCE_MAX = 6
const HOUR_MS = 3_600_000

type Named = Pick<ListedCandidate, 'id' | 'name' | 'domain'>
/** Navigates to a path. */
type Go = (path: string) => void

/** Null resets to the name on its site. */
export function renameCandidate({ id }: Candidate, name: string | null): Promise<boolean> {
  return candidates.change(id, { name }, name ? `Renamed to ${name}` : 'Restored the name from its site')
}

/** Requests a crawl. The server explains a refusal; we offer the link to credits. */
export async function crawlAgain({ id, crawled_at }: Candidate, go: Go): Promise<void> {
  try {
    put(await api('POST /api/crm/candidates/:id/crawl', { params: { id } }))
  } catch (error) {
    if (isProblem(error, 409) && error.code === 'crawled_recently' && crawled_at)
      toast(`Crawled recently. You can crawl it again from ${dayAndTime(againAt(crawled_at))}.`)
    else tellRefusal(error, "Couldn't start the crawl", go)
  } finally {
    void candidates.refresh()
  }
}

function againAt(crawledAt: string): string {
  return new Date(Date.parse(crawledAt) + RECRAWL_PAUSE_HOURS * HOUR_MS).toISOString()
}

/** Adds the site of a lead's company as a candidate of that lead. */
export async function lookUp(leadId: string, go: Go): Promise<void> {
  try {
    const candidate = await api('POST /api/crm/candidates', { body: { lead_id: leadId } })
    put(candidate)
    if (isUnderWay(candidate)) toast(`Crawling ${candidateName(candidate)}`)
  } catch (error) {
    tellRefusal(error, "Couldn't look up the company", go)
  } finally {
    void candidates.refresh()
  }
}

/** Converts one candidate; returns the id of the lead. */
export async function convert(candidate: Named, go: Go): Promise<string | undefined> {
  const { id } = candidate
  try {
    const { lead_id, made } = await api('POST /api/crm/candidates/:id/convert', { params: { id } })
    patch(id, { lead_id })
    const say = made ? `Converted ${candidateName(candidate)} to a lead` : 'This lead already exists'
    toastWithAction(say, 'Open lead', () => go(paths.lead(lead_id)))
    return lead_id
  } catch (error) {
    toastFault(error, "Couldn't convert to lead")
    return undefined
  } finally {
    void candidates.refresh()
    void refreshLists()
  }
}

/** Converts many. Returns those that could not be converted, so that they stay selected. */
export async function convertMany(chosen: Named[]): Promise<string[]> {
  const ids = chosen.map(({ id }) => id)
  try {
    const { data, refused } = await api('POST /api/crm/candidates/convert', { body: { ids } })
    for (const { id, lead_id } of data) patch(id, { lead_id })
    const made = data.filter(each => each.made)
    const linked = data.length - made.length
    if (made.length > 0) {
      const beside = linked > 0 ? `; ${count(linked)} already existed` : ''
      toastWithUndo(`Created ${plural(made.length, 'lead')}${beside}`, () => takeBack(made))
    } else if (linked > 0) toast(`${plural(linked, 'lead')} already existed`)
    const [first] = refused
    if (first) {
      const name = chosen.find(({ id }) => id === first.id)
      const more =
        refused.length > 1 ? ` ${plural(refused.length - 1, 'more was', 'more were')} not converted.` : ''
      toast(`${name ? candidateName(name) : 'One'} was not converted: ${first.why}${more}`)
    }
    return refused.map(({ id }) => id)
  } catch (error) {
    toastFault(error, "Couldn't convert to leads")
    return ids
  } finally {
    void candidates.refresh()
    void refreshLists()
  }
}

export async function trashMany(chosen: Named[]): Promise<boolean> {
  const moved: Named[] = []
  try {
    await inBlocks(chosen, async candidate => {
      await api('DELETE /api/crm/candidates/:id', { params: { id: candidate.id } })
      moved.push(candidate)
      patch(candidate.id, { deleted_at: new Date().toISOString() })
    })
    return true
  } catch (error) {
    toastFault(error, moved.length > 0 ? "Couldn't move all to trash" : "Couldn't move to trash")
    return false
  } finally {
    const [only] = moved
    const what = only && moved.length === 1 ? candidateName(only) : plural(moved.length, 'candidate')
    if (moved.length > 0) toastWithUndo(`Moved ${what} to the trash`, () => bringBack(moved))
    void candidates.refresh()
  }
}

async function bringBack(moved: Pick<Named, 'id'>[]): Promise<void> {
  try {
    await inBlocks(moved, ({ id }) => candidates.bringBack(id))
  } finally {
    void candidates.refresh()
  }
}

/** Moves the leads and the accounts created for them to the trash, and says so instead of "Undone". */
async function takeBack(made: Conversion[]): Promise<false> {
  const accounts = made.flatMap(({ account_id, account_made }) => (account_made && account_id) || [])
  try {
    await api('POST /api/crm/leads/bulk', { body: { ids: made.map(each => each.lead_id), trashed: true } })
    await inBlocks(accounts, id => api('DELETE /api/crm/accounts/:id', { params: { id } }))
  } finally {
    void candidates.refresh()
    void refreshLists()
  }
  const along = accounts.length > 0 ? ` and ${plural(accounts.length, 'new account')}` : ''
  toast(`Moved ${plural(made.length, 'new lead')}${along} to the trash`)
  return false
}

function tellRefusal(error: unknown, title: string, go: Go): void {
  if (!isProblem(error, 402)) return toastFault(error, title)
  toastWithAction(inWords(error), 'Get credits', () => go(paths.credits))
}

async function inBlocks<T>(all: T[], act: (one: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < all.length; start += AT_ONCE_MAX)
    await Promise.all(all.slice(start, start + AT_ONCE_MAX).map(act))
}
