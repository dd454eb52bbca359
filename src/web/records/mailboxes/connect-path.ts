import { stringifySearch } from '../../search-text.ts'

/** Leads to Google or Microsoft, where the owner of a mailbox allows access, and back to the mailboxes. */
export function connectMailboxPath(
  provider: 'google' | 'microsoft',
  query: Record<string, string | number | boolean>,
): string {
  return `/api/mailboxes/providers/${provider}/connect${stringifySearch(query)}`
}
