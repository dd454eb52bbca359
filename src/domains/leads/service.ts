import type { Context } from '#platform/context.ts'
import { checkCustomFields } from '#platform/custom-fields.ts'
import { record, type Event, type Telling } from '#platform/events.ts'
import { Problem, type Fault } from '#platform/problem.ts'
import { filledFields } from '#platform/records.ts'
import { teamMemory } from '#platform/team-memory.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { accountFaults } from '#domains/accounts/service.ts'
import { memberFaults } from '#domains/identity/members.ts'
import {
  dealStageChanged,
  leadCreated,
  leadNoted,
  leadSettingsChanged,
  type Lead,
  type LeadChange,
  type LeadSettings,
  type NewLead,
} from './contract.ts'
import { initialSettings, mendedStage, newLead, wantedFields } from './model.ts'
import * as store from './store.ts'
import { records } from './store.ts'

const SETTINGS_REMEMBERED_MS = 2_000
const settingsMemory = teamMemory<LeadSettings>(SETTINGS_REMEMBERED_MS)

export async function createLead(ctx: Context, input: NewLead): Promise<Lead> {
  return ctx.transaction(async ctx => {
    const made = { id: ctx.newId(), at: ctx.now() }
    const lead = newLead(input, await recentSettings(ctx), made, await referenceFaults(ctx, input))
    records.insert(ctx, lead)
    record(ctx, leadCreated, records.about(lead), { lead: filledFields(lead) })
    return lead
  })
}

export const getLead = records.get
export const findLeads = records.findAll
export const trashLead = records.trash
export const purgeTrash = records.purge

/** One that is alive, if there is one. */
export async function findLead(ctx: Context, id: string): Promise<Lead | undefined> {
  const lead = await records.find(ctx, id)
  return lead?.deleted_at ? undefined : lead
}

/** What is wrong with naming this lead in another record. */
export async function leadFaults(ctx: Context, lead_id: string | null | undefined): Promise<Fault[]> {
  if (!lead_id || (await findLead(ctx, lead_id))) return []
  return [{ path: 'lead_id', message: 'is no lead of this team' }]
}

export async function changeLead(
  ctx: Context,
  id: string,
  change: LeadChange,
  ifMatch?: string,
): Promise<Lead> {
  return ctx.transaction(async ctx => {
    const lead = await records.getForChange(ctx, id, ifMatch)
    const found = await referenceFaults(ctx, change)
    const changed = records.change(ctx, lead, wantedFields(lead, change, await getSettings(ctx), found))
    tellStage(ctx, lead, changed)
    return changed
  })
}

/** A stage that was removed meanwhile gives way to the first one: nothing comes back to where no board shows it. */
export async function restoreLead(ctx: Context, id: string): Promise<Lead> {
  return records.restore(ctx, id, async (ctx, lead) => {
    const mended = mendedStage(lead, await getSettings(ctx))
    tellStage(ctx, lead, { ...lead, ...mended })
    return mended
  })
}

export async function noteLead(ctx: Context, id: string, text: string): Promise<Event> {
  return ctx.transaction(async ctx => {
    const lead = await getLead(ctx, id)
    return record(ctx, leadNoted, records.about(lead), { text })
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

/**
 * Workflows hear of a stage in the same words, whether a lead's or an opportunity's. The timeline and those who look on
 * have it from `lead.changed` already.
 */
export function tellStage(ctx: Context, before: Lead, after: Lead, telling: Telling = {}): void {
  if (before.pipeline_stage === after.pipeline_stage) return
  const data = {
    of: 'lead' as const,
    before: { stage: before.pipeline_stage },
    after: { stage: after.pipeline_stage },
  }
  record(ctx, dealStageChanged, { kind: 'lead', id: after.id }, data, { ...telling, silent: true })
}

/** A lead points only at what its own team has. */
export async function referenceFaults(ctx: Context, { owner_id, account_id }: LeadChange): Promise<Fault[]> {
  if (!owner_id && !account_id) return []
  return [...(await memberFaults(ctx, owner_id, 'owner_id')), ...(await accountFaults(ctx, account_id))]
}

async function checkStagesUnused(ctx: Context, stages: string[]): Promise<void> {
  if (stages.length === 0) return
  const used = await store.countInStages(ctx, stages)
  if (used.length === 0) return
  const list = used.map(({ pipeline_stage, count }) => `${pipeline_stage} (${count})`).join(', ')
  throw new Problem('conflict', `Leads still stand in: ${list}. Move them first.`, { code: 'stage_in_use' })
}
