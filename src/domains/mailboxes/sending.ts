import type { Context } from '#platform/context.ts'
import type { Mail, Mailer } from '#platform/ports/mail.ts'
import { MailboxRefused, MailboxUnavailable, type MailSender } from '#platform/ports/mailbox.ts'
import { noteFailing } from './health.ts'
import { loginOf, versionOfLogin } from './login.ts'
import * as store from './store.ts'
import type { MailboxRow } from './store.ts'

export { findMailbox, type MailboxRow } from './store.ts'

/**
 * From which mailbox a person writes: the one they chose, the one that the conversation is in, their own, or that of the team.
 * Undefined: the installation's.
 */
export async function mailboxFor(
  ctx: Context,
  { wanted, current }: { wanted: string | null | undefined; current: string | null },
): Promise<MailboxRow | undefined | 'refused'> {
  if (wanted === null) return undefined
  const user_id = ctx.principal?.user_id ?? null
  const isOpenTo = (row: MailboxRow) => row.owner_id === null || row.owner_id === user_id
  if (wanted !== undefined) {
    const row = await store.findMailbox(ctx, wanted)
    return row && isOpenTo(row) ? row : 'refused'
  }
  const before = current === null ? undefined : await store.findMailbox(ctx, current)
  if (before && isOpenTo(before)) return before
  const own = user_id === null ? undefined : await store.findOfOwner(ctx, user_id)
  return own ?? store.findDefault(ctx)
}

/** Who writes: the name of the mailbox, else the person's. */
export function senderOf({ name, address }: MailboxRow, person: string | null): MailSender {
  return { name: name ?? person ?? '', address }
}

/** Sends from this mailbox. A login that is refused, or a server that is away, shows in its health. */
export async function mailerOf(ctx: Context, row: MailboxRow, sender: MailSender): Promise<Mailer> {
  const mailer = ctx.runtime.ports.mailboxServers.mailer(await loginOf(ctx, row), sender, versionOfLogin(row))
  return {
    ...mailer,
    async send(mail, handover) {
      try {
        return await mailer.send(mail, handover)
      } catch (error) {
        if (error instanceof MailboxRefused || error instanceof MailboxUnavailable)
          await noteTrouble(ctx, row, error)
        throw error
      }
    },
  }
}

/** A copy of what was sent, as a mail program would have kept it. Their own servers do that for Google and Microsoft. */
export function keepsSent({ kind, sent_folder }: MailboxRow): boolean {
  return kind === 'imap' && sent_folder !== null
}

export async function fileSent(ctx: Context, row: MailboxRow, sender: MailSender, mail: Mail): Promise<void> {
  await ctx.runtime.ports.mailboxServers.fileSent(await loginOf(ctx, row), row.sent_folder!, sender, mail)
}

/** Of these addresses, the team's own, in lower case. */
export async function ownAmong(ctx: Context, addresses: readonly string[]): Promise<Set<string>> {
  return store.findAddresses(ctx, addresses)
}

/** What comes from one of the team's own addresses is not from a lead. */
export async function isOwnAddress(ctx: Context, address: string): Promise<boolean> {
  return (await store.findByAddress(ctx, address)) !== undefined
}

async function noteTrouble(
  ctx: Context,
  { id }: MailboxRow,
  error: MailboxRefused | MailboxUnavailable,
): Promise<void> {
  await ctx.transaction(async ctx => {
    const row = await store.lockMailbox(ctx, id)
    if (row) await noteFailing(ctx, row, error)
  })
}
