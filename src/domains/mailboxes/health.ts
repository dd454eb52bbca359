import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { MailboxRefused } from '#platform/ports/mailbox.ts'
import { listAdmins } from '#domains/identity/members.ts'
import { notify } from '#domains/notifications/service.ts'
import { mailboxEvents } from './contract.ts'
import * as store from './store.ts'
import type { MailboxRow } from './store.ts'
import { NOTE_LENGTH_MAX } from './values.ts'

/** A server that is away for less bothers nobody. */
export const TELL_AFTER_MS = 30 * 60_000
/** Inside the app. */
export const MAILBOXES_PATH = '/settings/mailboxes'

export const WELL = { state: 'OK', note: null, failing_since: null, told: false } as const

/** Both servers, or the one that was asked, did what they should. The row is held. */
export function noteWell(ctx: Context, row: MailboxRow): void {
  store.updateMailbox(ctx, row.id, { ...WELL, checked_at: ctx.now() })
  if (row.state === 'NEW') {
    const [before, after] = [{ state: 'NEW' }, { state: 'OK' }]
    record(ctx, mailboxEvents.changed, aboutMailbox(row), { before, after })
  }
  if (row.state === 'FAILING')
    record(ctx, mailboxEvents.recovered, aboutMailbox(row), { address: row.address })
}

/**
 * Its owner, or the admins of a shared one, are notified in the app, once: immediately of what only a person can fix, and
 * after a while of a server that does not answer. The row is held.
 */
export async function noteFailing(ctx: Context, row: MailboxRow, error: Error): Promise<void> {
  const { id, address, state, told, owner_id } = row
  const now = ctx.now()
  const failing_since = row.failing_since ?? now
  const isLong = Date.parse(now) - Date.parse(failing_since) >= TELL_AFTER_MS
  const tells = !told && (error instanceof MailboxRefused || isLong)
  const note = error.message.replaceAll('\0', '').slice(0, NOTE_LENGTH_MAX).toWellFormed()
  store.updateMailbox(ctx, id, { state: 'FAILING', note, failing_since, ...(tells && { told: true }) })
  if (state !== 'FAILING') record(ctx, mailboxEvents.failing, aboutMailbox(row), { address, note })
  if (!tells) return
  await notify(ctx, {
    user_ids: owner_id ? [owner_id] : (await listAdmins(ctx)).map(({ id }) => id),
    title: `${address} does not work`,
    text: `${note} Until this is fixed, its emails do not arrive here.`,
    link: MAILBOXES_PATH,
    source: { kind: 'mailbox', id, name: address },
  })
}

export function aboutMailbox({ id }: Pick<MailboxRow, 'id'>) {
  return { kind: 'mailbox', id }
}
