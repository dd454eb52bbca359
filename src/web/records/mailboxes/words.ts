import type { Mailbox } from '#domains/mailboxes/contract.ts'
import type { MailboxKind, MailboxState } from '#domains/mailboxes/values.ts'

export const mailboxKindNames: Record<MailboxKind, string> = {
  imap: 'IMAP',
  google: 'Google',
  microsoft: 'Microsoft',
}

export const mailboxHealthWords: Record<MailboxState, { tone: string; label: string }> = {
  NEW: { tone: 'slate', label: 'New' },
  OK: { tone: 'green', label: 'Working' },
  FAILING: { tone: 'red', label: 'Not working' },
}

/** The default and one's own come first, then by address. */
export function inMailboxOrder(mailboxes: readonly Mailbox[], userId: string): Mailbox[] {
  const rank = ({ is_default, owner_id }: Mailbox) => (is_default || owner_id === userId ? 0 : 1)
  return mailboxes.toSorted((a, b) => rank(a) - rank(b) || a.address.localeCompare(b.address))
}
