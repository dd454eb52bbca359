import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import type { MailboxPlace } from '#platform/ports/mailbox.ts'

/** How far a mailbox is read. `since`: what came before is history. */
export type Reading = MailboxPlace & { since: string }

export async function findReading(ctx: Context, mailbox_id: string): Promise<Reading | undefined> {
  return ctx.first(
    raw<Reading>(sql`select uid_validity, uid, since from mailbox_readings
      where team_id = ${ctx.team_id} and mailbox_id = ${mailbox_id}`),
  )
}

/** Where reading begins. Whoever came second begins there too. */
export async function beginReading(ctx: Context, mailbox_id: string, reading: Reading): Promise<boolean> {
  const { uid_validity, uid, since } = reading
  const added = await ctx.run(
    raw(sql`insert into mailbox_readings (team_id, mailbox_id, uid_validity, uid, since, read_at)
      values (${ctx.team_id}, ${mailbox_id}, ${uid_validity}, ${uid}, ${since}, ${ctx.now()})
      on conflict do nothing`),
  )
  return added > 0
}

/** Only from where it was read: another process may have come further meanwhile. */
export async function moveReading(
  ctx: Context,
  mailbox_id: string,
  from: MailboxPlace,
  { uid_validity, uid }: MailboxPlace,
): Promise<boolean> {
  const moved = await ctx.run(
    raw(sql`update mailbox_readings set uid_validity = ${uid_validity}, uid = ${uid}, read_at = ${ctx.now()}
      where team_id = ${ctx.team_id} and mailbox_id = ${mailbox_id}
        and uid_validity = ${from.uid_validity} and uid = ${from.uid}`),
  )
  return moved > 0
}
