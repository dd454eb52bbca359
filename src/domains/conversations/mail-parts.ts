import type { Context } from '#platform/context.ts'
import { findFiles } from '#domains/files/service.ts'
import type { AttachedFile } from './contract.ts'
import { findLetters, findParts, findRecipients, type LetterRow, type MailRecipient } from './mail-store.ts'
import type { EntryRow } from './entry-store.ts'

/** What emails have beside their text, by the entry or message that they are. */
export type MailParts = {
  recipients: Map<string, MailRecipient[]>
  letters: Map<string, LetterRow>
  files: Map<string, AttachedFile[]>
}

export async function findMailParts(
  ctx: Context,
  entries: readonly EntryRow[],
  message_ids: readonly string[],
): Promise<MailParts> {
  const entry_ids = entries.map(({ id }) => id)
  const email_ids = entries.filter(({ channel }) => channel === 'email').map(({ id }) => id)
  const [recipients, letters, files] = await Promise.all([
    findRecipients(ctx, email_ids),
    findLetters(ctx, message_ids),
    filesOf(ctx, [...entry_ids, ...message_ids]),
  ])
  return { recipients, letters, files }
}

async function filesOf(ctx: Context, parts_of: readonly string[]): Promise<Map<string, AttachedFile[]>> {
  const parts = await findParts(ctx, parts_of)
  const files = new Map(
    (
      await findFiles(
        ctx,
        parts.map(({ file_id }) => file_id),
      )
    ).map(file => [file.id, file]),
  )
  const lists = new Map<string, AttachedFile[]>()
  for (const { part_of, file_id, content_id } of parts) {
    const file = files.get(file_id)
    if (!file) continue
    const { id, name, type, size } = file
    lists.set(part_of, [...(lists.get(part_of) ?? []), { id, name, type, size, inline: content_id !== null }])
  }
  return lists
}
