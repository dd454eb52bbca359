import type { Context } from '#platform/context.ts'
import { record, type Event } from '#platform/events.ts'
import { invalid, Problem, within, type Fault } from '#platform/problem.ts'
import { teamMemory } from '#platform/team-memory.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { isMember } from '#domains/identity/members.ts'
import {
  leadChanged,
  leadCreated,
  leadNoted,
  leadRestored,
  leadSettingsChanged,
  leadTrashed,
  type Lead,
  type LeadChange,
  type LeadSettings,
  type NewLead,
} from './contract.ts'
import { difference, initialSettings, newLead, TRASH_LIFE_MS } from './model.ts'
import * as store from './store.ts'

const SETTINGS_REMEMBERED_MS = 2_000
const settingsMemory = teamMemory<LeadSettings>(SETTINGS_REMEMBERED_MS)

export async function createLead(ctx: Context, input: NewLead): Promise<Lead> {
  return ctx.transaction(async ctx => {
    const made = { id: ctx.newId(), at: ctx.now() }
    const lead = newLead(input, await recentSettings(ctx), made, await referenceFaults(ctx, input))
    store.insertLead(ctx, lead)
    record(ctx, leadCreated, about(lead.id), { lead: filledFields(lead) })
    return lead
  })
}

/** A lead that is alive; one in the trash says where it is, so that a page can offer to bring it back. */
export async function getLead(ctx: Context, id: string): Promise<Lead> {
  return alive(await store.findLead(ctx, id))
}

export async function changeLead(
  ctx: Context,
  id: string,
  change: LeadChange,
  ifMatch?: string,
): Promise<Lead> {
  return ctx.transaction(async ctx => {
    const [found] = await store.lockLeads(ctx, [id])
    const lead = unchangedSince(alive(found), ifMatch)
    return applyChange(ctx, lead, change, await getSettings(ctx), await referenceFaults(ctx, change))
  })
}

export async function trashLead(ctx: Context, id: string, ifMatch?: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const [found] = await store.lockLeads(ctx, [id])
    applyTrash(ctx, unchangedSince(alive(found), ifMatch))
  })
}

export async function restoreLead(ctx: Context, id: string): Promise<Lead> {
  return ctx.transaction(async ctx => {
    const [found] = await store.lockLeads(ctx, [id])
    if (!found) throw noSuchLead()
    return found.deleted_at ? applyRestore(ctx, found, await getSettings(ctx)) : found
  })
}

type Bulk = { ids: string[]; set?: LeadChange; trashed?: boolean }

/** All or nothing: one id that is absent, or one value that is wrong, and no lead is changed. */
export async function bulkChangeLeads(ctx: Context, { ids, set, trashed }: Bulk) {
  if ((set === undefined) === (trashed === undefined)) {
    throw invalid([{ path: '', message: 'Give either set or trashed.' }])
  }
  return ctx.transaction(async ctx => {
    const leads = await store.lockLeads(ctx, ids)
    if (leads.length < ids.length) throw noSuchLead()
    const found = set ? await referenceFaults(ctx, set) : []
    const settings = await getSettings(ctx)
    const data = leads.map(lead => {
      if (set) return within('set', () => applyChange(ctx, alive(lead), set, settings, found))
      if (trashed) return lead.deleted_at ? lead : applyTrash(ctx, lead)
      return lead.deleted_at ? applyRestore(ctx, lead, settings) : lead
    })
    return { changed: data.filter((lead, at) => lead !== leads[at]).length, data }
  })
}

export async function noteLead(ctx: Context, id: string, text: string): Promise<Event> {
  return ctx.transaction(async ctx => {
    await getLead(ctx, id)
    return record(ctx, leadNoted, about(id), { text })
  })
}

/** Any domain's activity with a lead moves it up in the list. */
export async function touchLead(ctx: Context, id: string, at: string): Promise<void> {
  store.touchLead(ctx, id, at)
}

export async function getSettings(ctx: Context): Promise<LeadSettings> {
  return (await store.findSettings(ctx)) ?? { ...initialSettings, updated_at: new Date(0).toISOString() }
}

/** For checking a single lead: another process may have changed the settings a moment ago, as it may a moment later. */
async function recentSettings(ctx: Context): Promise<LeadSettings> {
  return settingsMemory.get(ctx, () => getSettings(ctx))
}

type SettingsChange = Partial<Pick<LeadSettings, 'pipeline_stages' | 'custom_fields'>>

/** A stage can go only when no lead stands in it: nothing may vanish from the board. */
export async function changeSettings(
  ctx: Context,
  change: SettingsChange,
  ifMatch?: string,
): Promise<LeadSettings> {
  return ctx.transaction(async ctx => {
    await store.lockSettings(ctx)
    const before = unchangedSince(await getSettings(ctx), ifMatch)
    const after = { ...before, ...change, updated_at: nextVersion(before.updated_at, ctx.now()) }
    checkCustomFields(after.custom_fields)
    await checkStagesUnused(
      ctx,
      before.pipeline_stages.filter(stage => !after.pipeline_stages.includes(stage)),
    )
    store.saveSettings(ctx, after)
    ctx.afterCommit(() => settingsMemory.forget(ctx))
    record(ctx, leadSettingsChanged, { kind: 'lead_settings', id: ctx.team_id }, { before, after })
    return after
  })
}

/** What has been in the trash for thirty days is gone. */
export async function purgeTrash(ctx: Context): Promise<number> {
  return store.purgeTrash(ctx, ctx.in(-TRASH_LIFE_MS))
}

function applyChange(
  ctx: Context,
  lead: Lead,
  change: LeadChange,
  settings: LeadSettings,
  found: Fault[],
): Lead {
  const changes = difference(lead, change, settings, found)
  if (!changes) return lead
  const fields = { ...changes.after, updated_at: nextVersion(lead.updated_at, ctx.now()) }
  store.updateLead(ctx, lead.id, fields)
  record(ctx, leadChanged, about(lead.id), changes)
  return { ...lead, ...fields }
}

function applyTrash(ctx: Context, lead: Lead): Lead {
  const fields = { deleted_at: ctx.now(), updated_at: nextVersion(lead.updated_at, ctx.now()) }
  store.updateLead(ctx, lead.id, fields)
  record(ctx, leadTrashed, about(lead.id), {})
  return { ...lead, ...fields }
}

/** A stage that was removed meanwhile gives way to the first one: nothing comes back to where no board shows it. */
function applyRestore(ctx: Context, lead: Lead, { pipeline_stages }: LeadSettings): Lead {
  const stage = pipeline_stages.includes(lead.pipeline_stage) ? {} : { pipeline_stage: pipeline_stages[0]! }
  const fields = { ...stage, deleted_at: null, updated_at: nextVersion(lead.updated_at, ctx.now()) }
  store.updateLead(ctx, lead.id, fields)
  record(ctx, leadRestored, about(lead.id), {})
  if ('pipeline_stage' in stage) {
    record(ctx, leadChanged, about(lead.id), {
      before: { pipeline_stage: lead.pipeline_stage },
      after: stage,
    })
  }
  return { ...lead, ...fields }
}

/** A lead points only at what its own team has. */
async function referenceFaults(ctx: Context, { owner_id, account_id }: LeadChange): Promise<Fault[]> {
  const faults: Fault[] = []
  if (owner_id && !(await isMember(ctx, owner_id))) {
    faults.push({ path: 'owner_id', message: 'is nobody of this team' })
  }
  if (account_id) faults.push({ path: 'account_id', message: 'is no account of this team' })
  return faults
}

function checkCustomFields(fields: LeadSettings['custom_fields']): void {
  const faults = fields.flatMap((field, at) => [
    ...(fields.findIndex(other => other.key === field.key) < at
      ? [{ path: `custom_fields[${at}].key`, message: 'is used twice' }]
      : []),
    ...(field.kind === 'choice' && !field.options
      ? [{ path: `custom_fields[${at}].options`, message: 'a choice needs options' }]
      : []),
  ])
  if (faults.length > 0) throw invalid(faults)
}

async function checkStagesUnused(ctx: Context, stages: string[]): Promise<void> {
  if (stages.length === 0) return
  const used = await store.countInStages(ctx, stages)
  if (used.length === 0) return
  const list = used.map(({ pipeline_stage, count }) => `${pipeline_stage} (${count})`).join(', ')
  throw new Problem('conflict', `Leads still stand in: ${list}. Move them first.`, { code: 'stage_in_use' })
}

function alive(lead: Lead | undefined): Lead {
  if (!lead) throw noSuchLead()
  if (lead.deleted_at)
    throw new Problem('not_found', 'This lead is in the trash. Restore it to use it.', { code: 'in_trash' })
  return lead
}

function noSuchLead(): Problem {
  return new Problem('not_found', 'No such lead.')
}

function about(id: string) {
  return { kind: 'lead', id, lead_id: id }
}

/** The event keeps what was given, not twenty nulls. */
function filledFields(lead: Lead): Record<string, unknown> {
  return Object.fromEntries(Object.entries(lead).filter(([, value]) => value !== null))
}
