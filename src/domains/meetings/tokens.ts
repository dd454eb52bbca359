import { createHmac, timingSafeEqual } from 'node:crypto'
import { keysFor } from '#platform/seal.ts'
import type { Settings } from '#platform/settings.ts'

const ID_BYTES = 12
const VERSION_BYTES = 4
const MAC_BYTES = 16
const TOKEN_LENGTH_MAX = 100
type Kind = 'meeting' | 'feed' | 'guest'

/** For its guest: to see the meeting, move it, cancel it. */
export function meetingToken(settings: Settings, meeting: { team_id: string; meeting_id: string }): string {
  return sealed(settings, 'meeting', [idBytes(meeting.team_id), idBytes(meeting.meeting_id)])
}

export function readMeetingToken(
  settings: Settings,
  token: string,
): { team_id: string; meeting_id: string } | undefined {
  const body = opened(settings, 'meeting', token, 2 * ID_BYTES)
  return body && { team_id: idAt(body, 0), meeting_id: idAt(body, 1) }
}

/** A member's meetings as a calendar reads them. Another version of the member's makes it void. */
export function feedToken(
  settings: Settings,
  feed: { team_id: string; user_id: string; version: number },
): string {
  const version = Buffer.alloc(VERSION_BYTES)
  version.writeUInt32BE(feed.version)
  return sealed(settings, 'feed', [idBytes(feed.team_id), idBytes(feed.user_id), version])
}

export function readFeedToken(
  settings: Settings,
  token: string,
): { team_id: string; user_id: string; version: number } | undefined {
  const body = opened(settings, 'feed', token, 2 * ID_BYTES + VERSION_BYTES)
  return body && { team_id: idAt(body, 0), user_id: idAt(body, 1), version: body.readUInt32BE(2 * ID_BYTES) }
}

/** Who follows a booking link that was written for one lead. */
export function guestToken(settings: Settings, guest: { team_id: string; lead_id: string }): string {
  return sealed(settings, 'guest', [idBytes(guest.team_id), idBytes(guest.lead_id)])
}

export function readGuestToken(
  settings: Settings,
  token: string,
): { team_id: string; lead_id: string } | undefined {
  const body = opened(settings, 'guest', token, 2 * ID_BYTES)
  return body && { team_id: idAt(body, 0), lead_id: idAt(body, 1) }
}

/** Signed, and without a row of its own. Each kind has its own key: one is worth nothing in the place of another. */
function sealed(settings: Settings, kind: Kind, parts: Buffer[]): string {
  const body = Buffer.concat(parts)
  return Buffer.concat([body, macOf(keysOf(settings, kind)[0]!, body)]).toString('base64url')
}

/** Undefined if it is not one of our tokens. */
function opened(settings: Settings, kind: Kind, token: string, length: number): Buffer | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== length + MAC_BYTES) return undefined
  const body = bytes.subarray(0, length)
  const mac = bytes.subarray(length)
  return keysOf(settings, kind).some(key => timingSafeEqual(macOf(key, body), mac)) ? body : undefined
}

function keysOf(settings: Settings, kind: Kind): Buffer[] {
  return keysFor(settings, `${kind} links of meetings`)
}

function macOf(key: Buffer, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES)
}

function idBytes(id: string): Buffer {
  return Buffer.from(id, 'hex')
}

function idAt(body: Buffer, place: number): string {
  return body.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES)
}
