import { randomUUID } from 'node:crypto'
import type { Context } from '#platform/context.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { addressOf as pageAddressOf, tidyUtm } from '#domains/forms/touch.ts'
import { becomeLead, readGiven, selfOf, type Answers } from './answers.ts'
import type { ChatWidget, ShownWidget } from './contract.ts'
import { countSession } from './limits.ts'
import { insertSession, lockSession, updateSession, type SessionRow } from './session-store.ts'
import { sayAs } from './talking.ts'
import { tokenOf } from './token.ts'
import { CHAT_TEXT_LENGTH_MAX } from './values.ts'
import { actingFor, endedChat, refuseOtherSites, type Headers, type Visitor } from './visitors.ts'
import { findOpenly } from './widgets.ts'
import { languageOf } from './words.ts'

export { shownWidget } from './showing.ts'

/** What a page knows of its visitor when they begin. */
export type Beginning = {
  page?: string
  referrer?: string
  utm?: Record<string, string>
  language?: string
  timezone?: string
  answers?: Answers
}

/** For a page of ours, or of a site that may show the widget. */
export async function beginChat(ctx: Context, id: string, beginning: Beginning, headers: Headers) {
  const { ctx: own, widget } = await openWidget(ctx, id)
  refuseOtherSites(ctx, widget, headers)
  await countSession(ctx)
  const { id: session_id } = await begin(own, widget, beginning)
  return tokenOf(ctx.runtime, { team_id: own.team_id, session_id, widget_id: widget.id })
}

/** Leaves a name or an address, or answers what was asked. */
export async function changeSession({ ctx, widget, session }: Visitor, given: Answers): Promise<SessionRow> {
  return ctx.transaction(async ctx => {
    const before = await held(ctx, session.id)
    const answers = readGiven(widget, given, before.answers, false)
    const fields = { answers, ...selfOf(widget, answers) }
    updateSession(ctx, session.id, fields)
    return becomeLead(ctx, widget, { ...before, ...fields })
  })
}

/**
 * The way without JavaScript: begins a session, keeps the answers, and says the text. `invalid` with paths `answers.<key>` and
 * `text`; `too_many_requests` where one network begins too many; `conflict` where the widget is off.
 */
export async function leaveMessageAsVisitor(
  ctx: Context,
  { id }: Pick<ShownWidget, 'id'>,
  answers: Answers,
  text: string,
): Promise<void> {
  const { ctx: own, widget } = await openWidget(ctx, id)
  const said = text.replaceAll('\0', '').trim()
  if (said === '') throw invalid([{ path: 'text', message: 'is missing' }])
  if (said.length > CHAT_TEXT_LENGTH_MAX)
    throw invalid([{ path: 'text', message: `must have at most ${CHAT_TEXT_LENGTH_MAX} characters` }])
  readGiven(widget, answers, {}, true)
  await countSession(ctx)
  await own.transaction(async ctx => {
    const session = await begin(ctx, widget, { answers })
    await sayAs({ ctx, widget, session }, { key: randomUUID(), text: said })
  })
}

async function openWidget(ctx: Context, id: string): Promise<{ ctx: Context; widget: ChatWidget }> {
  const found = await findOpenly(ctx, id)
  if (!found) throw new Problem('not_found', 'No such chat widget.')
  if (!found.widget.is_on) throw new Problem('conflict', 'This chat is turned off.', { code: 'chat_off' })
  return { ctx: actingFor(found.ctx, found.widget), widget: found.widget }
}

async function begin(ctx: Context, widget: ChatWidget, beginning: Beginning): Promise<SessionRow> {
  const { page, referrer, utm = {}, language, timezone, answers: given } = beginning
  const answers = given ? readGiven(widget, given, {}, true) : {}
  const first_page = pageAddressOf(page)
  const session: SessionRow = {
    id: ctx.newId(),
    widget_id: widget.id,
    lead_id: null,
    ...selfOf(widget, answers),
    answers: { ...answers },
    first_page,
    page: first_page,
    referrer: pageAddressOf(referrer),
    utm: tidyUtm(Object.entries(utm).map(([name, value]) => [name.replace(/^utm_/, ''), value])),
    language: languageOf(language),
    timezone: zoneOf(timezone),
    begun_at: null,
    asked_for_person_at: null,
    here_at: null,
    emailed_until: null,
    created_at: ctx.now(),
  }
  return ctx.transaction(async ctx => {
    insertSession(ctx, session)
    return given ? becomeLead(ctx, widget, session) : session
  })
}

/** Strangers say it: what is known of zones is not remembered for them. */
function zoneOf(zone: string | undefined): string | null {
  try {
    return zone ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone : null
  } catch {
    return null
  }
}

async function held(ctx: Context, id: string): Promise<SessionRow> {
  const session = await lockSession(ctx, id)
  if (!session) throw endedChat()
  return session
}
