import { summaryIn } from '../event-data.ts'
import { noteOutcome } from '../outcome.ts'
import { keptLine } from '../text.ts'
import type { Tool } from './tool.ts'

/**
 * The attendant of the call hangs up when it reads this result. The agent's outcome and summary are stored.
 */
export const endCall: Tool = {
  async use(ctx, { call, arguments: { outcome, summary } }) {
    await noteOutcome(ctx, call.id, { outcome: keptLine(outcome, 500), summary: summaryIn(summary) })
    return { ok: true, text: 'The call is ending now.' }
  },
}
