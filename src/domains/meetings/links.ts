import type { Context } from '#platform/context.ts'
import { feedToken, guestToken, meetingToken } from './tokens.ts'

export function bookingUrl(ctx: Context, slug: string): string {
  return `${ctx.runtime.settings.baseUrl}/book/${slug}`
}

/** A booking page that knows who comes. */
export function bookingLinkFor(ctx: Context, slug: string, lead_id: string): string {
  const token = guestToken(ctx.runtime.settings, { team_id: ctx.team_id, lead_id })
  return `${bookingUrl(ctx, slug)}?for=${token}`
}

/** The lead's personal link in place of this URL, if it is one of our booking pages. */
export function meetingLinkFor(ctx: Context, url: string, lead_id: string): string {
  const start = bookingUrl(ctx, '')
  const slug = url.startsWith(start) ? url.slice(start.length) : ''
  return /^[a-z0-9-]+$/.test(slug) ? bookingLinkFor(ctx, slug, lead_id) : url
}

/** Where the guest moves or cancels it. */
export function manageUrl(ctx: Context, meeting_id: string): string {
  const token = meetingToken(ctx.runtime.settings, { team_id: ctx.team_id, meeting_id })
  return `${ctx.runtime.settings.baseUrl}/m/${token}`
}

export function feedUrl(ctx: Context, user_id: string, version: number): string {
  const token = feedToken(ctx.runtime.settings, { team_id: ctx.team_id, user_id, version })
  return `${ctx.runtime.settings.baseUrl}/calendar/${token}`
}

/** Inside the app. */
export function meetingPath(meeting_id: string): string {
  return `/meetings?meeting=${meeting_id}`
}
