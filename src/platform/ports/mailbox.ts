import type { Mail, Mailer } from './mail.ts'

/** Where reading stopped. A different `uid_validity` means that the mailbox renumbered its messages. */
export type MailboxPlace = { uid_validity: string; uid: number }

export type MailAddress = { address: string; name: string | null }

/** A part of a mail that is no text of it. `content_id`: by which its page shows it, without brackets. */
export type IncomingFile = { name: string; type: string; bytes: Uint8Array; content_id: string | null }

/** What came into the mailbox. */
export type IncomingMail = {
  from: string | null
  from_name: string | null
  to: readonly MailAddress[]
  cc: readonly MailAddress[]
  subject: string
  /** The beginning of what was written, without what it quotes. */
  text: string
  /** All of it, with what it quotes. */
  whole: string
  html: string | null
  files: readonly IncomingFile[]
  message_id: string | null
  /** Ids of the mails it answers: In-Reply-To first, then References from the newest back. */
  answers: readonly string[]
  at: string
  /** The same for the same mail in two mailboxes, and another for another mail with the same Message-ID. */
  fingerprint: string
  /** automatic: an out-of-office or other machine's answer. bounce: a report that a mail could not be delivered. */
  kind: 'reply' | 'automatic' | 'bounce'
  /** Of a bounce: the mail that came back, and whether it is worth another try. */
  bounce: {
    message_id: string | null
    recipient: string | null
    permanent: boolean
    reason: string
  } | null
}

/** `more`: there are others after that place already. */
export type MailboxReading = { mails: IncomingMail[]; place: MailboxPlace; more: boolean }

/** The mailbox of the installation. */
export type Mailbox = {
  kind: 'imap'
  /** The mails after that place, oldest first; without a place, none: what was there before is nobody's reply. */
  read(from: MailboxPlace | undefined, limit: number): Promise<MailboxReading>
  check(): Promise<void>
  close(): Promise<void>
}

export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** `none` is taken for hosts only that the operator allows. */
export type MailServer = { host: string; port: number; security: MailSecurity }

export type MailLogin = {
  address: string
  username: string
  /** A token is for XOAUTH2. */
  secret: { kind: 'password'; password: string } | { kind: 'token'; token: string }
  imap: MailServer
  smtp: MailServer
}

/** Mailboxes that people connect, at servers of their choice. */
export type MailboxServers = {
  /** Signs in to both servers, and finds where sent mails are kept. */
  find(login: MailLogin): Promise<{ sent_folder: string | null }>
  /** As of the installation's. Without a place: what came since then, or nothing where that is not given. */
  read(
    login: MailLogin,
    from: MailboxPlace | { since: string } | undefined,
    limit: number,
  ): Promise<MailboxReading>
  /** Tells of news as the server does, until it is closed or `ended`. It reads nothing. */
  watch(login: MailLogin, news: () => void): { ended: Promise<void>; close(): void }
  /** Puts a copy of what was sent into that folder; one that is there already stays alone. */
  fileSent(login: MailLogin, folder: string, sender: MailSender, mail: Mail): Promise<void>
  /** Kept open between mails; `version` changes with the login. */
  mailer(login: MailLogin, sender: MailSender, version: string): Mailer
  close(): Promise<void>
}

export type MailSender = { name: string; address: string }

/** The half of these that sends. */
export type MailAccounts = Pick<MailboxServers, 'mailer' | 'close'> & {
  /** Signs in, and sends nothing. */
  check(login: MailLogin): Promise<void>
  /** A mail as its sender keeps it. */
  compose(mail: Mail, sender: MailSender): Promise<Buffer>
}

/** Which of the two servers an error is about, if it is about one. */
type MailboxErrorOptions = ErrorOptions & { server?: 'imap' | 'smtp' }

/** The name, the password or the token is wrong: trying again would not help. */
export class MailboxRefused extends Error {
  readonly server: 'imap' | 'smtp' | undefined

  constructor(message: string, { server, ...options }: MailboxErrorOptions = {}) {
    super(message, options)
    this.server = server
  }
}

/** It does not answer: later, perhaps. */
export class MailboxUnavailable extends Error {
  readonly server: 'imap' | 'smtp' | undefined

  constructor(message: string, { server, ...options }: MailboxErrorOptions = {}) {
    super(message, options)
    this.server = server
  }
}

export type MailTokens = { access_token: string; expires_at: string; refresh_token: string | null }

/** Who lets us into a mailbox by OAuth. */
export type MailboxProvider = {
  name: 'google' | 'microsoft'
  imap: MailServer
  smtp: MailServer
  /** Where its owner allows it. */
  authorizeUrl(asked: {
    state: string
    code_challenge: string
    redirect_uri: string
    login_hint: string | null
  }): Promise<string>
  /** The mailbox that was allowed, and the tokens for it; `MailboxRefused` where it was not. */
  exchange(answer: {
    code: string
    code_verifier: string
    redirect_uri: string
  }): Promise<MailTokens & { address: string }>
  /** `MailboxRefused` where it was taken back. */
  refresh(refresh_token: string): Promise<MailTokens>
}
