export const deliveryEvents = ['delivered', 'bounced', 'opened', 'complained'] as const

/** What happened to an email, as recorded by the provider. */
export type DeliveryEvent = {
  type: (typeof deliveryEvents)[number]
  /** Our own id of the mail, where it is known there; else the provider's, the address and the subject must do. */
  message_id: string | null
  provider_id: string | null
  to: string
  subject: string
  /** When the mail was taken. */
  sent_at: string
}

/** The provider's own record of our mails: it knows what a webhook that got lost would have told. */
export type DeliveryLog = {
  kind: 'outbox' | 'resend'
  /** The last known event of each mail taken since then, at most so many, newest first. */
  read(since: string, limit: number): Promise<DeliveryEvent[]>
  check(): Promise<void>
}
