import type { Context } from '#platform/context.ts'
import { invalid } from '#platform/problem.ts'
import { readAnswers } from '#domains/forms/answers.ts'
import { takeInLead } from '#domains/forms/lead-intake.ts'
import { own } from '#domains/forms/model.ts'
import { linkVisitor } from '#domains/conversations/chatting.ts'
import { findLead } from '#domains/leads/service.ts'
import type { ChatQuestion, ChatWidget } from './contract.ts'
import { updateSession, type SessionRow } from './session-store.ts'
import { addressOf } from './visitors.ts'
import type { QuestionType } from './values.ts'

export type Answers = Readonly<Record<string, string>>
type Asking = Pick<ChatWidget, 'questions' | 'field_mapping'>

/** What a visitor may say of themselves in every chat, whatever it asks, and the field of a lead that it fills. */
const always = [
  { key: 'name', type: 'text', label: 'Name', target: 'first_name' },
  { key: 'email', type: 'email', label: 'Email', target: 'email' },
  { key: 'phone', type: 'phone', label: 'Phone', target: 'phone' },
] as const

/**
 * The answers as they are kept, with those given before. Every fault at once: `all` where the questions were put to them together, so
 * that one without its answer is a fault.
 */
export function readGiven(widget: Asking, given: Answers, before: Answers, all: boolean): Answers {
  const fields = asked(widget).map(question => ({ ...question, required: all && question.required === true }))
  const { values, faults } = readAnswers({ fields }, given)
  if (faults.length > 0)
    throw invalid(
      faults.map(({ path, message }) => ({ path: path ? `answers.${path}` : 'answers', message })),
    )
  return { ...before, ...(values as Answers) }
}

/** Those that have to be given before the first message. */
export function refuseUnanswered({ questions }: Asking, answers: Answers): void {
  const missing = questions.filter(({ key, required }) => required && !own(answers, key))
  if (missing.length > 0)
    throw invalid(missing.map(({ key }) => ({ path: `answers.${key}`, message: 'is missing' })))
}

/** Who they say they are. */
export function selfOf(widget: Asking, answers: Answers): Pick<SessionRow, 'name' | 'email' | 'phone'> {
  const first = (type: QuestionType) => {
    const key = asked(widget).find(question => question.type === type && own(answers, question.key))?.key
    return key === undefined ? null : answers[key]!
  }
  const mapped = (target: string) => {
    const key = Object.keys(widget.field_mapping).find(
      key => widget.field_mapping[key] === target && own(answers, key),
    )
    return key === undefined ? undefined : answers[key]
  }
  const called = [mapped('first_name'), mapped('last_name')].filter(part => part !== undefined).join(' ')
  return { name: called || own(answers, 'name') || null, email: first('email'), phone: first('phone') }
}

/** Under what was asked, for people to read. */
export function answersByLabel(widget: Asking, answers: Answers): Record<string, string> {
  const labels = new Map(asked(widget).map(({ key, label }) => [key, label]))
  return Object.fromEntries(Object.entries(answers).map(([key, value]) => [labels.get(key) ?? key, value]))
}

/**
 * The lead that the answers make of them or belong to, where the widget maps any. What is given is no proof: the team reads under
 * that lead what they write, and they themselves never see more than their own session.
 */
export async function becomeLead(ctx: Context, widget: ChatWidget, session: SessionRow): Promise<SessionRow> {
  if (Object.keys(widget.field_mapping).length === 0) return session
  const { lead_id } = await takeInLead(ctx, {
    content: contentOf(widget),
    values: session.answers,
    on_existing: 'fill_empty',
    source: `Chat: ${widget.name}`,
    utm: session.utm,
    lead_id: session.lead_id,
  })
  if (lead_id === null || lead_id === session.lead_id) return session
  // A lead that has just been made is read after it is written.
  const lead = await findLead(ctx, lead_id)
  if (!lead) return session
  await linkVisitor(ctx, addressOf(session), lead)
  updateSession(ctx, session.id, { lead_id })
  return { ...session, lead_id }
}

function asked({ questions }: Asking): ChatQuestion[] {
  const others = always.filter(({ key }) => !questions.some(question => question.key === key))
  return [...questions, ...others.map(({ key, type, label }) => ({ key, type, label }))]
}

/** What everybody may say goes where it belongs, unless a question goes there. */
function contentOf({ questions, field_mapping }: Asking) {
  const targets = new Set(Object.values(field_mapping))
  const implied = always.filter(
    ({ key, target }) => !targets.has(target) && !questions.some(question => question.key === key),
  )
  return {
    fields: [...questions, ...implied],
    field_mapping: {
      ...Object.fromEntries(implied.map(({ key, target }) => [key, target])),
      ...field_mapping,
    },
  }
}
