import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import type { BookingPages } from '#platform/offers.ts'
import { difference } from '#platform/records.ts'
import { teamMemory } from '#platform/team-memory.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { outreachSettingsChanged, type OutreachSettings, type OutreachSettingsChange } from './contract.ts'
import { findPaused, findSettings, lockSettings, saveSettings, type SettingsRow } from './settings-store.ts'

const SETTINGS_REMEMBERED_MS = 2_000
const memory = teamMemory<SettingsRow>(SETTINGS_REMEMBERED_MS)

/** Who writes for the team, and how. */
export type Sender = Omit<SettingsRow, 'updated_at'> & { pages: BookingPages }

const noPages: BookingPages = { sender: null, byMember: new Map(), first: null }

const initial: SettingsRow = {
  from_name: null,
  reply_to: null,
  signature: null,
  postal_address: null,
  meeting_url: null,
  sms_quiet_from: '21:00',
  sms_quiet_until: '08:00',
  paused_at: null,
  updated_at: new Date(0).toISOString(),
}

export async function getSettings(ctx: Context): Promise<OutreachSettings> {
  return inFull(ctx, (await findSettings(ctx)) ?? initial)
}

export async function changeSettings(
  ctx: Context,
  change: OutreachSettingsChange,
  ifMatch?: string,
): Promise<OutreachSettings> {
  return write(ctx, () => change, ifMatch)
}

/** The panic button. Pressed twice, it stays pressed since the first time. */
export async function pauseAll(ctx: Context): Promise<OutreachSettings> {
  return write(ctx, ({ paused_at }) => ({ paused_at: paused_at ?? ctx.now() }))
}

export async function resumeAll(ctx: Context): Promise<OutreachSettings> {
  return write(ctx, () => ({ paused_at: null }))
}

/** For the hot path: another process may have changed it a moment ago, as it may a moment later. */
export async function senderOf(ctx: Context): Promise<Sender> {
  const settings = await recentSettings(ctx)
  const pages = await ctx.runtime.registry.offers.bookingPages?.(ctx, settings.reply_to)
  return { ...settings, pages: pages ?? noPages }
}

/** The same where no text is written that could link to a meeting: nobody's booking page is opened for it. */
export async function senderWithoutPages(ctx: Context): Promise<Sender> {
  return { ...(await recentSettings(ctx)), pages: noPages }
}

async function recentSettings(ctx: Context): Promise<SettingsRow> {
  return memory.get(ctx, async () => (await findSettings(ctx)) ?? initial)
}

/** Asked of the table: nobody's memory lets anything out after the button was pressed. */
export async function isPaused(ctx: Context): Promise<boolean> {
  return findPaused(ctx)
}

async function write(
  ctx: Context,
  wanted: (before: SettingsRow) => Partial<SettingsRow>,
  ifMatch?: string,
): Promise<OutreachSettings> {
  return ctx.transaction(async ctx => {
    const before = unchangedSince(await lockSettings(ctx, initial), ifMatch)
    const changes = difference(before, wanted(before))
    if (!changes) return inFull(ctx, before)
    const written = { ...changes.after, updated_at: nextVersion(before.updated_at, ctx.now()) }
    saveSettings(ctx, written)
    ctx.afterCommit(() => memory.forget(ctx))
    record(ctx, outreachSettingsChanged, { kind: 'outreach_settings', id: ctx.team_id }, changes)
    return inFull(ctx, { ...before, ...written })
  })
}

/** With what the operator has configured. */
function inFull({ runtime: { settings, ports } }: Context, row: SettingsRow): OutreachSettings {
  return {
    ...row,
    from: settings.emailFrom,
    mail: ports.mail.kind,
    sms: ports.sms.kind,
    whatsapp: ports.whatsapp.kind,
    replies: ports.mailbox?.kind ?? 'none',
    writer: ports.writer.kind,
  }
}
