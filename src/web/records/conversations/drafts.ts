import type { ConversationChannel } from '#domains/conversations/values.ts'
import { createStore } from '../../ui/store.ts'
import { DRAFTS_KEY } from './draft-key.ts'

/** What was typed and not sent yet. */
export type ReplyDraft = {
  reply: string
  note: string
  /** Of the first email; later ones answer it. */
  subject: string
  tab?: ConversationChannel | 'note'
  /** The last message when typing began: later ones are pointed out. */
  seen?: string
}

const KEPT_MAX = 50
const blank: ReplyDraft = { reply: '', note: '', subject: '' }

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

/** Puts a text back that was sent and taken back, before what was typed since. */
export function putBack(
  id: string,
  what: { text: string; subject: string | null; channel: ConversationChannel },
): void {
  const { reply, subject } = replyDraft(id)
  changeDraft(id, {
    reply: reply.trim() ? `${what.text}\n\n${reply}` : what.text,
    subject: what.subject ?? subject,
    tab: what.channel,
  })
}

function isTyped({ reply, note }: ReplyDraft): boolean {
  return reply.trim() !== '' || note.trim() !== ''
}

function load(): Record<string, ReplyDraft> {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFTS_KEY) ?? '{}')
  } catch {
    return {}
  }
}

function store(): void {
  try {
    const typed = Object.entries(drafts.get()).filter(([, draft]) => isTyped(draft))
    sessionStorage.setItem(DRAFTS_KEY, JSON.stringify(Object.fromEntries(typed.slice(-KEPT_MAX))))
  } catch {
    // Without storage, it lasts as long as the page.
  }
}
