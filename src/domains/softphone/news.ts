import type { Context } from '#platform/context.ts'
import { addLines, cancelCall, type NewLine } from '#domains/calls/service.ts'
import { acceptOwn, type OwnEvent } from '#domains/webhooks/intake.ts'
import { saveResponses, type ResponseRow } from './response-store.ts'
import * as store from './store.ts'
import type { Held } from './store.ts'

/** What a call has told and nobody has written down yet. */
export type News = {
  lines: NewLine[]
  events: OwnEvent[]
  responses: ResponseRow[]
  resume: unknown
  connected_at: string | null
  /** Cancelled before it was answered, and why. */
  cancelled: string | undefined
  over: boolean
}

export type Told = { held: Held; news: News }

export function noNews(): News {
  return {
    lines: [],
    events: [],
    responses: [],
    resume: undefined,
    connected_at: null,
    cancelled: undefined,
    over: false,
  }
}

/** Two in a row as one. */
export function joined(first: News, second: News): News {
  return {
    lines: [...first.lines, ...second.lines],
    events: [...first.events, ...second.events],
    responses: [...first.responses, ...second.responses],
    resume: second.resume === undefined ? first.resume : second.resume,
    connected_at: first.connected_at ?? second.connected_at,
    cancelled: first.cancelled ?? second.cancelled,
    over: first.over || second.over,
  }
}

/**
 * Writes down what many calls of a team have told, in one transaction, and answers which of them are still ours: of the
 * others nothing is written, for somebody else attends to them by now.
 */
export async function writeNews(ctx: Context, owner: string, told: readonly Told[]): Promise<Set<string>> {
  return ctx.transaction(async ctx => {
    const ours = await store.lockOurs(
      ctx,
      owner,
      told.map(({ held }) => held),
    )
    const kept = told.filter(({ held }) => ours.has(held.call_id))
    const all = kept.map(({ news }) => news)
    const lines = all.flatMap(news => news.lines)
    if (lines.length > 0) await addLines(ctx, lines)
    await acceptOwn(
      ctx,
      'voice',
      all.flatMap(({ events }) => events),
    )
    saveResponses(
      ctx,
      all.flatMap(({ responses }) => responses),
    )
    for (const { held, news } of kept)
      if (news.cancelled !== undefined) await cancelCall(ctx, held.call_id, news.cancelled)
    const over = kept.filter(({ news }) => news.over).map(({ held }) => held.call_id)
    store.saveProgress(
      ctx,
      kept
        .filter(({ news }) => !news.over && (news.resume !== undefined || news.connected_at !== null))
        .map(({ held, news }) => ({
          call_id: held.call_id,
          resume: news.resume,
          connected_at: news.connected_at,
        })),
    )
    store.removeAttended(ctx, over)
    return ours
  })
}
