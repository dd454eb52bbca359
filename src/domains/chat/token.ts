import type { Runtime } from '#platform/context.ts'
import { isoAt } from '#platform/clock.ts'
import { isId } from '#platform/ids.ts'
import { seal, unseal } from '#platform/seal.ts'
import { SESSION_DAYS } from './values.ts'

const PURPOSE = 'chat session'
const TOKEN_LENGTH_MAX = 500
const DAY_MS = 86_400_000

/** Where a session is found: tokens carry it, so that nobody has to be asked whose they are. */
export type Place = { team_id: string; session_id: string; widget_id: string }

export function tokenOf({ settings, clock }: Runtime, { team_id, session_id, widget_id }: Place) {
  const endsAt = clock.now() + SESSION_DAYS * DAY_MS
  const sealed = seal(settings, PURPOSE, [team_id, session_id, widget_id, endsAt].join(' '))
  return { token: Buffer.from(sealed, 'base64').toString('base64url'), expires_at: isoAt(endsAt) }
}

/** Undefined where we have not given it out; `ended` where its time is over. */
export function placeOf({ settings, clock }: Runtime, token: string): Place | 'ended' | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined
  const [team_id, session_id, widget_id, endsAt] = (unseal(settings, PURPOSE, token) ?? '').split(' ')
  if (!isId(team_id) || !isId(session_id) || !isId(widget_id)) return undefined
  return Number(endsAt) > clock.now() ? { team_id, session_id, widget_id } : 'ended'
}
