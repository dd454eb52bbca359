import { defineEndpoints } from '#platform/contract.ts'
import type { Attachment, Mail } from '#platform/ports/mail.ts'

/** The record that one of the service's own emails is about. */
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
