import { summaryIn } from '../heard.ts'
import { noteOutcome } from '../outcome.ts'
import { keptLine } from '../text.ts'
import type { Tool } from './tool.ts'

/** Whoever attends to the call hangs up when it reads this. What the agent says of how it went is kept. */
export const endCall: Tool = {
  async use(ctx, { call, arguments: { outcome, summary } }) {
    await noteOutcome(ctx, call.id, { outcome: keptLine(outcome, 500), summary: summaryIn(summary) })
    return { ok: true, text: 'The call is ending now.' }
  },
}
