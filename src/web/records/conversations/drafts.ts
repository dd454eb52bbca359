import type { ConversationChannel } from '#domains/conversations/values.ts'
import { createStore } from '../../ui/store.ts'
import type { Attachment } from '../files/uploads.ts'
import { DRAFTS_KEY } from './draft-key.ts'
import { withRecipients, type Recipient } from './recipients.ts'

/** What was typed and not sent yet. */
export type ReplyDraft = {
  reply: string
  note: string
  /** Of the first email; later ones answer it. */
  subject: string
  tab?: ConversationChannel | 'note'
  /** The last message when typing began: later ones are pointed out. */
  seen?: string
  cc: readonly Recipient[]
  bcc: readonly Recipient[]
  files: readonly Attachment[]
  /** From which mailbox, null for that of the installation. Absent: the usual one. */
  mailbox_id?: string | null | undefined
  forward?: ForwardDraft | undefined
}

/** What was typed to pass an email on. */
export type ForwardDraft = {
  /** The email that is passed on. */
  message_id: string
  /** One address, or what was typed instead of one. */
  to: readonly Recipient[]
  cc: readonly Recipient[]
  bcc: readonly Recipient[]
  text: string
  mailbox_id?: string | null | undefined
}

const KEPT_MAX = 50
const blank: ReplyDraft = { reply: '', note: '', subject: '', cc: [], bcc: [], files: [] }
/** What a reply leaves behind once it is sent. */
export const sentReply: Partial<ReplyDraft> = {
  reply: '',
  subject: '',
  cc: [],
  bcc: [],
  files: [],
  mailbox_id: undefined,
}

/** By conversation. It survives a reload, and a refusal of the server. */
const drafts = createStore<Record<string, ReplyDraft>>(load())

export function useReplyDraft(id: string): ReplyDraft {
  return drafts.use(now => now[id]) ?? blank
}

/** Whether something was typed. */
export function useHasDraft(id: string): boolean {
  return drafts.use(now => isTyped(now[id] ?? blank))
}

export function replyDraft(id: string): ReplyDraft {
  return drafts.get()[id] ?? blank
}

export function changeDraft(id: string, change: Partial<ReplyDraft>): void {
  const { [id]: known = blank, ...others } = drafts.get()
  const draft = { ...known, ...change }
  // One that only knows its tab lasts as long as the page.
  drafts.set({ ...others, [id]: draft })
  store()
}

type TakenBack = Pick<ReplyDraft, 'cc' | 'bcc' | 'files'> & {
  text: string
  subject: string | null
  channel: ConversationChannel
  mailbox_id: string | null
}

/** Puts a message back that was sent and taken back, before what was typed since. */
export function putBack(id: string, what: TakenBack): void {
  const { reply, subject, cc, bcc, files } = replyDraft(id)
  const known = new Set(what.files.map(({ id }) => id))
  changeDraft(id, {
    reply: reply.trim() ? `${what.text}\n\n${reply}` : what.text,
    subject: what.subject ?? subject,
    tab: what.channel,
    cc: withRecipients(what.cc, cc),
    bcc: withRecipients(what.bcc, bcc),
    files: [...what.files, ...files.filter(({ id }) => !known.has(id))],
    ...(what.channel === 'email' && { mailbox_id: what.mailbox_id }),
  })
}

/** What is in the draft still, after something that took a while. */
export function changeDraftFiles(
  id: string,
  change: (files: readonly Attachment[]) => readonly Attachment[],
): void {
  changeDraft(id, { files: change(replyDraft(id).files) })
}

function isTyped({ reply, note, files, cc, bcc, forward }: ReplyDraft): boolean {
  const hasText = [reply, note, forward?.text ?? ''].some(text => text.trim() !== '')
  return hasText || files.length + cc.length + bcc.length + (forward?.to.length ?? 0) > 0
}

function load(): Record<string, ReplyDraft> {
  try {
    const stored: Record<string, Partial<ReplyDraft>> = JSON.parse(sessionStorage.getItem(DRAFTS_KEY) ?? '{}')
    return Object.fromEntries(Object.entries(stored).map(([id, draft]) => [id, loaded(draft)]))
  } catch {
    return {}
  }
}

/** An upload does not outlast its page. */
function loaded(draft: Partial<ReplyDraft>): ReplyDraft {
  const whole = { ...blank, ...draft }
  return { ...whole, files: whole.files.filter(({ id }) => id !== null) }
}

function store(): void {
  try {
    const typed = Object.entries(drafts.get()).filter(([, draft]) => isTyped(draft))
    sessionStorage.setItem(DRAFTS_KEY, JSON.stringify(Object.fromEntries(typed.slice(-KEPT_MAX))))
  } catch {
    // Without storage, it lasts as long as the page.
  }
}
