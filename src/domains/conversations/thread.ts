import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import { findCall, findCallsOfLead } from '#domains/calls/service.ts'
import { findOfLead, findWithText } from '#domains/messages/service.ts'
import type { ConversationEntry } from './contract.ts'
import { asEntries, type Of } from './entries.ts'
import * as entryStore from './entry-store.ts'
import type { Place } from './entry-store.ts'

/**
 * The entries of a conversation, newest first: what came in and notes are its own, what we sent is in messages, and calls
 * are in calls. One place in time goes for all three.
 */
export async function readThread(
  ctx: Context,
  of: Of,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await newest(ctx, of, cursor === undefined ? undefined : placeOf(cursor), limit + 1)
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? encodeCursor([last.at, last.id]) : null }
}

export async function findThreadEntry(
  ctx: Context,
  of: Of,
  id: string,
): Promise<ConversationEntry | undefined> {
  const [entry, message, call] = await Promise.all([
    entryStore.findEntry(ctx, of.id, id),
    of.lead_id === null ? undefined : findWithText(ctx, of.lead_id, id),
    of.lead_id === null ? undefined : findCall(ctx, id),
  ])
  const calls = call && call.lead_id === of.lead_id ? [call] : []
  const shown = await asEntries(ctx, of, entry ? [entry] : [], message ? [message] : [], calls)
  return shown[0]
}

/** The last message that says how things stand: no note, no call, and nothing that never went out. */
export async function findLastSaid(ctx: Context, of: Of): Promise<ConversationEntry | undefined> {
  const rows = await newest(ctx, of, undefined, LOOKED_AT)
  return rows.find(({ kind, status }) => kind === 'message' && status !== 'CANCELLED' && status !== 'FAILED')
}
const LOOKED_AT = 50

async function newest(
  ctx: Context,
  of: Of,
  before: Place | undefined,
  limit: number,
): Promise<ConversationEntry[]> {
  const { id, lead_id } = of
  const [entries, messages, calls] = await Promise.all([
    entryStore.findEntries(ctx, id, before, limit),
    lead_id === null ? [] : findOfLead(ctx, lead_id, { before, limit }),
    lead_id === null ? [] : findCallsOfLead(ctx, lead_id, { before, limit }),
  ])
  const shown = await asEntries(ctx, of, entries, messages, calls)
  return shown.toSorted((a, b) => (isBefore(a, b) ? 1 : -1)).slice(0, limit)
}

function isBefore(a: Place, b: Place): boolean {
  return a.at === b.at ? a.id < b.id : a.at < b.at
}

function placeOf(cursor: string): Place {
  const [at, id] = decodeInstantCursor(cursor)
  return { at, id }
}
