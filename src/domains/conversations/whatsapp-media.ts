import type { Context } from '#platform/context.ts'
import { announce } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { insertFiles, keepFiles } from '#domains/files/service.ts'
import { FILE_BYTES_MAX } from '#domains/files/values.ts'
import { encloseFiles } from './enclosed.ts'
import { addToText, lockEntry } from './entry-store.ts'
import { findParts } from './mail-store.ts'

export const MEDIA_JOB = 'conversations.whatsapp_media'
const FILE_MIB_MAX = FILE_BYTES_MAX / 1024 / 1024

type Wanted = { entry_id: string; media_id: string; name: string; file_id: string }

/** In the transaction that takes the message: its file is fetched afterwards, since WhatsApp waits for an answer. */
export function fetchLater(
  ctx: Context,
  entry_id: string,
  { id: media_id, name }: { id: string; name: string },
): void {
  const data: Wanted = { entry_id, media_id, name, file_id: ctx.newId() }
  enqueue(ctx, { kind: MEDIA_JOB, data })
}

export async function fetchMedia(ctx: Context, { data }: Job): Promise<void> {
  const { entry_id, media_id, name, file_id } = data as Wanted
  if ((await findParts(ctx, [entry_id])).length > 0) return
  const found = await ctx.runtime.ports.whatsapp.media(media_id, FILE_BYTES_MAX)
  if (!found)
    return missing(ctx, data as Wanted, `it is larger than ${FILE_MIB_MAX} MiB, or WhatsApp no longer has it`)
  const files = await keepFiles(ctx, [{ id: file_id, name, ...found, private_to: null }])
  await ctx.transaction(async ctx => {
    const entry = await lockEntry(ctx, entry_id)
    if (!entry || (await findParts(ctx, [entry_id])).length > 0) return
    await insertFiles(ctx, files)
    encloseFiles(ctx, entry.conversation_id, entry_id, files)
    tellChanged(ctx, entry.conversation_id)
  })
}

export async function giveUpMedia(ctx: Context, { data }: Job): Promise<void> {
  await missing(ctx, data as Wanted, 'WhatsApp did not hand it over')
}

async function missing(ctx: Context, { entry_id, name }: Wanted, why: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const entry = await lockEntry(ctx, entry_id)
    if (!entry) return
    addToText(ctx, entry_id, `\n[${name} is missing: ${why}]`)
    tellChanged(ctx, entry.conversation_id)
  })
}

/** Those who look at it see the file come. */
function tellChanged(ctx: Context, id: string): void {
  announce(ctx, 'conversations:read', 'conversation.changed', { kind: 'conversation', id }, {})
}
