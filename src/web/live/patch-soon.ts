import type { Lead } from '#domains/leads/contract.ts'
import { knownLead, patchLeads } from '../records/leads/cache.ts'
import { hear, type Told } from '../writes/latest.ts'
import { notPending } from '../writes/pending.ts'

const FLUSH_MS = 30

const waiting = new Map<string, Told<Lead>>()

/** Five hundred leads changed by one click are one repaint here, not five hundred. */
export function patchSoon(id: string, fields: Told<Lead>): void {
  if (waiting.size === 0) setTimeout(flush, FLUSH_MS)
  waiting.set(id, { ...waiting.get(id), ...fields })
  hear(id, fields)
}

function flush(): void {
  const patches = new Map<string, Partial<Lead>>()
  for (const [id, fields] of waiting) {
    const known = knownLead(id)
    // Our own edits come back here after their answers; an older one must not undo a newer.
    if (!known || known.updated_at > fields.updated_at || agrees(known, fields)) continue
    patches.set(id, notPending(id, fields))
  }
  waiting.clear()
  if (patches.size) patchLeads(patches)
}

/** The version aside: where nothing else differs, the one we have came with the answer and is the exact one. */
function agrees(lead: Lead, { updated_at: _version, ...fields }: Told<Lead>): boolean {
  return Object.entries(fields).every(
    ([key, value]) => JSON.stringify(lead[key as keyof Lead]) === JSON.stringify(value),
  )
}
