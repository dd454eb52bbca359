/** Where reading stopped. A different `uid_validity` means that the mailbox renumbered its messages. */
export type MailboxPlace = { uid_validity: string; uid: number }

/** What came into the mailbox, as far as it says to which of our mails it belongs. */
export type IncomingMail = {
  from: string | null
  from_name?: string | null
  subject: string
  /** The beginning of what was written, without what it quotes. */
  text: string
  message_id: string | null
  /** Ids of the mails it answers: In-Reply-To first, then References from the newest back. */
  answers: readonly string[]
  at: string
  /** automatic: an out-of-office or other machine's answer. bounce: a report that a mail could not be delivered. */
  kind: 'reply' | 'automatic' | 'bounce'
  /** Of a bounce: the mail that came back, and whether it is worth another try. */
  bounce: {
    message_id: string | null
    recipient: string | null
    permanent: boolean
    reason: string
  } | null
}

export type Mailbox = {
  kind: 'imap'
  /** The mails after that place, oldest first; without a place, none: what was there before is nobody's reply. */
  read(from: MailboxPlace | undefined, limit: number): Promise<{ mails: IncomingMail[]; place: MailboxPlace }>
  check(): Promise<void>
  close(): Promise<void>
}
