import { systemActor, type Actor } from '#platform/context.ts'
import type { MessageRow } from './store.ts'

export function aboutMessage({ id, lead_id }: MessageRow) {
  return { kind: 'message', id, lead_id }
}

/** What every event of a message tells. */
export function toldOf({ id, subject, source_kind, source_id, enrolment_id, step_index }: MessageRow) {
  return { message_id: id, subject, source_kind, source_id, enrolment_id, step_index }
}

/** By the channel: that it was sent. */
export const sentEvents = { email: 'emailSent', sms: 'smsSent', whatsapp: 'whatsappSent' } as const

/** Whose doing it is that a message goes out. */
export function actorOf({ source_kind, source_id, source_name }: MessageRow): Actor {
  if (source_kind === 'person' && source_id === null) return systemActor
  return { kind: source_kind, id: source_id, name: source_name }
}

/** Whether anything has come back of it: then it went out, whatever else is known. A refusal may have been our own server's. */
export function wasHeardOf(message: MessageRow): boolean {
  const { delivered_at, opened_at, machine_opened_at, replied_at, complained_at, unsubscribed_at } = message
  const heard = [delivered_at, opened_at, machine_opened_at, replied_at, complained_at, unsubscribed_at]
  return message.clicks.length > 0 || heard.some(at => at !== null)
}

/** Other people's words, fit for the database: U+0000 and half characters have no place there. */
export function cleaned(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
