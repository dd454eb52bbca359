import type { Context } from '#platform/context.ts'
import { segmentsOf } from './segments.ts'
import { insertMessages, type Content, type Link, type MessageRow } from './store.ts'
import { LINKS_MAX, OPEN_LINK, tokenFor, UNSUBSCRIBE_LINK } from './tokens.ts'
import type { MessageSource } from './values.ts'

/** What a message came of. */
export type Origin = {
  source_kind: MessageSource
  source_id: string | null
  source_name: string | null
  enrolment_id?: string
  version?: number
  step_index?: number
  round?: number
}

export type EmailDraft = {
  id: string
  lead_id: string
  address: string
  subject: string
  /** With its links as their author wrote them. */
  html: string
  text: string
  /** Message-IDs of the conversation it belongs to, oldest first. */
  thread: string[]
  track: { opens: boolean; clicks: boolean }
  /** Links that begin with this lead to a meeting, as those to our own booking pages do. */
  meeting_url: string | null
  origin: Origin
  /** Not before this time; now, where there is none. */
  due_at?: string
}

export type SmsDraft = {
  id: string
  lead_id: string
  address: string
  text: string
  origin: Origin
  due_at?: string
}

/** The same by WhatsApp: the text is what its reader sees, of a template too. */
export type WhatsAppDraft = SmsDraft

/** Where the reader of this message unsubscribes. A text that carries it is written for this message alone. */
export function unsubscribeUrl(ctx: Context, message_id: string): string {
  return address(ctx, 'u', message_id, UNSUBSCRIBE_LINK)
}

/** Our own id of a mail. It names the team, so that whatever answers it finds its way without being looked up. */
export function messageIdOf(ctx: Context, id: string): string {
  return `<m.${ctx.team_id}.${id}@${new URL(ctx.runtime.settings.baseUrl).hostname}>`
}

/** The team and the message that an id like ours names. */
export function readMessageId(text: string): { team_id: string; id: string } | undefined {
  const [, team_id, id] = /^<?m\.([0-9a-f]{24})\.([0-9a-f]{24})@/.exec(text.trim()) ?? []
  return team_id && id ? { team_id, id } : undefined
}

/** What comes back with everything that WhatsApp tells of an attempt to send a message. */
export function whatsappReference(
  ctx: Context,
  message: Pick<MessageRow, 'id' | 'tries' | 'due_at'>,
): string {
  return `m.${ctx.team_id}.${message.id}.${attemptOf(message)}`
}

export function readWhatsAppReference(
  text: unknown,
): { team_id: string; id: string; attempt: string } | undefined {
  const [, team_id, id, attempt] =
    /^m\.([0-9a-f]{24})\.([0-9a-f]{24})\.(\d+-\d+)$/.exec(typeof text === 'string' ? text : '') ?? []
  return team_id && id && attempt ? { team_id, id, attempt } : undefined
}

/** Tells the attempts to send a message apart: sent again, it is due again. */
export function attemptOf({ tries, due_at }: Pick<MessageRow, 'tries' | 'due_at'>): string {
  return `${Date.parse(due_at)}-${tries}`
}

/** Writes messages in the transaction of what causes them; a job that the caller adds sends them afterwards. */
export function writeMessages(
  ctx: Context,
  drafts: { emails?: readonly EmailDraft[]; sms?: readonly SmsDraft[]; whatsapp?: readonly WhatsAppDraft[] },
): void {
  const rows = [
    ...(drafts.emails ?? []).map(draft => emailRow(ctx, draft)),
    ...(drafts.sms ?? []).map(draft => textRow(ctx, draft, 'sms')),
    ...(drafts.whatsapp ?? []).map(draft => textRow(ctx, draft, 'whatsapp')),
  ]
  insertMessages(ctx, rows)
}

function emailRow(ctx: Context, draft: EmailDraft): MessageRow & Content {
  const { id, html, track } = draft
  const links: Link[] = []
  const tracked = track.clicks ? withTrackedLinks(ctx, draft, links) : html
  return {
    ...blank(ctx, draft.origin),
    id,
    channel: 'email',
    lead_id: draft.lead_id,
    address: draft.address,
    subject: draft.subject,
    text: draft.text,
    html: track.opens ? withPixel(tracked, address(ctx, 't/o', id, OPEN_LINK)) : tracked,
    links,
    message_id: messageIdOf(ctx, id),
    thread: draft.thread,
    ...(draft.due_at !== undefined && { due_at: draft.due_at }),
  }
}

function textRow(
  ctx: Context,
  { id, lead_id, address, text, origin, due_at }: SmsDraft,
  channel: 'sms' | 'whatsapp',
): MessageRow & Content {
  return {
    ...blank(ctx, origin),
    id,
    channel,
    lead_id,
    address,
    text,
    segments: channel === 'sms' ? segmentsOf(text) : null,
    ...(due_at !== undefined && { due_at }),
  }
}

/** Every link to elsewhere goes by us, so that we hear of it. The link to unsubscribe does anyway. */
function withTrackedLinks(ctx: Context, { id, html, meeting_url }: EmailDraft, links: Link[]): string {
  const { baseUrl } = ctx.runtime.settings
  const own = `${baseUrl}/u/`
  const meetings = [`${baseUrl}/book/`, ...(meeting_url === null ? [] : [meeting_url])]
  return html.replace(/(<a\b[^>]*?\shref=")(https?:\/\/[^"]*)(")/g, (whole, before, written, after) => {
    const url = unescaped(written)
    if (url.startsWith(own) || links.length >= LINKS_MAX) return whole
    links.push({ url, meeting: meetings.some(start => url.startsWith(start)) })
    return `${before}${address(ctx, 't/c', id, links.length - 1)}${after}`
  })
}

/** The same email without tracking, for views by team members. */
export function withoutPixel(html: string): string {
  return html.replace(/<img [^>]*data-read=""[^>]*>/g, '')
}

function withPixel(html: string, url: string): string {
  const pixel = `<img data-read="" src="${url}" width="1" height="1" alt="">`
  const end = html.lastIndexOf('</body>')
  return end < 0 ? html + pixel : html.slice(0, end) + pixel + html.slice(end)
}

function address(ctx: Context, path: string, message_id: string, link: number): string {
  const { settings } = ctx.runtime
  return `${settings.baseUrl}/${path}/${tokenFor(settings, { team_id: ctx.team_id, message_id, link })}`
}

function unescaped(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
}

function blank(ctx: Context, origin: Origin): MessageRow & Content {
  const at = ctx.now()
  return {
    team_id: ctx.team_id,
    id: '',
    channel: 'email',
    lead_id: '',
    address: '',
    subject: null,
    text: '',
    html: null,
    links: [],
    thread: [],
    status: 'DUE',
    reason: null,
    tries: 0,
    segments: null,
    message_id: null,
    provider_id: null,
    source_kind: origin.source_kind,
    source_id: origin.source_id,
    source_name: origin.source_name,
    enrolment_id: origin.enrolment_id ?? null,
    version: origin.version ?? null,
    step_index: origin.step_index ?? null,
    round: origin.round ?? null,
    due_at: at,
    created_at: at,
    accepted_at: null,
    sent_at: null,
    delivered_at: null,
    opened_at: null,
    machine_opened_at: null,
    clicked_at: null,
    replied_at: null,
    bounced_at: null,
    bounce: null,
    complained_at: null,
    unsubscribed_at: null,
    clicks: [],
  }
}
