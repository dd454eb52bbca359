import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { CalendarPart } from '#platform/ports/mail.ts'

export type MailStatus = 'DUE' | 'SENDING' | 'SENT' | 'UNKNOWN' | 'FAILED'

export type MailRow = {
  team_id: string
  id: string
  message_id: string
  kind: string
  about_kind: string
  about_id: string
  recipient: string
  subject: string
  text: string
  html: string
  from_name: string | null
  reply_to: string | null
  /** The bytes of each as base64. */
  attachments: { name: string; type: string; base64: string }[] | null
  calendar: CalendarPart | null
  status: MailStatus
  error: string | null
  created_at: string
  sent_at: string | null
}

export function insertMail(ctx: Context, mail: Omit<MailRow, 'team_id'>): void {
  const attachments = mail.attachments && (JSON.stringify(mail.attachments) as never)
  const calendar = mail.calendar && (JSON.stringify(mail.calendar) as never)
  ctx.later(db.insertInto('mails').values({ team_id: ctx.team_id, ...mail, attachments, calendar }))
}

/** Takes a mail that is due in hand: of any number who try, one gets it. */
export async function takeMail(ctx: Context, id: string): Promise<MailRow | undefined> {
  return ctx.first(
    db
      .updateTable('mails')
      .set({ status: 'SENDING' })
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id)
      .where('status', 'in', ['DUE', 'FAILED'])
      .returningAll(),
  )
}

/** Moves it on from one of these states, in one statement: of any number who try, one does. False: it was elsewhere. */
export async function moveMail(
  ctx: Context,
  id: string,
  from: readonly MailStatus[],
  change: Partial<MailRow>,
): Promise<boolean> {
  const moved = await ctx.run(
    db
      .updateTable('mails')
      .set(change)
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id)
      .where('status', 'in', from),
  )
  return moved > 0
}

export async function countSince(ctx: Context, kind: string, recipient: string, since: string) {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from mails
      where team_id = ${ctx.team_id} and kind = ${kind} and recipient = ${recipient} and created_at > ${since}`),
  )
  return row!.count
}

const db = tables<{ mails: MailRow }>()
