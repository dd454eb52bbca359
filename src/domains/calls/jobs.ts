import type { Context } from '#platform/context.ts'
import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { cancelCall } from './service.ts'
import { findForgotten } from './store.ts'
import { giveUpTool, TOOL_JOB, useTool } from './tool-calls.ts'
import { DURATION_SEC_MAX } from './values.ts'

const TOOL_TRIES_MAX = 3
const FORGOTTEN_PER_SWEEP_MAX = 1_000

export const jobs: JobDefinition[] = [
  job(TOOL_JOB, { outgoing: true, triesMax: TOOL_TRIES_MAX, buried: giveUpTool }, useTool),
]

export const sweeps: Sweep[] = [{ name: 'forgotten_calls', run: endForgotten }]

/** No call lasts that long: its end was never told. */
async function endForgotten(ctx: Context): Promise<number> {
  const ids = await findForgotten(ctx, ctx.in(-DURATION_SEC_MAX * 1000), FORGOTTEN_PER_SWEEP_MAX)
  for (const id of ids) await cancelCall(ctx, id, 'The end of the call was never reported.')
  return ids.length
}
