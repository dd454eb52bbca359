import type { Lead } from '#domains/leads/contract.ts'

export type Told = Partial<Lead> & { updated_at: string }

/** No answer takes longer than this. */
const ON_THE_WAY_MS = 60_000
const KEPT_MAX = 1_000

/** The last changes of leads that this window knows of, its own and those of others, the oldest first. */
const changes = new Map<string, { told: Told; at: number }>()

export function hear(id: string, told: Told, now = Date.now()): void {
  const before = known(id, now)
  changes.delete(id)
  const isNewer = !before || before.updated_at <= told.updated_at
  changes.set(id, { told: isNewer ? { ...before, ...told } : { ...told, ...before }, at: now })
  if (changes.size > KEPT_MAX) changes.delete(changes.keys().next().value!)
}

/** What was asked for before a change may arrive after it: the lead with what is known by now. */
export function latest(lead: Lead, now = Date.now()): Lead {
  const told = known(lead.id, now)
  return told && told.updated_at > lead.updated_at ? { ...lead, ...told } : lead
}

function known(id: string, now: number): Told | undefined {
  const change = changes.get(id)
  return change && now - change.at < ON_THE_WAY_MS ? change.told : undefined
}
