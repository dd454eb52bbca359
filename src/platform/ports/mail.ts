/** One mail to one person. `message_id` is made and stored before it is handed over, so that events find their way back. */
export type Mail = { to: string; subject: string; text: string; html: string; message_id: string }

export type Mailer = {
  kind: 'outbox' | 'smtp'
  /** Settles when the next server has taken it; a rejection means that it certainly has not, or `MailUncertain`. */
  send(mail: Mail): Promise<void>
  /** For `rapport doctor`: reachable and willing, or an error that says what is wrong. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The connection broke after the mail was handed over and before the server said yes: it may be on its way. */
export class MailUncertain extends Error {}
