import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import type { Link, MessageRow } from './store.ts'
import { cleaned } from './message-events.ts'

const PROVIDER_ID_LENGTH_MAX = 255

/** What finds and judges a report needs of a message: never its text, which may be large. */
export type Heard = Pick<
  MessageRow,
  | 'id'
  | 'channel'
  | 'lead_id'
  | 'address'
  | 'subject'
  | 'status'
  | 'provider_id'
  | 'sent_at'
  | 'delivered_at'
  | 'opened_at'
  | 'machine_opened_at'
  | 'bounced_at'
  | 'bounce'
  | 'complained_at'
  | 'unsubscribed_at'
>

export async function findHeard(ctx: Context, id: string): Promise<Heard | undefined> {
  return (await findAllHeard(ctx, [id]))[0]
}

export async function findAllHeard(ctx: Context, ids: readonly string[]): Promise<Heard[]> {
  if (ids.length === 0) return []
  return ctx.all(
    raw<Heard>(
      sql`select ${columns} from messages where team_id = ${ctx.team_id} and id = any(${ids}::text[])`,
    ),
  )
}

/** One of its links as its author wrote it, and what else is needed to judge who follows it. */
export async function findLink(
  ctx: Context,
  id: string,
  link: number,
): Promise<(Heard & { followed: Link }) | undefined> {
  return ctx.first(
    raw<Heard & { followed: Link }>(
      sql`select ${columns}, links -> ${link}::integer as followed from messages
        where team_id = ${ctx.team_id} and id = ${id} and links -> ${link}::integer is not null`,
    ),
  )
}

export async function findByProviderIds(ctx: Context, ids: readonly string[]): Promise<Heard[]> {
  if (ids.length === 0) return []
  return ctx.all(
    raw<Heard>(
      sql`select ${columns} from messages where team_id = ${ctx.team_id} and provider_id = any(${ids.map(cleaned)}::text[])
        order by id desc`,
    ),
  )
}

type Towards = {
  channel: MessageRow['channel']
  address: string
  /** Created since then. */
  since?: string
  /** Sent around then. */
  between?: readonly [string, string]
  /** Any of these, whatever the case. */
  subjects?: readonly string[]
  /** Only one that was handed over a moment ago, so that we do not know yet what the provider calls it. */
  unnamed?: boolean
  /** Not one that the provider knows by another id. */
  provider_id?: string
}

/** The latest that may have reached this address: what waits to be sent has not. */
export async function findLatestTo(ctx: Context, towards: Towards): Promise<Heard | undefined> {
  const { channel, address, since, between, subjects, unnamed, provider_id } = towards
  const conditions = [
    sql`team_id = ${ctx.team_id} and channel = ${channel} and address_key = ${cleaned(address).toLowerCase()}`,
    sql`(sent_at is not null or status in ('SENDING', 'UNKNOWN'))`,
    ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
    ...(between ? [sql`coalesce(sent_at, due_at) between ${between[0]} and ${between[1]}`] : []),
    ...(subjects
      ? [sql`lower(subject) = any(${subjects.map(subject => cleaned(subject).toLowerCase())}::text[])`]
      : []),
    ...(unnamed ? [sql`provider_id is null and status in ('SENDING', 'UNKNOWN')`] : []),
    ...(provider_id === undefined ? [] : [sql`coalesce(provider_id = ${cleaned(provider_id)}, true)`]),
  ]
  return ctx.first(
    raw<Heard>(
      sql`select ${columns} from messages where ${sql.join(conditions, sql` and `)} order by id desc limit 1`,
    ),
  )
}

/** Searched in every team: the reporter does not know whose it is. */
export async function findTeamOfRecipient(ctx: Context, address: string): Promise<string | undefined> {
  const row = await ctx.first(
    raw<{ team_id: string | null }>(sql`select team_of_recipient(${cleaned(address)}) as team_id`),
  )
  return row?.team_id ?? undefined
}

export async function findTeamsThatTexted(ctx: Context, address: string): Promise<string[]> {
  const rows = await ctx.all(
    raw<{ team_id: string }>(sql`select team_id from teams_that_texted(${cleaned(address)}) as team_id`),
  )
  return rows.map(({ team_id }) => team_id)
}

export async function findTeamOfProviderId(ctx: Context, provider_id: string): Promise<string | undefined> {
  const row = await ctx.first(
    raw<{ team_id: string | null }>(sql`select team_of_provided(${cleaned(provider_id)}) as team_id`),
  )
  return row?.team_id ?? undefined
}

/** What the provider calls it, as soon as somebody says both names. */
export function nameByProvider(ctx: Context, { id }: Heard, provider_id: string): void {
  ctx.later(
    raw(
      sql`update messages set provider_id = ${cleaned(provider_id).slice(0, PROVIDER_ID_LENGTH_MAX)}
        where team_id = ${ctx.team_id} and id = ${id} and provider_id is null`,
    ),
  )
}

const columns = sql.raw(
  `id, channel, lead_id, address, subject, status, provider_id, sent_at, delivered_at, opened_at, machine_opened_at,
  bounced_at, bounce, complained_at, unsubscribed_at`,
)
