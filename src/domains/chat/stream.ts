import { Answer } from '#platform/answer.ts'
import { isoAt } from '#platform/clock.ts'
import type { Change } from '#platform/changes.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import { latestChatOf, readChat } from '#domains/conversations/chatting.ts'
import { findSession, markHere } from './session-store.ts'
import { placeAfter, placeIn, shownEntry } from './shown-entries.ts'
import { standingOf, type Standing } from './state.ts'
import { CHAT_PAGE_MAX } from './values.ts'
import { addressOf, type Visitor } from './visitors.ts'
import { findWidget } from './widget-store.ts'

export const HEARTBEAT_MS = 15_000
/** Then the page connects again. */
const STREAM_LIFE_MS = 15 * 60_000
const RECONNECT_MS = 1_000
/** Clocks of processes differ: an entry may appear behind one that was told already. */
const OVERLAP_MS = 5_000
/** What a page has missed beyond this it reads afresh. */
const MISSED_PAGES_MAX = 5

type Place = { at: string; id: string }
type Message = {
  type: string
  subject: { kind: string; id: string }
  at: string
  data: Record<string, unknown>
}

/** What is said in a session and how things stand, as it happens. An entry may come twice: it is known by its ID. */
export function streamChat(visitor: Visitor, after: string | undefined, gone: AbortSignal): Answer {
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  return new Answer(200, headers, messages(visitor, after, gone))
}

async function* messages(visitor: Visitor, after: string | undefined, gone: AbortSignal) {
  yield `retry: ${RECONNECT_MS}\n\n`
  const { ctx } = visitor
  const left = new AbortController()
  const over = AbortSignal.any([gone, left.signal, AbortSignal.timeout(STREAM_LIFE_MS)])
  // Those are listened for before what was said is read, and some of what came shortly before: nothing falls between the two.
  const since = isoAt(ctx.runtime.clock.now() - OVERLAP_MS)
  const changes = ctx.runtime.changes.read(ctx.team_id, { since }, over)[Symbol.asyncIterator]()
  const beats = setInterval(() => beat.resolve(), HEARTBEAT_MS)
  let beat = Promise.withResolvers<void>()
  let next = changes.next()
  const news = newsOf(visitor, after)
  try {
    await markHere(ctx, visitor.session.id)
    yield* news.all()
    while (true) {
      const arrived = await Promise.race([next, beat.promise])
      if (!arrived) {
        beat = Promise.withResolvers<void>()
        yield ': still here\n\n'
        yield* news.again()
        if (news.isOver()) return
        continue
      }
      if (arrived.done) return
      next = changes.next()
      yield* news.hear(arrived.value)
      if (news.isOver()) return
    }
  } catch (error) {
    // The page connects again and finds what it missed.
    if (!isConnectionLoss(error)) throw error
  } finally {
    clearInterval(beats)
    left.abort()
  }
}

function newsOf(first: Visitor, after: string | undefined) {
  const address = addressOf(first.session)
  const told = new Set<string>()
  let visitor = first
  let standing: Standing | undefined
  let told_state = ''
  let said_at = ''
  let isOver = false
  let place: Place | undefined | 'lost' = after === undefined ? undefined : placeFrom(after)

  /** What is known of the session may have changed, and it may have ended. */
  async function* again() {
    const { ctx, session, widget } = visitor
    const [now, shown] = await Promise.all([findSession(ctx, session.id), findWidget(ctx, widget.id)])
    isOver = !now || !shown
    if (!now || !shown) return
    visitor = { ctx, session: now, widget: shown }
    await markHere(ctx, session.id)
    yield* all()
  }

  async function* all() {
    if (place === 'lost') yield* lost()
    else yield* entries()
    yield* state()
  }

  async function* hear(change: Change | undefined) {
    if (!change) return yield* all()
    const { type, subject, at, data } = change.message as Message
    const isMine = subject.kind === 'conversation' && subject.id === standing?.place?.id
    if (type === 'conversation.writing') {
      // Of what is there already nobody is told that it is being written.
      if (isMine && at >= said_at) yield* writing(data)
    } else if (isMine || isWidget(subject) || data.address === address || isMoved(data)) yield* again()
  }

  async function* entries() {
    let from = overlapping(place as Place | undefined)
    for (let pages = 0; pages < MISSED_PAGES_MAX; pages++) {
      const said = await readChat(visitor.ctx, address, { after: from, limit: CHAT_PAGE_MAX })
      for (const one of said) {
        if (told.has(one.id)) continue
        told.add(one.id)
        if (one.direction === 'out') said_at = one.at
        const shown = shownEntry(one, visitor.session.language)
        yield `id: ${placeAfter(one)}\nevent: entry\ndata: ${JSON.stringify(shown)}\n\n`
      }
      const last = said.at(-1)
      if (last && isAfter(last, place as Place | undefined)) place = { at: last.at, id: last.id }
      if (!last || said.length < CHAT_PAGE_MAX) return
      from = { at: last.at, id: last.id }
    }
    yield* lost()
  }

  async function* lost() {
    place = { at: visitor.ctx.now(), id: '' }
    yield 'event: reset\ndata: {}\n\n'
  }

  async function* state() {
    standing = await standingOf(visitor)
    const text = JSON.stringify(standing.state)
    if (text === told_state) return
    told_state = text
    yield `event: state\ndata: ${text}\n\n`
  }

  /** Of what the team writes to others, or by email, a visitor learns nothing. */
  async function* writing({ user_id, agent_id, name, channel }: Message['data']) {
    const at = standing?.place
    if ((!user_id && !agent_id) || channel !== 'chat' || !at) return
    if ((await latestChatOf(visitor.ctx, at.id)) !== address) return
    yield `event: writing\ndata: ${JSON.stringify({ name: name ?? null })}\n\n`
  }

  function isWidget({ kind, id }: Message['subject']): boolean {
    return kind === 'chat_widget' && id === visitor.widget.id
  }

  function isMoved({ before }: Message['data']): boolean {
    const id = standing?.place?.id
    return id !== undefined && (before as { id?: unknown } | undefined)?.id === id
  }

  return { all, hear, again, isOver: () => isOver }
}

function placeFrom(after: string): Place | 'lost' {
  try {
    return placeIn(after)
  } catch {
    return 'lost'
  }
}

function overlapping(place: Place | undefined): Place | undefined {
  return place && { at: isoAt(Date.parse(place.at) - OVERLAP_MS), id: '' }
}

function isAfter(one: Place, other: Place | undefined): boolean {
  return !other || one.at > other.at || (one.at === other.at && one.id > other.id)
}
