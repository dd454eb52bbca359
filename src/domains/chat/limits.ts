import type { Context } from '#platform/context.ts'
import { networkOf } from '#platform/network.ts'
import { Problem } from '#platform/problem.ts'
import type { Policy } from '#platform/rate-windows.ts'
import { FILES_PER_HOUR, MESSAGES_PER_HOUR, SESSIONS_PER_HOUR } from './values.ts'

const HOUR_S = 3_600
const messages: Policy = { name: 'chat messages', quota: MESSAGES_PER_HOUR, windowS: HOUR_S }
const files: Policy = { name: 'chat files', quota: FILES_PER_HOUR, windowS: HOUR_S }
const sessions: Policy = { name: 'chat sessions', quota: SESSIONS_PER_HOUR, windowS: HOUR_S }

export async function countMessage(ctx: Context, session_id: string): Promise<void> {
  await count(ctx, messages, session_id, 'messages')
}

export async function countFile(ctx: Context, session_id: string): Promise<void> {
  await count(ctx, files, session_id, 'files')
}

/** In all widgets together. */
export async function countSession(ctx: Context): Promise<void> {
  if (ctx.request?.ip) await count(ctx, sessions, networkOf(ctx.request.ip), 'chats')
}

/** In all processes together. */
async function count({ runtime }: Context, policy: Policy, caller: string, what: string): Promise<void> {
  if (!runtime.settings.rateLimit) return
  const { used, endsAt } = await runtime.windows.count(policy, caller)
  if (used <= policy.quota) return
  const waitS = Math.max(1, Math.ceil((endsAt - runtime.clock.now()) / 1000))
  throw new Problem(
    'too_many_requests',
    `At most ${policy.quota} ${what} an hour. Try again in ${waitS} s.`,
    {
      code: 'rate_limited',
      headers: { 'retry-after': String(waitS), 'access-control-expose-headers': 'retry-after' },
    },
  )
}
