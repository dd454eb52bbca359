import { lastPersonIn, placeOfChat } from '#domains/conversations/chatting.ts'
import type { ChatState } from './contract.ts'
import type { SessionRow } from './session-store.ts'
import { agentOf, openness, usualAnswer } from './showing.ts'
import { addressOf, type Visitor } from './visitors.ts'

/** How things stand for a visitor, and the conversation that it was read from. */
export type Standing = { state: ChatState; place: Awaited<ReturnType<typeof placeOfChat>> }

/** Of the lead that somebody claims to be, nothing is told: only who answers, and who has answered here. */
export async function standingOf({ ctx, widget, session }: Visitor): Promise<Standing> {
  const [place, person, answers_within_min] = await Promise.all([
    placeOfChat(ctx, addressOf(session)),
    lastPersonIn(ctx, addressOf(session)),
    usualAnswer(ctx),
  ])
  const agent = await agentOf(ctx, agentBefore(session) ? widget : (place ?? NOBODY))
  const by = agent ? 'agent' : person === null ? 'nobody' : 'person'
  const state = {
    by,
    name: agent ? agent.name : person,
    asked_for_person: session.asked_for_person_at !== null,
    ...openness(ctx, widget),
    answers_within_min,
    email: session.email,
  } as const
  return { state, place }
}

export async function stateOf(visitor: Visitor): Promise<ChatState> {
  return (await standingOf(visitor)).state
}

const NOBODY = { agent_id: null, agent_mode: 'off' }

/** Until the first message, the agent of the widget is the one that will answer. */
function agentBefore({ begun_at, asked_for_person_at }: SessionRow): boolean {
  return begun_at === null && asked_for_person_at === null
}
