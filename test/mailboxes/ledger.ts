import type { Moment } from './kills.ts'

/** A file as both sides see it: `digest` is of its bytes. */
export type Seen = { name: string; size: number; digest: string }

/** An email that was delivered to mailboxes of the team. */
export type Delivered = {
  subject: string
  /** Which of the mailboxes it came to. */
  mailboxes: string[]
  from: string
  message_id: string | null
  /** Whose conversation it belongs to; null where it must not be taken at all. */
  person: string | null
  /** It came to a private mailbox only. */
  isPrivate: boolean
  text: string
  files: Seen[]
  raw: string
}

/** A reply that the API has acknowledged. */
export type Acked = {
  subject: string
  text: string
  mailbox: string
  to: string
  cc: string[]
  bcc: string[]
  files: Seen[]
}

/** An email that the SMTP server had as a whole, whether its answer reached anybody or not. */
export type Handed = {
  message_id: string
  /** Of the envelope. */
  from: string
  to: string[]
  raw: Buffer
}

/** A moment at which processes were killed. */
export type Killed = { at: number; moment: Moment; names: string[] }

/** What the outside knows. */
export type Ledger = {
  delivered: Delivered[]
  acked: Acked[]
  handed: Handed[]
  kills: Killed[]
}

export function openLedger(): Ledger {
  return { delivered: [], acked: [], handed: [], kills: [] }
}
