import type { Context } from './context.ts'
import type { IncomingMail } from './ports/mailbox.ts'
import type { Fact } from './ports/writer.ts'

/**
 * What one domain does for earlier ones that must not depend on it. If nothing is offered, the caller has a
 * fallback.
 */
export type Offers = {
  /** What else is known about a lead, from sources of their own. */
  factsAbout?: (ctx: Context, lead_id: string) => Promise<Fact[]>
  /** The link to a meeting as this lead gets it, where the address is one of our own booking pages; else the address. */
  meetingLinkFor?: (ctx: Context, url: string, lead_id: string) => string
  /** The booking pages of the team, for one that has named no address to book at. */
  bookingPages?: (ctx: Context, sender_email: string | null) => Promise<BookingPages>
  scheduleCall?: (ctx: Context, call: CallRequest) => Promise<CallScheduled>
  /** What `scheduleCall` would come to, while nothing is done. */
  planCall?: (ctx: Context, call: Omit<CallRequest, 'key'>) => Promise<CallPlanned>
  /** What came of the tool that a provider's event asks for, as soon as it is known. */
  answerTool?: (
    ctx: Context,
    event: { eventId: string; data: Record<string, unknown> },
    timeoutMs: number,
  ) => Promise<ToolAnswer | undefined>
  /** For an incoming call that belongs to no team: the caller is told so immediately. */
  declineCall?: (ctx: Context, data: Record<string, unknown>) => void
  /** A message that answers none of ours. Whether it was taken. */
  takeMessage?: (ctx: Context, message: IncomingMessage) => Promise<boolean>
  /** Whether a message of ours was passed on to somebody else, whose answer is not the lead's. */
  isForwarded?: (ctx: Context, message_id: string) => Promise<boolean>
  generateInvoice?: (ctx: Context, invoice: InvoiceRequest) => Promise<{ id: string; number: string }>
}

/** URLs of active booking pages: the sender's, each member's, and the default host's. */
export type BookingPages = {
  sender: string | null
  byMember: ReadonlyMap<string, string>
  first: string | null
}

export type ToolAnswer = { toolCallId: string; result: { ok: boolean; text: string } }

/** `key` is the same however often it is asked for: one key, one call. */
export type CallRequest = {
  lead_id: string
  at: string
  agent?: string
  note?: string
  /** On whose behalf: who calls instead where the lead has no owner and no agent can. */
  user_id?: string | null
  key: string
}

/** When it will be made; or why no agent makes it, so that a person must. */
export type CallScheduled = { id: string; at: string } | { instead: string }

/** The same, before it is asked for; or why nobody may call. */
export type CallPlanned = { at: string } | { instead: string } | { refused: string }

/** What somebody wrote to the team: an email, a text message or a WhatsApp message. */
export type IncomingMessage = {
  channel: 'email' | 'sms' | 'whatsapp'
  address: string
  name: string | null
  subject: string | null
  text: string
  /** The Message-ID of an email, or what the provider calls a text message. */
  answer_id: string | null
  automatic: boolean
  /** When it was written, where who brings it says so. */
  at?: string
  /** A file that came along and is still to be fetched. */
  media?: { id: string; name: string }
  /** The message of ours that it answers. */
  answered?: string
  /** The whole of an email. */
  mail?: Pick<IncomingMail, 'to' | 'cc' | 'whole' | 'html' | 'files' | 'fingerprint' | 'at'>
  /** The mailbox that it came to. `private_to`: who alone may read it. */
  mailbox?: { id: string; owner_id: string | null; private_to: string | null; creates_leads: boolean }
  /** It was written before the mailbox was connected: it is shown, and nothing is done about it. */
  is_history?: boolean
}

export type InvoiceRequest = {
  lead_id: string | null
  account_id: string | null
  opportunity_id: string | null
  amount: string
  currency: string
  description: string | null
  due_at: string | null
  key: string
}
