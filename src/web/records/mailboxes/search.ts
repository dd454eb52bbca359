/** What the address says: which mailbox is shown, or what came of connecting one at Google or Microsoft. */
export type MailboxesSearch = {
  /** The mailbox whose details are shown. */
  id?: string
  /** The mailbox that was connected. */
  connected?: string
  /** Why none was, in a word. */
  failed?: string
}

export function mailboxesSearch({ id, connected, failed }: Record<string, unknown>): MailboxesSearch {
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof connected === 'string' && { connected }),
    ...(typeof failed === 'string' && { failed }),
  }
}
