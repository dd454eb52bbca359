import type { Context } from '#platform/context.ts'
import type { Handlers } from '#platform/contract.ts'
import { record } from '#platform/events.ts'
import { CalendarRefused, CalendarUnavailable } from '#platform/ports/calendar.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { nextVersion } from '#platform/version.ts'
import { isMember } from '#domains/identity/members.ts'
import { forgetBusy } from './busy-store.ts'
import { waitForNext } from './calendar-reading.ts'
import { aboutOf, resumeSync, sealPassword, WELL } from './calendar-state.ts'
import * as store from './connection-store.ts'
import { calendarEvents, type Calendar, type CalendarLogin, type endpoints } from './contract.ts'
import { spanAsked } from './free-times.ts'
import { hostAsked } from './hosts.ts'
import { busyBetween } from './store.ts'
import { beginSync, endSync, listUnsynced } from './sync-store.ts'

type Connections = Pick<
  Handlers<typeof endpoints>,
  'readCalendar' | 'connectCalendar' | 'disconnectCalendar' | 'listBusy'
>

export const connectionsApi: Connections = {
  readCalendar: ctx => readCalendar(ctx),
  connectCalendar: (ctx, { body }) => connectCalendar(ctx, body),
  disconnectCalendar: ctx => disconnectCalendar(ctx),
  listBusy: async (ctx, { query }) =>
    listBusy(ctx, { ...spanAsked(ctx, query), host_id: await hostAsked(ctx, query.host_id) }),
}

export async function readCalendar(ctx: Context): Promise<Calendar> {
  return shown(await store.find(ctx, ctx.requirePerson().user_id))
}

/** It is tried first: what does not work is not kept. What is to come is written to it, and what is busy there is read. */
export async function connectCalendar(ctx: Context, login: CalendarLogin): Promise<Calendar> {
  const { user_id } = ctx.requirePerson()
  const { calendar_url, name } = await tried(ctx, login)
  const { server_url, username, password } = login
  return ctx.transaction(async ctx => {
    const before = await store.lock(ctx, user_id)
    const isSame = before?.calendar_url === calendar_url && before.username === username
    const now = ctx.now()
    const row: store.ConnectionRow = {
      user_id,
      kind: 'caldav',
      server_url,
      username,
      password: sealPassword(ctx, password),
      calendar_url,
      calendar_name: name,
      ...WELL,
      read_at: isSame ? before.read_at : null,
      tried_at: null,
      wait_id: null,
      created_at: before?.created_at ?? now,
      updated_at: before ? nextVersion(before.updated_at, now) : now,
    }
    store.save(ctx, row)
    if (!isSame) forgetBusy(ctx, user_id)
    waitForNext(ctx, user_id, 0)
    record(ctx, calendarEvents.connected, aboutOf(user_id), { name })
    resumeSync(ctx, isSame ? await listUnsynced(ctx, user_id) : await beginSync(ctx, user_id))
    return shown(row)
  })
}

export async function disconnectCalendar(ctx: Context): Promise<void> {
  const { user_id } = ctx.requirePerson()
  await ctx.transaction(async ctx => {
    if (!(await store.remove(ctx, user_id))) return
    endSync(ctx, user_id)
    record(ctx, calendarEvents.disconnected, aboutOf(user_id), {})
  })
}

type Asked = { host_id: string; from: string; until: string }

async function listBusy(ctx: Context, { host_id, from, until }: Asked) {
  if (Date.parse(until) <= Date.parse(from)) throw invalid([{ path: 'until', message: 'must be after from' }])
  if (!(await isMember(ctx, host_id))) return { host_id: null, busy: [] }
  return { host_id, busy: await busyBetween(ctx, host_id, from, until) }
}

async function tried(ctx: Context, login: CalendarLogin) {
  try {
    return await ctx.runtime.ports.calendars.find(login)
  } catch (error) {
    if (!(error instanceof CalendarRefused) && !(error instanceof CalendarUnavailable)) throw error
    const code = error instanceof CalendarRefused ? 'calendar_refused' : 'calendar_unavailable'
    throw new Problem('invalid', error.message, {
      code,
      errors: [{ path: 'server_url', message: error.message }],
      cause: error,
    })
  }
}

/** The password stays where it is. */
function shown(row: store.ConnectionRow | undefined): Calendar {
  if (!row) return BUILT_IN
  const { kind, server_url, username, calendar_url, calendar_name, state, note, read_at } = row
  return { kind, server_url, username, calendar_url, calendar_name, state, note, read_at }
}

const BUILT_IN: Calendar = {
  kind: 'built_in',
  server_url: null,
  username: null,
  calendar_url: null,
  calendar_name: null,
  state: 'OK',
  note: null,
  read_at: null,
}
