import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { MailServer } from '#platform/ports/mailbox.ts'
import type { OwnTargets } from './answer-targets-contract.ts'
import type { MailboxKind, MailboxState, MailboxVisibility } from './values.ts'

export type MailboxRow = OwnTargets & {
  id: string
  kind: MailboxKind
  owner_id: string | null
  visibility: MailboxVisibility
  address: string
  name: string | null
  signature: string | null
  is_default: boolean
  creates_leads: boolean
  /** Emails a day; null for as many as are written. */
  daily_limit: number | null
  /** Which agent has the conversations that begin by a message to it. */
  agent_id: string | null
  agent_mode: 'off' | 'draft' | 'auto'
  username: string
  imap: MailServer
  smtp: MailServer
  /** Sealed. */
  secret: string
  import_days: number
  sent_folder: string | null
  state: MailboxState
  note: string | null
  failing_since: string | null
  /** Whether somebody was told that it does not work. */
  told: boolean
  /** When both servers last did what they were asked. */
  checked_at: string | null
  wait_id: string | null
  created_at: string
  updated_at: string
}

const columns = [
  'id',
  'kind',
  'owner_id',
  'visibility',
  'address',
  'name',
  'signature',
  'is_default',
  'creates_leads',
  'daily_limit',
  'first_answer_min',
  'next_answer_min',
  'timezone',
  'hours',
  'agent_id',
  'agent_mode',
  'username',
  'imap',
  'smtp',
  'secret',
  'import_days',
  'sent_folder',
  'state',
  'note',
  'failing_since',
  'told',
  'checked_at',
  'wait_id',
  'created_at',
  'updated_at',
] as const satisfies (keyof MailboxRow)[]

const selected = sql.join(columns.map(column => sql.ref(column)))

/** False where the address is connected already. */
export async function insertMailbox(ctx: Context, row: MailboxRow): Promise<boolean> {
  const added = await ctx.run(
    db
      .insertInto('mailboxes')
      .values({ team_id: ctx.team_id, ...written(row) } as never)
      .onConflict(conflict => conflict.doNothing()),
  )
  return added > 0
}

export async function findMailbox(ctx: Context, id: string): Promise<MailboxRow | undefined> {
  return findOne(ctx, sql`id = ${id}`)
}

export async function lockMailbox(ctx: Context, id: string): Promise<MailboxRow | undefined> {
  return findOne(ctx, sql`id = ${id}`, sql`for no key update`)
}

/** That of a person; several at most by mistake of many hands, and then the oldest. */
export async function findOfOwner(ctx: Context, owner_id: string): Promise<MailboxRow | undefined> {
  return findOne(ctx, sql`owner_id = ${owner_id}`, sql`order by created_at, id limit 1`)
}

export async function findDefault(ctx: Context): Promise<MailboxRow | undefined> {
  return findOne(ctx, sql`is_default`)
}

/** However it is spelt. */
export async function findByAddress(ctx: Context, address: string): Promise<MailboxRow | undefined> {
  return findOne(ctx, sql`address_key = ${address.toLowerCase()}`)
}

export async function findAddresses(ctx: Context, addresses: readonly string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set()
  const keys = [...new Set(addresses.map(address => address.toLowerCase()))]
  const rows = await ctx.all(
    raw<{ address_key: string }>(sql`select address_key from mailboxes
      where team_id = ${ctx.team_id} and address_key = any(${keys}::text[])`),
  )
  return new Set(rows.map(({ address_key }) => address_key))
}

export async function findAddressesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.all(
    raw<{ id: string; address: string }>(
      sql`select id, address from mailboxes where team_id = ${ctx.team_id} and id = any(${ids}::text[])`,
    ),
  )
  return new Map(rows.map(({ id, address }) => [id, address]))
}

export async function listMailboxes(
  ctx: Context,
  after: [string, string] | undefined,
  limit: number,
): Promise<MailboxRow[]> {
  const later = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]})` : sql``
  return ctx.all(
    raw<MailboxRow>(sql`select ${selected} from mailboxes where team_id = ${ctx.team_id} ${later}
      order by created_at desc, id desc limit ${limit}`),
  )
}

export async function isFull(ctx: Context, limit: number): Promise<boolean> {
  const found = await ctx.all(raw(sql`select from mailboxes where team_id = ${ctx.team_id} limit ${limit}`))
  return found.length >= limit
}

export function updateMailbox(ctx: Context, id: string, fields: Partial<MailboxRow>): void {
  ctx.later(
    db
      .updateTable('mailboxes')
      .set(written(fields) as never)
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id),
  )
}

/** One at a time: whoever was it is it no more. */
export function unsetDefault(ctx: Context, except: string): void {
  ctx.later(
    raw(sql`update mailboxes set is_default = false
      where team_id = ${ctx.team_id} and is_default and id <> ${except}`),
  )
}

export async function deleteMailbox(ctx: Context, id: string): Promise<void> {
  await ctx.run(db.deleteFrom('mailboxes').where('team_id', '=', ctx.team_id).where('id', '=', id))
}

async function findOne(
  ctx: Context,
  which: RawBuilder<unknown>,
  rest = sql``,
): Promise<MailboxRow | undefined> {
  return ctx.first(
    raw<MailboxRow>(
      sql`select ${selected} from mailboxes where team_id = ${ctx.team_id} and ${which} ${rest}`,
    ),
  )
}

function written({ imap, smtp, hours, ...rest }: Partial<MailboxRow>) {
  return {
    ...rest,
    ...(hours !== undefined && { hours: hours && JSON.stringify(hours) }),
    ...(imap && { imap: JSON.stringify(imap) }),
    ...(smtp && { smtp: JSON.stringify(smtp) }),
  }
}

const db = tables<{ mailboxes: MailboxRow & { team_id: string } }>()
