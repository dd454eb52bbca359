import { tidyInstant } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid } from '#platform/problem.ts'
import {
  chatSeen,
  placeOfChat,
  readChat,
  readSaid,
  setChatAgent,
  takeChat,
  tellVisitorWriting,
} from '#domains/conversations/chatting.ts'
import { turnToPerson } from '#domains/conversations/person-asked.ts'
import { addressOf as pageAddressOf } from '#domains/forms/touch.ts'
import { findAgents } from '#domains/agents/service.ts'
import { answersByLabel, refuseUnanswered } from './answers.ts'
import { chatEvents, type ChatEntry, type ChatState } from './contract.ts'
import { countMessage } from './limits.ts'
import { findUploaded, lockSession, updateSession, type SessionRow } from './session-store.ts'
import { placeAfter, placeIn, shownEntry } from './shown-entries.ts'
import { stateOf } from './state.ts'
import { CHAT_PAGE_MAX } from './values.ts'
import { addressOf, endedChat, speakerOf, type Visitor } from './visitors.ts'

const ASKED_FOR_PERSON = 'Asked for a person'

export type Message = { key: string; text: string; file_ids?: readonly string[]; page?: string }

/** What a visitor's page sends. */
export async function say(visitor: Visitor, message: Message): Promise<ChatEntry> {
  await countMessage(visitor.ctx, visitor.session.id)
  return sayAs(visitor, message, { here_at: visitor.ctx.now() })
}

/** The same key again is the same entry. Where they have not said anything yet, the agent of the widget answers from now on. */
export async function sayAs(
  { ctx, widget, session }: Visitor,
  { key, text, file_ids = [], page }: Message,
  seen: Pick<Partial<SessionRow>, 'here_at'> = {},
): Promise<ChatEntry> {
  return ctx.transaction(async ctx => {
    const held = await lockedAs(ctx, session)
    refuseUnanswered(widget, held.answers)
    if (text.trim() === '' && file_ids.length === 0) throw invalid([{ path: 'text', message: 'is empty' }])
    await refuseOthersFiles(ctx, held, file_ids)
    const speaker = speakerOf(held)
    const { conversation_id, entry_id } = await takeChat(ctx, speaker, { key, text, file_ids })
    const isFirst = held.begun_at === null && conversation_id !== undefined
    if (isFirst) {
      const { page, utm, answers, lead_id } = held
      const about = { kind: 'conversation', id: conversation_id, lead_id }
      const told = { widget_id: widget.id, page, utm, answers: answersByLabel(widget, answers) }
      record(ctx, chatEvents.begun, about, told)
      if (held.asked_for_person_at === null) await beginWithAgent(ctx, widget, speaker)
    }
    const at = pageAddressOf(page)
    updateSession(ctx, held.id, {
      ...seen,
      ...(isFirst && { begun_at: ctx.now() }),
      ...(at && { page: at }),
      lead_id: held.lead_id,
    })
    return shownEntry((await readSaid(ctx, addressOf(held), entry_id))!, held.language)
  })
}

export async function history(visitor: Visitor, after: string | undefined) {
  const { ctx, session } = visitor
  const place = after === undefined ? undefined : placeIn(after)
  const [said, state] = await Promise.all([
    readChat(ctx, addressOf(session), { after: place, limit: CHAT_PAGE_MAX }),
    stateOf(visitor),
  ])
  const last = said.at(-1)
  return {
    data: said.map(one => shownEntry(one, session.language)),
    state,
    after: last ? placeAfter(last) : (after ?? null),
  }
}

/** What comes from the future was seen now. */
export async function seen({ ctx, session }: Visitor, until: string): Promise<void> {
  const [at, now] = [tidyInstant(until), ctx.now()]
  await ctx.transaction(async ctx => {
    await chatSeen(ctx, addressOf(session), at < now ? at : now)
    updateSession(ctx, session.id, { here_at: now })
  })
}

export async function writing({ ctx, session }: Visitor): Promise<void> {
  const { lead_id = session.lead_id } = (await placeOfChat(ctx, addressOf(session))) ?? {}
  await tellVisitorWriting(ctx, { ...speakerOf(session), lead_id })
}

/** Asked again, nothing more happens, unless an agent has been turned on meanwhile. */
export async function askForPerson({ ctx, widget, session }: Visitor): Promise<ChatState> {
  const asked = await ctx.transaction(async ctx => {
    const held = await lockedAs(ctx, session)
    const speaker = speakerOf(held)
    if (held.asked_for_person_at !== null) {
      const place = await placeOfChat(ctx, speaker.address)
      if (place?.agent_mode === 'off') return held
    }
    const { about, agent_id } = await turnToPerson(ctx, speaker, ASKED_FOR_PERSON)
    record(ctx, chatEvents.personAsked, about, { widget_id: widget.id, address: speaker.address, agent_id })
    const fields = { asked_for_person_at: ctx.now(), lead_id: held.lead_id }
    updateSession(ctx, held.id, fields)
    return { ...held, ...fields }
  })
  return stateOf({ ctx, widget, session: asked })
}

/** With the lead that the team has linked their conversation to, if it has. */
async function lockedAs(ctx: Context, { id }: SessionRow): Promise<SessionRow> {
  const held = await lockSession(ctx, id)
  if (!held) throw endedChat()
  if (held.lead_id !== null) return held
  const place = await placeOfChat(ctx, addressOf(held))
  return { ...held, lead_id: place?.lead_id ?? null }
}

async function refuseOthersFiles(
  ctx: Context,
  { id }: SessionRow,
  file_ids: readonly string[],
): Promise<void> {
  const own = await findUploaded(ctx, id, file_ids)
  const faults = file_ids.flatMap((file_id, at) =>
    own.has(file_id) ? [] : [{ path: `file_ids[${at}]`, message: 'is not a file you uploaded' }],
  )
  if (faults.length > 0) throw invalid(faults)
}

async function beginWithAgent(
  ctx: Context,
  { agent_id, agent_mode }: Visitor['widget'],
  speaker: ReturnType<typeof speakerOf>,
): Promise<void> {
  if (agent_id === null) return
  const [agent] = await findAgents(ctx, [agent_id])
  if (agent && !agent.deleted_at) await setChatAgent(ctx, speaker, { agent_id, agent_mode })
}
