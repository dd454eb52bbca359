import type { Handlers } from '#platform/contract.ts'
import { readAnalytics } from './analytics.ts'
import type { endpoints } from './contract.ts'
import { checkCall, pushPrompt, readSession, startSession, stopSession } from './service.ts'

export const api: Handlers<typeof endpoints> = {
  startSession: (ctx, { body }) => startSession(ctx, body),
  checkCall: (ctx, { body }) => checkCall(ctx, body),
  readCallSession: (ctx, { params }) => readSession(ctx, params.id),
  pushPrompt: (ctx, { params, body }) => pushPrompt(ctx, params.id, body.text),
  stopSession: (ctx, { params }) => stopSession(ctx, params.id),
  readAnalytics: (ctx, { query }) => readAnalytics(ctx, query),
  readLine: async ({ runtime: { ports } }) => {
    const { kind, dialFault } = ports.voice
    return { provider: kind, can_dial: dialFault === null, note: dialFault }
  },
}
