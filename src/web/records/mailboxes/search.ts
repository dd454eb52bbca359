/** What the address says after Google or Microsoft has sent the person back. */
export type MailboxesSearch = {
  /** The mailbox that was connected. */
  connected?: string
  /** Why none was, in a word. */
  failed?: string
}

export function mailboxesSearch({ connected, failed }: Record<string, unknown>): MailboxesSearch {
  return {
    ...(typeof connected === 'string' && { connected }),
    ...(typeof failed === 'string' && { failed }),
  }
}
