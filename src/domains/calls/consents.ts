import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { record } from '#platform/events.ts'
import { getLead } from '#domains/leads/service.ts'
import { consentChanged, type Consent } from './contract.ts'

/** What a lead said last of being called by an agent; `given` is null where it was never asked. */
export async function consentOf(ctx: Context, lead_id: string): Promise<Consent> {
  return (await findConsent(ctx, lead_id)) ?? { lead_id, given: null, source: null, note: null, at: null }
}

export async function readConsent(ctx: Context, lead_id: string): Promise<Consent> {
  await getLead(ctx, lead_id)
  return consentOf(ctx, lead_id)
}

export async function setConsent(
  ctx: Context,
  lead_id: string,
  { given, source, note }: { given: boolean; source: string; note?: string },
): Promise<Consent> {
  return ctx.transaction(async ctx => {
    await getLead(ctx, lead_id)
    const consent = { lead_id, given, source, note: note ?? null, at: ctx.now() }
    ctx.later(
      raw(sql`insert into call_consents (team_id, lead_id, given, source, note, at)
        values (${ctx.team_id}, ${lead_id}, ${given}, ${source}, ${consent.note}, ${consent.at})
        on conflict (team_id, lead_id) do update
        set given = excluded.given, source = excluded.source, note = excluded.note, at = excluded.at`),
    )
    record(ctx, consentChanged, { kind: 'lead', id: lead_id, lead_id }, { given, source })
    return consent
  })
}

async function findConsent(ctx: Context, lead_id: string): Promise<Consent | undefined> {
  return ctx.first(
    raw<Consent>(sql`select lead_id, given, source, note, at from call_consents
      where team_id = ${ctx.team_id} and lead_id = ${lead_id}`),
  )
}
