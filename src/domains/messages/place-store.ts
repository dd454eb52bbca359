import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { MailboxPlace } from '#platform/ports/mailbox.ts'

/** There is one mailbox for replies. */
const NAME = 'replies'

export async function findPlace(ctx: Context): Promise<MailboxPlace | undefined> {
  return ctx.first(db.selectFrom('mailbox_places').select(['uid_validity', 'uid']).where('name', '=', NAME))
}

/** Whether we may continue reading from here; another process may be reading, or have read already. */
export async function takePlace(ctx: Context, { uid_validity, uid }: MailboxPlace): Promise<boolean> {
  const rows = await ctx.all(
    raw(sql`select 1 from mailbox_places where name = ${NAME} and uid_validity = ${uid_validity} and uid = ${uid}
      for update skip locked`),
  )
  return rows.length > 0
}

export function movePlace(ctx: Context, { uid_validity, uid }: MailboxPlace): void {
  const place = { uid_validity, uid, read_at: ctx.now() }
  ctx.later(db.updateTable('mailbox_places').set(place).where('name', '=', NAME))
}

/** Where reading starts; the first process has set it. */
export async function beginPlace(ctx: Context, { uid_validity, uid }: MailboxPlace): Promise<void> {
  await ctx.run(
    db
      .insertInto('mailbox_places')
      .values({ name: NAME, uid_validity, uid, read_at: ctx.now() })
      .onConflict(conflict => conflict.column('name').doNothing()),
  )
}

const db = tables<{ mailbox_places: MailboxPlace & { name: string; read_at: string } }>()
