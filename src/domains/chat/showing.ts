import type { Context } from '#platform/context.ts'
import { isoAt } from '#platform/clock.ts'
import { Problem } from '#platform/problem.ts'
import { findAgents } from '#domains/agents/service.ts'
import { afterOpenMinutes } from '#domains/conversations/open-hours.ts'
import { usualAnswerSec } from '#domains/conversations/chatting.ts'
import { getTeamName } from '#domains/identity/teams.ts'
import { shownColours } from './colour-values.ts'
import type { ChatWidget, ShownWidget } from './contract.ts'
import { USUAL_ANSWERS_MAX, USUAL_ANSWERS_MIN, USUAL_DAYS, USUAL_MINUTES } from './values.ts'
import { findOpenly } from './widgets.ts'
import { languageOf, wordsOf } from './words.ts'

const DAY_MS = 86_400_000

/** What a page needs to show this widget. */
export async function shownWidget(ctx: Context, id: string, asked: string | undefined): Promise<ShownWidget> {
  const found = await findOpenly(ctx, id)
  if (!found) throw new Problem('not_found', 'No such chat widget.')
  const { ctx: own, widget } = found
  const [team, agent, answers_within_min] = await Promise.all([
    getTeamName(own, own.team_id),
    agentOf(own, widget),
    usualAnswer(own),
  ])
  const language = languageOf(asked)
  return {
    id,
    is_on: widget.is_on,
    team,
    colour: shownColours(widget.colour),
    greeting: widget.greeting,
    language,
    words: wordsOf(language),
    ...openness(ctx, widget),
    questions: widget.questions.map(({ key, type, label, required = false }) => ({
      key,
      type,
      label,
      required,
    })),
    agent: agent ?? null,
    answers_within_min,
    logo_url: widget.logo_url,
    takes_files: widget.takes_files,
    privacy_url: widget.privacy_url,
  }
}

/** Whether people answer at this moment, and when they are back. */
export function openness(ctx: Context, widget: Pick<ChatWidget, 'hours' | 'timezone'>) {
  const now = ctx.runtime.clock.now()
  const opens = afterOpenMinutes(now, 0, widget)
  const is_open = opens === now
  return { is_open, back_at: is_open || opens === undefined ? null : isoAt(opens) }
}

/** How many minutes people usually take, told in round steps; null where too little is known, or it takes longer than a day. */
export async function usualAnswer(ctx: Context): Promise<number | null> {
  const sec = await usualAnswerSec(ctx, {
    since: ctx.in(-USUAL_DAYS * DAY_MS),
    least: USUAL_ANSWERS_MIN,
    most: USUAL_ANSWERS_MAX,
  })
  return sec === undefined ? null : (USUAL_MINUTES.find(minutes => sec <= minutes * 60) ?? null)
}

/** The AI that answers by itself, as long as there is one. One that drafts is nothing to a visitor. */
export async function agentOf(
  ctx: Context,
  { agent_id, agent_mode }: { agent_id: string | null; agent_mode: string },
): Promise<{ name: string } | undefined> {
  if (agent_id === null || agent_mode !== 'auto') return undefined
  const [agent] = await findAgents(ctx, [agent_id])
  return agent && !agent.deleted_at ? { name: agent.name } : undefined
}
