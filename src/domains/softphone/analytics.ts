import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { invalid } from '#platform/problem.ts'
import { startOfNextDay } from '#platform/zone.ts'
import { findAgent } from '#domains/agents/service.ts'
import { tallyAgents } from '#domains/calls/tallies.ts'
import type { Analytics } from './contract.ts'
import { responsesByAgent, responsesByTime, type Window } from './response-store.ts'
import { ANALYTICS_DAYS_MAX, HOURLY_DAYS_MAX } from './values.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const nothingSaid = { responses: 0, failed: 0, latency_p50_ms: null, latency_p95_ms: null }
const noCalls = { calls: 0, connected: 0, minutes: 0, meetings: 0 }

/** How agents and the models behind them do, within a time: the database counts, nothing is read row by row. */
export async function readAnalytics(ctx: Context, asked: Partial<Window>): Promise<Analytics> {
  const {
    until = isoAt(startOfNextDay(Date.parse(ctx.now()), 'UTC')),
    from = isoAt(Date.parse(until) - DEFAULT_DAYS * DAY_MS),
  } = asked
  const window = { ...asked, from, until }
  const days = (Date.parse(until) - Date.parse(from)) / DAY_MS
  if (days <= 0) throw invalid([{ path: 'until', message: 'must be after from' }])
  if (days > ANALYTICS_DAYS_MAX)
    throw invalid([{ path: 'until', message: `must be at most ${ANALYTICS_DAYS_MAX} days after from` }])
  const [answers, tallies, buckets] = await Promise.all([
    responsesByAgent(ctx, window),
    tallyAgents(ctx, window),
    responsesByTime(ctx, window, days <= HOURLY_DAYS_MAX ? 'hour' : 'day'),
  ])
  const answersOf = new Map(answers.map(({ agent_id, ...rest }) => [agent_id, rest]))
  const tallyOf = new Map(tallies.map(({ agent_id, ...rest }) => [agent_id, rest]))
  const ids = [...new Set([...answersOf.keys(), ...tallyOf.keys()])]
  const agents = await Promise.all(
    ids.map(async agent_id => ({
      agent_id,
      name: agent_id === null ? null : ((await findAgent(ctx, agent_id))?.name ?? null),
      ...nothingSaid,
      ...answersOf.get(agent_id),
      ...noCalls,
      ...tallyOf.get(agent_id),
    })),
  )
  const busiestFirst = agents.toSorted((a, b) => b.calls - a.calls || b.responses - a.responses)
  return { from, until, agents: busiestFirst, buckets }
}
