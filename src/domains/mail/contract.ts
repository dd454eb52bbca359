import { defineEndpoints } from '#platform/contract.ts'
import type { Attachment, Mail } from '#platform/ports/mail.ts'

/** What a mail of the service itself is about: the record it tells of. */
export type About = { kind: string; id: string }

export type NewMail = {
  /** What it is for, like `form.notice`: limits and lists go by it. */
  kind: string
  about: About
  to: string
  subject: string
  text: string
  html: string
  attachments?: readonly Attachment[]
} & Pick<Mail, 'from_name' | 'reply_to' | 'calendar'>

export const endpoints = defineEndpoints({})
