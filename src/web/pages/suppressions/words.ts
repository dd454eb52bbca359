import type { Suppression } from '#domains/suppressions/contract.ts'
import type { SuppressionChannel, SuppressionReason } from '#domains/suppressions/values.ts'

export const channelWords: Record<SuppressionChannel, string> = { email: 'Email', phone: 'Phone' }

export const reasonWords: Record<SuppressionReason, { tone: string; label: string }> = {
  unsubscribed: { tone: 'amber', label: 'Unsubscribed' },
  complained: { tone: 'red', label: 'Marked as spam' },
  bounced: { tone: 'red', label: 'Bounced' },
  stop: { tone: 'amber', label: 'Replied STOP' },
  manual: { tone: 'slate', label: 'Added manually' },
  imported: { tone: 'slate', label: 'Imported' },
}

/** What to know before contacting someone again. */
export function liftWords({
  address,
  reason,
  note,
}: Pick<Suppression, 'address' | 'reason' | 'note'>): string {
  const noted = note ? ` Note: ${note}` : ''
  return `${why[reason].replace('{who}', address)}${noted}`
}

const why: Record<SuppressionReason, string> = {
  complained:
    '{who} marked one of your emails as spam. Contacting them again may be against the law, and each further complaint makes mail servers reject more of your emails. Only do this if they asked you to.',
  unsubscribed: '{who} unsubscribed. Contacting them again may be against the law unless they asked for it.',
  stop: '{who} replied STOP. Contacting them again may be against the law unless they asked for it. They can also send START.',
  bounced:
    'Emails to {who} bounced because the mailbox does not exist. Another bounce hurts your sender reputation.',
  manual: 'A team member added {who} to the list. Sequences will be able to contact it again.',
  imported: '{who} was imported from a file. Sequences will be able to contact it again.',
}
