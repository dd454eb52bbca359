import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { CHAT_ADDRESS } from '#domains/conversations/values.ts'
import { isFrom } from '#domains/forms/origin.ts'
import { bearerOf } from '#domains/identity/authenticate.ts'
import type { ChatWidget } from './contract.ts'
import { findSession, type SessionRow } from './session-store.ts'
import { placeOf } from './token.ts'
import { findWidget } from './widget-store.ts'

export type Headers = Record<string, string | undefined>

/** Somebody who chats, with the reach of the team they chat with. */
export type Visitor = { ctx: Context; widget: ChatWidget; session: SessionRow }

/** Who sends this token. A page of a site that may not show the widget has no use for it. */
export async function visitorOf(ctx: Context, headers: Headers): Promise<Visitor> {
  const token = bearerOf(headers.authorization)
  const place = token === undefined ? undefined : placeOf(ctx.runtime, token)
  if (!place) throw refused()
  if (place === 'ended') throw endedChat()
  const own = ctx.forTeam(place.team_id)
  const [session, widget] = await Promise.all([
    findSession(own, place.session_id),
    findWidget(own, place.widget_id),
  ])
  if (!session || !widget) throw endedChat()
  if (headers.origin !== undefined) refuseOtherSites(ctx, widget, headers)
  return { ctx: actingFor(own, widget), widget, session }
}

/** The pages that may show it, and our own. A program that says nothing of a page is none of them. */
export function refuseOtherSites(ctx: Context, { allowed_domains }: ChatWidget, headers: Headers): void {
  if (isFrom(ctx.runtime.settings, allowed_domains, headers)) return
  throw new Problem('forbidden', 'This site is not allowed to show this chat.', {
    code: 'origin_not_allowed',
  })
}

/** What visitors do is done by their chat: who they are is not known. */
export function actingFor(ctx: Context, { name }: ChatWidget): Context {
  return ctx.as({ kind: 'system', id: null, name: `Chat: ${name}` })
}

export function addressOf({ id }: Pick<SessionRow, 'id'>): string {
  return CHAT_ADDRESS + id
}

/** As conversations know them. */
export function speakerOf(session: SessionRow) {
  return { address: addressOf(session), lead_id: session.lead_id, name: session.name }
}

function refused(): Problem {
  return new Problem('unauthenticated', 'Send the token of a chat session.', {
    code: 'invalid_token',
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** Its time is over, or its widget is gone. */
export function endedChat(): Problem {
  return new Problem('unauthenticated', 'This chat has ended. Start a new one.', {
    code: 'chat_ended',
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
}
