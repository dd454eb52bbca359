import type { Context } from '#platform/context.ts'
import { invalid, type Fault } from '#platform/problem.ts'
import { faultOfFile } from '#platform/whatsapp-files.ts'
import { bytesOf, findFiles, type KeptFile } from '#domains/files/service.ts'
import type { Parcel } from '#domains/messages/sending.ts'
import type { MessageRow } from '#domains/messages/service.ts'
import { WHATSAPP_CAPTION_LENGTH_MAX, WHATSAPP_LENGTH_MAX } from '#domains/messages/values.ts'
import { findLastWhatsApps } from './entry-store.ts'
import { windowEnd } from './holds.ts'
import { findParts } from './mail-store.ts'
import { findReplies } from './store.ts'
import { findUses } from './whatsapp-store.ts'

/** WhatsApp takes one file with a message. */
export const WHATSAPP_FILES_MAX = 1

/** What WhatsApp would not take, said before anything is written. */
export function refuseUnfit(text: string, files: readonly KeptFile[], isTemplate: boolean): void {
  const faults: Fault[] = []
  if (files.length > WHATSAPP_FILES_MAX)
    faults.push({ path: 'file_ids', message: `must have at most ${WHATSAPP_FILES_MAX} file by WhatsApp` })
  if (isTemplate && files.length > 0) faults.push({ path: 'file_ids', message: 'is not for templates' })
  files.forEach((file, at) => {
    const message = faultOfFile(file)
    if (message) faults.push({ path: `file_ids[${at}]`, message })
  })
  const max = files.length > 0 ? WHATSAPP_CAPTION_LENGTH_MAX : WHATSAPP_LENGTH_MAX
  const beside = files.length > 0 ? ' beside a file' : ''
  if (!isTemplate && text.length > max)
    faults.push({ path: 'text', message: `must have at most ${max} characters by WhatsApp${beside}` })
  if (faults.length > 0) throw invalid(faults)
}

/** Right before the message is handed over. */
export async function parcelOf(ctx: Context, { id }: MessageRow): Promise<Parcel> {
  const [uses, parts] = await Promise.all([findUses(ctx, [id]), findParts(ctx, [id])])
  const use = uses.get(id)
  if (use) return { template: { name: use.name, language: use.language, values: use.parameters } }
  const [file] = await findFiles(
    ctx,
    parts.map(({ file_id }) => file_id),
  )
  if (!file) return {}
  return { file: { name: file.name, type: file.type, bytes: await bytesOf(ctx, file.id) } }
}

/** Free text that comes too late, as after an outage: reasons by message. */
export async function lateByWindow(
  ctx: Context,
  messages: readonly MessageRow[],
): Promise<Map<string, string>> {
  const ids = messages.filter(({ channel }) => channel === 'whatsapp').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const [uses, replies] = await Promise.all([findUses(ctx, ids), findReplies(ctx, ids)])
  const free = ids.filter(id => !uses.has(id))
  const conversations = new Set(free.flatMap(id => replies.get(id)?.conversation_id ?? []))
  const heard = await findLastWhatsApps(ctx, [...conversations])
  const reasons = new Map<string, string>()
  for (const id of free) {
    const at = heard.get(replies.get(id)?.conversation_id ?? '')
    if (at === undefined || windowEnd(at) <= ctx.now())
      reasons.set(id, 'More than 24 hours have passed since their last WhatsApp message. Use a template.')
  }
  return reasons
}
