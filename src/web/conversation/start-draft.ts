import { changeDraft, replyDraft, sentReply } from '../records/conversations/drafts.ts'

/** Under which the first message to a lead is kept while it is written. */
export function startDraftKey(lead_id: string): string {
  return `lead:${lead_id}`
}

/** They have written meanwhile, or somebody else has: what was typed becomes the answer. */
export function moveStartDraft(lead_id: string, conversation_id: string): void {
  const begun = startDraftKey(lead_id)
  const { reply, subject, tab, cc, bcc, files, mailbox_id } = replyDraft(begun)
  if (!reply.trim() && files.length + cc.length + bcc.length === 0) return
  const known = replyDraft(conversation_id)
  changeDraft(conversation_id, {
    reply: [reply, known.reply].filter(text => text.trim()).join('\n\n'),
    subject: known.subject || subject,
    tab,
    cc: [...known.cc, ...cc],
    bcc: [...known.bcc, ...bcc],
    files: [...known.files, ...files],
    mailbox_id: known.mailbox_id ?? mailbox_id,
  })
  changeDraft(begun, sentReply)
}
