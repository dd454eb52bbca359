import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'

export type MailParty = { address: string; name: string | null }
export type MailRecipient = MailParty & { kind: 'to' | 'cc' }

/** The whole of an email that came in. */
export type MailRow = {
  entry_id: string
  recipients: MailRecipient[]
  text: string
  html: string | null
  fingerprint: string | null
}

export function insertMail(ctx: Context, { entry_id, recipients, text, html, fingerprint }: MailRow): void {
  ctx.later(
    raw(sql`insert into conversation_mails (team_id, entry_id, recipients, text, html, fingerprint)
      values (${ctx.team_id}, ${entry_id}, ${JSON.stringify(recipients)}, ${text}, ${html}, ${fingerprint})`),
  )
}

export async function findMail(ctx: Context, entry_id: string): Promise<MailRow | undefined> {
  return ctx.first(
    raw<MailRow>(sql`select entry_id, recipients, text, html, fingerprint from conversation_mails
      where team_id = ${ctx.team_id} and entry_id = ${entry_id}`),
  )
}

export async function findRecipients(
  ctx: Context,
  entry_ids: readonly string[],
): Promise<Map<string, MailRecipient[]>> {
  if (entry_ids.length === 0) return new Map()
  const rows = await ctx.all(
    raw<Pick<MailRow, 'entry_id' | 'recipients'>>(sql`select entry_id, recipients from conversation_mails
      where team_id = ${ctx.team_id} and entry_id = any(${entry_ids}::text[])`),
  )
  return new Map(rows.map(({ entry_id, recipients }) => [entry_id, recipients]))
}

/** What a message of ours has beside its text. */
export type LetterRow = {
  message_id: string
  conversation_id: string
  mailbox_id: string | null
  cc: string[]
  bcc: string[]
  /** The day on which its mailbox counts it. */
  counted_on: string | null
}

export function insertLetter(
  ctx: Context,
  { message_id, conversation_id, mailbox_id, cc, bcc, counted_on }: LetterRow,
): void {
  ctx.later(
    raw(sql`insert into conversation_letters (team_id, message_id, conversation_id, mailbox_id, cc, bcc, counted_on)
      values (${ctx.team_id}, ${message_id}, ${conversation_id}, ${mailbox_id}, ${cc}::text[], ${bcc}::text[], ${counted_on}::date)`),
  )
}

export async function findLetters(
  ctx: Context,
  message_ids: readonly string[],
): Promise<Map<string, LetterRow>> {
  if (message_ids.length === 0) return new Map()
  const rows = await ctx.all(
    raw<LetterRow>(sql`select message_id, conversation_id, mailbox_id, cc, bcc, to_char(counted_on, 'YYYY-MM-DD') as counted_on from conversation_letters
      where team_id = ${ctx.team_id} and message_id = any(${message_ids}::text[])`),
  )
  return new Map(rows.map(row => [row.message_id, row]))
}

/** A file of an entry, or of a message of ours. */
export type PartRow = {
  conversation_id: string
  part_of: string
  position: number
  file_id: string
  content_id: string | null
}

const insertRows = inserter<PartRow & { team_id: string }>('conversation_files', [
  'team_id',
  'conversation_id',
  'part_of',
  'position',
  'file_id',
  'content_id',
])

export function insertParts(ctx: Context, rows: readonly PartRow[]): void {
  for (const batch of batchesOf(rows.map(row => ({ team_id: ctx.team_id, ...row }))))
    ctx.later(insertRows(batch))
}

export async function findParts(ctx: Context, parts_of: readonly string[]): Promise<PartRow[]> {
  if (parts_of.length === 0) return []
  return ctx.all(
    raw<PartRow>(sql`select conversation_id, part_of, position, file_id, content_id from conversation_files
      where team_id = ${ctx.team_id} and part_of = any(${parts_of}::text[])
      order by part_of, position`),
  )
}

/** All of it goes on in another conversation. */
export function moveParts(ctx: Context, from: string, to: string): void {
  for (const table of [
    'conversation_files',
    'conversation_letters',
    'conversation_replies',
    'conversation_answers',
    'conversation_template_uses',
  ])
    ctx.later(
      raw(sql`update ${sql.table(table)} set conversation_id = ${to}
        where team_id = ${ctx.team_id} and conversation_id = ${from}`),
    )
}
