import type { Meeting } from '#domains/meetings/contract.ts'
import type { MeetingOrigin, MeetingStatus } from '#domains/meetings/values.ts'

type Words = { tone: string; label: string }

export const statusWords: Record<MeetingStatus, Words> = {
  BOOKED: { tone: 'teal', label: 'Booked' },
  HELD: { tone: 'green', label: 'Held' },
  NO_SHOW: { tone: 'amber', label: 'No show' },
  CANCELLED: { tone: 'red', label: 'Cancelled' },
}

export const originWords: Record<MeetingOrigin, string> = {
  person: 'By a team member',
  booking_page: 'By the guest on the booking page',
  agent: 'By a voice agent during a call',
  api: 'By an app',
  workflow: 'By a workflow',
}

/** Sync state of the host's external calendar; undefined without one. */
export function syncWords({
  sync_state,
  sync_note,
  status,
}: Meeting): (Words & { about: string }) | undefined {
  const isGone = status === 'CANCELLED'
  switch (sync_state) {
    case 'PENDING':
      return {
        tone: 'amber',
        label: isGone ? 'Removal pending' : 'Sync pending',
        about: sync_note ?? 'Syncs as soon as the calendar responds.',
      }
    case 'SYNCED':
      return { tone: 'green', label: isGone ? 'Removed' : 'Synced', about: '' }
    case 'FAILED':
      return {
        tone: 'red',
        label: 'Sync failed',
        about: sync_note ?? 'The calendar rejected it. The meeting itself is not affected.',
      }
    default:
      return undefined
  }
}

/** Name of the guest, as far as known. */
export function guestOf({ guest_name, guest_email }: Pick<Meeting, 'guest_name' | 'guest_email'>): string {
  return guest_name || guest_email || 'The guest'
}

export function minutesInWords(minutes: number): string {
  if (minutes < 60) return `${minutes} min`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return rest ? `${hours} h ${rest} min` : `${hours} h`
}

export function durationOf({ starts_at, ends_at }: Pick<Meeting, 'starts_at' | 'ends_at'>): number {
  return Math.round((Date.parse(ends_at) - Date.parse(starts_at)) / 60_000)
}
