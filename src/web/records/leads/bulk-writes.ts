import type { Lead, LeadChange } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import { knownLead, patchLead, patchLeads, refreshLists } from './cache.ts'
import { leadName, type Values } from './fields.ts'
import { holds, valuesOf } from './writes.ts'

/** One change for many leads, in one transaction; undone by groups of what they had before. */
export async function setFieldsOfMany(leads: Lead[], values: LeadChange, say: string): Promise<void> {
  const before = leads.map(lead => ({ id: lead.id, values: valuesOf(lead, Object.keys(values)) }))
  patchLeads(new Map(leads.map(lead => [lead.id, values as Partial<Lead>])))
  try {
    await bulk(
      leads.map(lead => lead.id),
      { set: values },
    )
    toastWithUndo(say, () => restoreValues(before, values as Values))
  } catch (error) {
    patchLeads(new Map(before.map(({ id, values }) => [id, values as Partial<Lead>])))
    toastFault(error, 'Nothing was changed')
  }
  await refreshLists()
}

export async function trashLeads(leads: Lead[]): Promise<boolean> {
  const ids = leads.map(lead => lead.id)
  try {
    const [only] = leads
    if (only && leads.length === 1) {
      await api('DELETE /api/crm/leads/:id', { params: { id: only.id } })
      patchLead(only.id, { deleted_at: new Date().toISOString() })
    } else await bulk(ids, { trashed: true })
    const what = only && leads.length === 1 ? leadName(only) : plural(leads.length, 'lead')
    toastWithUndo(`Moved ${what} to the trash`, () => restoreFromTrash(ids))
    return true
  } catch (error) {
    toastFault(error, 'Nothing was moved to the trash')
    return false
  } finally {
    await refreshLists()
  }
}

export async function restoreLeads(leads: Lead[]): Promise<void> {
  try {
    await restoreFromTrash(leads.map(lead => lead.id))
    toast(`Restored ${leads.length === 1 ? leadName(leads[0]!) : plural(leads.length, 'lead')}`)
  } catch (error) {
    toastFault(error, 'Nothing was restored')
  }
}

async function restoreFromTrash(ids: string[]): Promise<void> {
  const [only] = ids
  if (only && ids.length === 1) {
    patchLead(only, await api('POST /api/crm/leads/:id/restore', { params: { id: only } }))
  } else await bulk(ids, { trashed: false })
  await refreshLists()
}

/** Each gets its own value back, unless somebody has changed it since. */
async function restoreValues(before: { id: string; values: Values }[], set: Values): Promise<void> {
  const ours = before.filter(({ id }) => holds(knownLead(id), set))
  const groups = Map.groupBy(ours, ({ values }) => JSON.stringify(values))
  for (const group of groups.values()) {
    await bulk(
      group.map(({ id }) => id),
      { set: group[0]!.values as LeadChange },
    )
  }
  await refreshLists()
}

async function bulk(ids: string[], what: { set: LeadChange } | { trashed: boolean }): Promise<void> {
  const { data } = await api('POST /api/crm/leads/bulk', { body: { ids, ...what } })
  patchLeads(new Map(data.map(lead => [lead.id, lead])))
}
