import { LONG_TEXT_LENGTH_MAX, TEXT_LENGTH_MAX } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { valuesOf } from '#domains/messages/letters.ts'
import { senderOf, senderWithoutPages } from '#domains/messages/settings.ts'
import type { Values } from '#domains/templates/placeholders.ts'
import { fillText } from '../texts.ts'
import type { ActionName } from '../values.ts'
import type { Request } from './action.ts'

/** All that says what an action is given: nothing else of the world is looked at for it. */
export type Asked<Action extends ActionName = ActionName> = Pick<
  Request<Action>,
  'node' | 'facts' | 'lead' | 'zone'
> & {
  workflow: { name: string; author_id: string | null }
  /** Placeholder values. */
  values: Values
  nowMs: number
}

export async function ask<Action extends ActionName>(
  ctx: Context,
  requests: readonly Request<Action>[],
): Promise<(Request<Action> & Asked<Action>)[]> {
  const sender = await (requests.some(mayLink) ? senderOf(ctx) : senderWithoutPages(ctx))
  const nowMs = ctx.runtime.clock.now()
  return requests.map(request => ({ ...request, nowMs, values: valuesOf(ctx, request.lead, sender) }))
}

/** Whether a text of it may link to a meeting: its own, or that of its template. */
function mayLink({ node }: Request): boolean {
  return 'template' in node || JSON.stringify(node).includes('meetingLink')
}

/** A text as it reads for this run; empty where nothing is left of it. */
export function textOf(text: string | undefined, { facts, values }: Asked): string {
  return text === undefined ? '' : cut(fillText(text, facts, values).trim(), LONG_TEXT_LENGTH_MAX)
}

/** The same as one line, whatever came in with the values. */
export function lineOf(text: string | undefined, asked: Asked): string {
  return asLine(textOf(text, asked))
}

export function asLine(text: string): string {
  return cut(text.replace(/\p{Cc}+/gu, ' ').trim(), TEXT_LENGTH_MAX)
}

export function calledOf(lead: Lead | null): string {
  return lead ? nameOf(lead) : 'the lead'
}

/** A character that is written as two is not torn apart. */
function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
