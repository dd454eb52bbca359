import { Answer, page, redirect } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import { findHeard, findLink } from './engagement-store.ts'
import { isMachineVisit, isTooSoon, type Visit } from './machine.ts'
import { noteClicked, noteOpened } from './outcomes.ts'
import { absentLinkPage } from './pages.ts'
import { LINKS_MAX, OPEN_LINK, readToken } from './tokens.ts'

type Asked = Visit & { params: { token: string } }

/** Every request gets the same pixel, so no one learns what exists. */
export async function trackOpen(ctx: Context, asked: Asked): Promise<Answer> {
  const tracked = readToken(ctx.runtime.settings, asked.params.token)
  if (tracked?.link === OPEN_LINK) {
    const own = ctx.forTeam(tracked.team_id)
    await evenIfItFails(own, () => openedBy(own, tracked.message_id, asked))
  }
  return new Answer(200, { 'content-type': 'image/gif', 'cache-control': 'no-store, private' }, PIXEL)
}

/** Leads to where the author of the mail wanted, and nowhere else: the address comes from the mail, never from the link. */
export async function trackClick(ctx: Context, asked: Asked): Promise<Answer> {
  const tracked = readToken(ctx.runtime.settings, asked.params.token)
  if (!tracked || tracked.link >= LINKS_MAX) return nothingHere()
  const own = ctx.forTeam(tracked.team_id)
  const message = await findLink(own, tracked.message_id, tracked.link)
  if (!message || !URL.canParse(message.followed.url)) return nothingHere()
  const { link } = tracked
  const machine = isMachineVisit(asked) || isTooSoon(message, own.now())
  await evenIfItFails(own, () => noteClicked(own, message, { link, machine }))
  // As a browser would write it: what else an author may have put between the quotes cannot become a header.
  return redirect(new URL(message.followed.url).href)
}

/** Looked at first: the second look of somebody changes nothing, and waits for nobody. */
async function openedBy(ctx: Context, id: string, visit: Visit): Promise<void> {
  const message = await findHeard(ctx, id)
  if (!message) return
  const machine = isMachineVisit(visit) || isTooSoon(message, ctx.now())
  const isKnown = machine ? message.machine_opened_at : message.opened_at
  if (!isKnown || message.status === 'UNKNOWN') await noteOpened(ctx, message, { machine })
}

/** A reader sees the picture and gets to the page, whatever becomes of our notes. */
async function evenIfItFails(ctx: Context, note: () => Promise<unknown>): Promise<void> {
  try {
    await note()
  } catch (error) {
    if (!isConnectionLoss(error)) ctx.log.error({ err: error }, 'recording a tracking event failed')
  }
}

function nothingHere(): Answer {
  return page(absentLinkPage(), 404)
}

/** One transparent point. */
const PIXEL = Buffer.from('R0lGODlhAQABAPAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
