import type { Context } from '#platform/context.ts'
import { takeMail, type MailCounts } from './incoming-mail.ts'
import { beginPlace, findPlace, movePlace, takePlace } from './place-store.ts'

const MAILS_AT_ONCE = 100
/** A mailbox that was left alone for long is read over several runs. */
const READS_MAX = 20

/**
 * Reads new emails in the mailbox of the installation. The position moves once everything before it is recorded; an email read
 * again after a crash is recognized by its ID and reported once.
 */
export async function readReplies(ctx: Context): Promise<MailCounts> {
  const counts = { replies: 0, automatic: 0, bounces: 0, received: 0, unmatched: 0, skipped: 0 }
  for (let reads = 0; reads < READS_MAX; reads++) if (!(await readSome(ctx, counts))) break
  return counts
}

/** Whether there may be more. */
async function readSome(ctx: Context, counts: MailCounts): Promise<boolean> {
  const port = ctx.runtime.ports.mailbox
  if (!port) return false
  const from = await findPlace(ctx)
  const { mails, place, more } = await port.read(from, MAILS_AT_ONCE)
  if (!from) {
    await beginPlace(ctx, place)
    return false
  }
  return ctx.transaction(async ctx => {
    // Another process was faster: what it has read is its to note.
    if (!(await takePlace(ctx, from))) return false
    for (const mail of mails) counts[await takeMail(ctx, mail)]++
    movePlace(ctx, place)
    return more
  })
}
