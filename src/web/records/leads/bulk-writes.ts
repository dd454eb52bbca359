import type { Lead, LeadChange } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import { put } from '../cache.ts'
import { refreshLists } from './cache.ts'
import { valueOf, type Values } from './fields.ts'
import { leads } from './store.ts'

/** One change for many leads, in one transaction. Undo groups the leads by their old values. */
export async function setFieldsOfMany(chosen: Lead[], values: LeadChange, say: string): Promise<void> {
  const set = values as Values
  const before = chosen.map(lead => ({ id: lead.id, values: valuesOf(lead, Object.keys(set)) }))
  const ids = chosen.map(lead => lead.id)
  try {
    await leads.saveMany(chosen, set, () => bulk(ids, { set: values }))
    toastWithUndo(say, () => restoreValues(before, set))
  } catch (error) {
    toastFault(error, "Couldn't save the changes")
  }
  await refreshLists()
}

export async function trashLeads(chosen: Lead[]): Promise<boolean> {
  const [only] = chosen
  if (only && chosen.length === 1) return leads.trash(only)
  const ids = chosen.map(lead => lead.id)
  try {
    put(...(await bulk(ids, { trashed: true })))
    toastWithUndo(`Moved ${plural(ids.length, 'lead')} to the trash`, () => restoreFromTrash(ids))
    return true
  } catch (error) {
    toastFault(error, "Couldn't move to trash")
    return false
  } finally {
    await refreshLists()
  }
}

export async function restoreLeads(chosen: Lead[]): Promise<void> {
  const [only] = chosen
  if (only && chosen.length === 1) return void (await leads.restore(only.id))
  try {
    await restoreFromTrash(chosen.map(lead => lead.id))
    toast(`Restored ${plural(chosen.length, 'lead')}`)
  } catch (error) {
    toastFault(error, "Couldn't restore")
  }
}

async function restoreFromTrash(ids: string[]): Promise<void> {
  put(...(await bulk(ids, { trashed: false })))
  await refreshLists()
}

/** Restores the old value of each lead, unless someone has changed it since. */
async function restoreValues(before: { id: string; values: Values }[], set: Values): Promise<void> {
  const ours = before.filter(({ id }) => {
    const lead = leads.known(id)
    return !lead || Object.entries(set).every(([key, value]) => valueOf(lead, key) === value)
  })
  const groups = Map.groupBy(ours, ({ values }) => JSON.stringify(values))
  for (const group of groups.values()) {
    const ids = group.map(({ id }) => id)
    put(...(await bulk(ids, { set: group[0]!.values as LeadChange })))
  }
  await refreshLists()
}

async function bulk(ids: string[], what: { set: LeadChange } | { trashed: boolean }): Promise<Lead[]> {
  return (await api('POST /api/crm/leads/bulk', { body: { ids, ...what } })).data
}

function valuesOf(lead: Lead, keys: string[]): Values {
  return Object.fromEntries(keys.map(key => [key, valueOf(lead, key)]))
}
