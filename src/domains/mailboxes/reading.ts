import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { enqueue, fence, type Job } from '#platform/jobs/queue.ts'
import { MailboxRefused, MailboxUnavailable, type MailboxPlace } from '#platform/ports/mailbox.ts'
import { isMember } from '#domains/identity/members.ts'
import { takeMail, type MailCounts } from '#domains/messages/incoming-mail.ts'
import { noteFailing, noteWell } from './health.ts'
import { loginOf } from './login.ts'
import { beginReading, findReading, moveReading, type Reading } from './reading-store.ts'
import * as store from './store.ts'
import type { MailboxRow } from './store.ts'
import { deleteWatch } from './watch-store.ts'

export const READ_JOB = 'mailboxes.read'
/** The watch tells of news at once; this finds what it has missed. */
export const READ_EVERY_MS = 2 * 60_000
/** A password that was refused is refused again, and some servers lock out who keeps trying. */
export const REFUSED_EVERY_MS = 15 * 60_000
const MAILS_AT_ONCE = 50
/** So many readings in a row, before others have their turn. */
const READS_MAX = 4
const DAY_MS = 86_400_000

/** The regular reading, and the wait for the next one. A wait that is no longer the mailbox's own ends here. */
export async function readDue(ctx: Context, job: Job): Promise<void> {
  const { mailbox_id: id } = job.data as { mailbox_id: string }
  const row = await store.findMailbox(ctx, id)
  if (row?.wait_id !== job.id) return
  if (row.owner_id && !(await isMember(ctx, row.owner_id))) return leave(ctx, row)
  const came = await readNow(ctx, row)
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    const held = await store.lockMailbox(ctx, id)
    if (!held) return
    // What came of it counts for the login that it was read with.
    if (held.updated_at === row.updated_at) {
      if (came instanceof Error) await noteFailing(ctx, held, came)
      else noteWell(ctx, held)
    }
    if (held.wait_id === job.id) waitForNext(ctx, id, waitAfter(came))
  })
}

/** Its attempts are used up because of our own error, not the server's: reading continues anyway. */
export async function readLater(ctx: Context, job: Job): Promise<void> {
  const { mailbox_id: id } = job.data as { mailbox_id: string }
  const row = await store.lockMailbox(ctx, id)
  if (row?.wait_id === job.id) waitForNext(ctx, id, REFUSED_EVERY_MS)
}

/** The wait before it ends of itself, wherever it is. */
export function waitForNext(ctx: Context, id: string, waitMs: number): void {
  const wait_id = enqueue(ctx, { kind: READ_JOB, data: { mailbox_id: id }, run_at: ctx.in(waitMs) })
  store.updateMailbox(ctx, id, { wait_id })
}

type Came = { more: boolean } | MailboxRefused | MailboxUnavailable

function waitAfter(came: Came): number {
  if (came instanceof MailboxRefused) return REFUSED_EVERY_MS
  return came instanceof Error || !came.more ? READ_EVERY_MS : 0
}

/** Somebody who has left the team takes their mailbox along. */
async function leave(ctx: Context, { id }: MailboxRow): Promise<void> {
  await ctx.transaction(async ctx => {
    deleteWatch(ctx, id)
    await store.deleteMailbox(ctx, id)
  })
}

async function readNow(ctx: Context, row: MailboxRow): Promise<Came> {
  try {
    for (let reads = 0; reads < READS_MAX; reads++) if (!(await readSome(ctx, row))) return { more: false }
    return { more: true }
  } catch (error) {
    if (error instanceof MailboxRefused || error instanceof MailboxUnavailable) return error
    throw error
  }
}

/**
 * Whether there is more. Each email is taken in a transaction of its own, and the place moves behind them all: one that is read
 * again, after a crash or by two processes at once, is recognized and taken once.
 */
async function readSome(ctx: Context, row: MailboxRow): Promise<boolean> {
  const login = await loginOf(ctx, row)
  const known = await findReading(ctx, row.id)
  const since = known?.since ?? wholeSecond(row.created_at)
  // Also without an import, what came since it was connected: its first reading may be later.
  const from = known ? placeOf(known) : { since: daysBefore(since, row.import_days) }
  const { mails, place, more } = await ctx.runtime.ports.mailboxServers.read(login, from, MAILS_AT_ONCE)
  const counts: Partial<MailCounts> = {}
  for (const mail of mails) {
    const came = await takeMail(ctx, mail, {
      id: row.id,
      address: row.address,
      private_to: row.visibility === 'owner' ? row.owner_id : null,
      owner_id: row.owner_id,
      creates_leads: row.creates_leads,
      is_history: mail.at < since,
    })
    counts[came] = (counts[came] ?? 0) + 1
  }
  if (mails.length > 0) ctx.log.info({ mailbox: row.id, ...counts }, 'a mailbox was read')
  const isAhead = known
    ? await moveReading(ctx, row.id, known, place)
    : await beginReading(ctx, row.id, { ...place, since })
  return more && isAhead
}

function placeOf({ uid_validity, uid }: Reading): MailboxPlace {
  return { uid_validity, uid }
}

/** Servers say to the second when an email came. */
function wholeSecond(at: string): string {
  return isoAt(Math.floor(Date.parse(at) / 1_000) * 1_000)
}

function daysBefore(at: string, days: number): string {
  return new Date(Date.parse(at) - days * DAY_MS).toISOString()
}
