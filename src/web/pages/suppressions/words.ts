import type { Suppression } from '#domains/suppressions/contract.ts'
import type { SuppressionChannel, SuppressionReason } from '#domains/suppressions/values.ts'

export const channelWords: Record<SuppressionChannel, string> = { email: 'Mail', phone: 'Text messages' }

export const reasonWords: Record<SuppressionReason, { tone: string; label: string }> = {
  unsubscribed: { tone: 'amber', label: 'Unsubscribed' },
  complained: { tone: 'red', label: 'Marked as spam' },
  bounced: { tone: 'red', label: 'Bounced' },
  stop: { tone: 'amber', label: 'Answered STOP' },
  manual: { tone: 'slate', label: 'Added by hand' },
  imported: { tone: 'slate', label: 'Imported' },
}

/** What one should know before writing to somebody again. What they said themselves weighs more than what a machine found. */
export function liftWords({
  address,
  reason,
  note,
}: Pick<Suppression, 'address' | 'reason' | 'note'>): string {
  const noted = note ? ` The note says: ${note}` : ''
  return `${why[reason].replace('{who}', address)}${noted}`
}

const why: Record<SuppressionReason, string> = {
  complained:
    '{who} marked one of your mails as spam. Writing to them again can be against the law, and every further complaint makes mail servers refuse more of your mails to others. Do this only if they asked you to.',
  unsubscribed:
    '{who} unsubscribed themselves. Writing to them again can be against the law unless they asked for it.',
  stop: '{who} answered STOP. Writing to them again can be against the law unless they asked for it. They can also send START.',
  bounced:
    'Mails to {who} came back because there is no such mailbox. If it bounces again, mail servers trust you less.',
  manual: 'Somebody of your team put {who} on the list. Sequences can write to it again.',
  imported: '{who} came from a file. Sequences can write to it again.',
}
