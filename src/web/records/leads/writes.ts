import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { queryClient } from '../../query-client.ts'
import { toastFault, toastWithAction, toastWithUndo } from '../../ui/toast.ts'
import { knownLead, leadQuery, patchLead } from './cache.ts'
import { changedFields, leadName, toChange, valueOf, type Values } from './fields.ts'
import { inTurn } from '../../writes/in-turn.ts'
import { hear } from '../../writes/latest.ts'
import { notPending, release, reserve } from '../../writes/pending.ts'

/** Shows the change at once, saves it, and offers the way back; takes it back by itself when the server refuses. */
export async function setFields(id: string, values: Values, say: string | null): Promise<boolean> {
  const lead = knownLead(id) ?? (await queryClient.fetchQuery(leadQuery(id)))
  const before = valuesOf(lead, Object.keys(values))
  const fields = Object.keys(toChange(values))
  patchLead(id, changedFields(lead, values))
  reserve(id, fields)
  try {
    const saved = await inTurn(id, () => save(id, values, before))
    release(id, fields)
    hear(id, saved)
    patchLead(id, notPending(id, saved))
    if (say) toastWithUndo(say, () => putBack(id, values, before))
    return true
  } catch (error) {
    release(id, fields)
    if (isProblem(error, 412)) {
      const told = 'Somebody changed this lead meanwhile. It now shows their version.'
      toastWithAction(told, 'Save mine', () => void setFields(id, values, say))
    } else {
      patchLead(id, notPending(id, changedFields(knownLead(id) ?? lead, before)))
      toastFault(error, 'Not saved')
    }
    return false
  }
}

/** What somebody has changed since is not ours to take back without asking. */
async function putBack(id: string, values: Values, before: Values): Promise<boolean> {
  const now = knownLead(id)
  if (!now || holds(now, values)) return setFields(id, before, null)
  const told = `${leadName(now)} was changed again since.`
  toastWithAction(told, 'Undo anyway', () => void setFields(id, before, null))
  return false
}

/** Someone else's edit of another field is no conflict: only when ours was touched too does the person decide. */
async function save(id: string, values: Values, before: Values): Promise<Lead> {
  const body = toChange(values)
  try {
    return await api('PATCH /api/crm/leads/:id', { params: { id }, body, ...versionOf(id) })
  } catch (error) {
    if (!isProblem(error, 412)) throw error
    const theirs = await api('GET /api/crm/leads/:id', { params: { id } })
    if (!holds(theirs, before)) {
      patchLead(id, theirs)
      throw error
    }
    patchLead(id, notPending(id, theirs))
    return api('PATCH /api/crm/leads/:id', { params: { id }, body, ifMatch: theirs.updated_at })
  }
}

export function holds(lead: Lead | undefined, values: Values): boolean {
  return !lead || Object.entries(values).every(([key, value]) => valueOf(lead, key) === value)
}

function versionOf(id: string): { ifMatch?: string } {
  const lead = knownLead(id)
  return lead ? { ifMatch: lead.updated_at } : {}
}

export function valuesOf(lead: Lead, keys: string[]): Values {
  return Object.fromEntries(keys.map(key => [key, valueOf(lead, key)]))
}
