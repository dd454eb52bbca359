import { createHash } from 'node:crypto'
import { Answer } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import type { Handlers } from '#platform/contract.ts'
import { Problem } from '#platform/problem.ts'
import { findMember, isMember } from '#domains/identity/members.ts'
import { find as findAvailability } from './availability-store.ts'
import { feedIcs, invitationIcs } from './ics.ts'
import { manageUrl, meetingPath } from './links.ts'
import type { publicEndpoints } from './public-contract.ts'
import * as store from './store.ts'
import { readFeedToken, readMeetingToken } from './tokens.ts'

const DAY_MS = 86_400_000
/** How long a cancelled meeting stays in the feed, and how far back the feed goes. */
const CANCELLED_TOLD_MS = 30 * DAY_MS
const PAST_TOLD_MS = 90 * DAY_MS
export const FEED_MEETINGS_MAX = 1_000

type Feeds = Pick<Handlers<typeof publicEndpoints>, 'readFeed' | 'readMeetingIcs'>

export const feedApi: Feeds = {
  readFeed: (ctx, { params, headers }) => feed(ctx, params.token, headers['if-none-match']),
  readMeetingIcs: (ctx, { params }) => meetingFile(ctx, params.token),
}

async function feed(anybody: Context, token: string, known: string | undefined): Promise<Answer> {
  const asked = readFeedToken(anybody.runtime.settings, token)
  if (!asked) throw gone()
  const ctx = anybody.forTeam(asked.team_id)
  const availability = await findAvailability(ctx, asked.user_id)
  if ((availability?.feed_version ?? 1) !== asked.version || !(await isMember(ctx, asked.user_id)))
    throw gone()
  const since = { held: ctx.in(-PAST_TOLD_MS), cancelled: ctx.in(-CANCELLED_TOLD_MS) }
  const rows = await store.listForFeed(ctx, asked.user_id, since, FEED_MEETINGS_MAX)
  const { baseUrl } = ctx.runtime.settings
  const ics = feedIcs(rows.map(row => ({ ...row, url: `${baseUrl}${meetingPath(row.id)}` })))
  return file(ics, 'meetings', known)
}

/** For the guest, who has no other way to it where mails do not reach its calendar. */
async function meetingFile(anybody: Context, token: string): Promise<Answer> {
  const asked = readMeetingToken(anybody.runtime.settings, token)
  if (!asked) throw gone()
  const ctx = anybody.forTeam(asked.team_id)
  const meeting = await store.find(ctx, asked.meeting_id)
  const host = meeting && (await findMember(ctx, ctx.team_id, meeting.host_id))
  if (!meeting || !host) throw gone()
  const organizer = { name: host.name || host.email, email: host.email }
  return file(
    invitationIcs(meeting, { method: 'PUBLISH', organizer, attendee: null, url: manageUrl(ctx, meeting.id) }),
    'meeting',
  )
}

function file(ics: string, name: string, known?: string): Answer {
  const etag = `"${createHash('sha256').update(ics).digest('base64url').slice(0, 22)}"`
  const headers = { etag, 'cache-control': 'private, no-store' }
  if (known?.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)) return new Answer(304, headers)
  return new Answer(
    200,
    {
      ...headers,
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.ics"`,
    },
    ics,
  )
}

function gone(): Problem {
  return new Problem('not_found', 'Calendar not found.')
}
