import type { Readable } from 'node:stream'
import type { Answer } from '#platform/answer.ts'
import { Problem } from '#platform/problem.ts'
import { drain } from '#platform/upload.ts'
import { isFileOfChat } from '#domains/conversations/chatting.ts'
import { fileAnswer, takeUpload } from '#domains/files/answers.ts'
import { countFile } from './limits.ts'
import { findUploaded, insertFile } from './session-store.ts'
import { CHAT_FILE_BYTES_MAX, CHAT_FILE_TYPES } from './values.ts'
import { addressOf, type Headers, type Visitor } from './visitors.ts'

/** It belongs to the session that uploaded it, and to no message yet. */
export async function uploadChatFile(visitor: Visitor, headers: Headers, body: Readable) {
  const { ctx, widget, session } = visitor
  try {
    if (!widget.takes_files)
      throw new Problem('forbidden', 'This chat takes no files.', { code: 'files_not_taken' })
    refuseType(headers['content-type'])
    await countFile(ctx, session.id)
  } catch (error) {
    drain(body)
    throw error
  }
  const { id, name, type, size } = await takeUpload(ctx, headers, body, CHAT_FILE_BYTES_MAX)
  await ctx.transaction(async ctx => insertFile(ctx, session.id, id))
  return { id, name, type, size }
}

/** One that was uploaded or said here; any other is not there. */
export async function readChatFile({ ctx, session }: Visitor, id: string, method: string): Promise<Answer> {
  const isOwn =
    (await isFileOfChat(ctx, addressOf(session), id)) || (await findUploaded(ctx, session.id, [id])).has(id)
  if (!isOwn) throw new Problem('not_found', 'No such file.')
  return fileAnswer(ctx, id, method)
}

const types: ReadonlySet<string> = new Set(CHAT_FILE_TYPES)

function refuseType(type: string | undefined): void {
  const bare = type?.split(';', 1)[0]!.trim().toLowerCase()
  if (bare && types.has(bare)) return
  throw new Problem('unsupported_media_type', 'Send a picture, a sound, a text or a document.', {
    code: 'file_type_not_taken',
  })
}
