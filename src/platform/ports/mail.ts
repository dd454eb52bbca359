/** One mail. `message_id` is made and stored before it is handed over, so that events find their way back. */
export type Mail = {
  to: string
  cc?: readonly string[]
  /** In the envelope alone: nobody who gets it sees them. */
  bcc?: readonly string[]
  subject: string
  text: string
  html: string
  message_id: string
  /** When it was written; now by default. */
  date?: string
  /** Who writes, where that is not the service itself: the name beside the address of the installation. */
  from_name?: string
  reply_to?: string
  /** The mails of the same conversation, oldest first; the last one is answered. */
  thread?: readonly string[]
  /** Where a mail program unsubscribes with one click (RFC 8058). */
  unsubscribe_url?: string
  attachments?: readonly Attachment[]
  calendar?: CalendarPart
}

/** What a mail program shows with buttons to accept and decline (RFC 6047), and any other as a file. */
export type CalendarPart = { method: 'REQUEST' | 'CANCEL' | 'PUBLISH'; ics: string }

/** A file that goes along, whole: nothing is read from elsewhere when the mail is made. */
export type Attachment = { name: string; type: string; bytes: Buffer }

/** `refused`: the recipients whom the server refused while it took the mail for others. */
export type Sent = { refused: readonly string[] }

export type Handover = {
  /** Asked at the last moment, when the next byte would be the mail's own: false, and nothing is handed over. */
  mayGo?: () => boolean
}

export type Mailer = {
  kind: 'outbox' | 'smtp'
  /** How many mails may be under way at once without waiting for each other. */
  lanes: number
  /** Settles when the next server has taken it; a rejection means that it certainly has not, or `MailUncertain`. */
  send(mail: Mail, handover?: Handover): Promise<Sent>
  /** For `rapport doctor`: reachable and willing, or an error that says what is wrong. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The connection broke after the mail was handed over and before the server said yes: it may be on its way. */
export class MailUncertain extends Error {}

/** The server said no, and would say so again. `address`: because of the address itself, nobody is there. */
export class MailRefused extends Error {
  readonly address: boolean

  constructor(message: string, { address, cause }: { address: boolean; cause?: unknown }) {
    super(message, { cause })
    this.address = address
  }
}

/** `mayGo` said no: nothing was handed over. */
export class HeldBack extends Error {}
