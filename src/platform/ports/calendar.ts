/** A calendar of somebody, elsewhere. */
export type CalendarLogin = { server_url: string; username: string; password: string; calendar_url?: string }

export type BusyTime = { uid: string; starts_at: string; ends_at: string }

/** `zone` is where whole days, and times that name no zone, are meant. */
export type CalendarSpan = { from: string; until: string; zone: string }

/** An event as iCalendar; `href` and `etag` identify it on the server, null for a new one. */
export type CalendarEvent = { uid: string; ics: string; href: string | null; etag: string | null }

export type CalendarServer = {
  /** Signs in and finds the calendar that takes events. */
  find(login: CalendarLogin): Promise<{ calendar_url: string; name: string | null }>
  /** Writes the event, overwriting it even if it was changed or deleted in the meantime. */
  put(login: CalendarLogin, event: CalendarEvent): Promise<{ href: string; etag: string | null }>
  /** Takes it away; one that is gone already is well. */
  remove(login: CalendarLogin, event: Pick<CalendarEvent, 'uid' | 'href'>): Promise<void>
  /** What is busy there, repetitions counted out. Own uids are left to the caller. */
  busy(login: CalendarLogin, span: CalendarSpan, limits?: { timeoutMs?: number }): Promise<BusyTime[]>
}

/** The name or the password is wrong, or nothing of the kind is there: trying again would not help. */
export class CalendarRefused extends Error {}
/** It does not answer: later, perhaps. */
export class CalendarUnavailable extends Error {}
