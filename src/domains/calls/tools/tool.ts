import type { Context } from '#platform/context.ts'
import type { ToolResult } from '../lines.ts'
import type { CallRow } from '../store.ts'

export type Used = {
  call: CallRow
  /** What this asking is called within the call. */
  ref: string
  name: string
  arguments: Record<string, unknown>
}

export type Tool = {
  /** It asks other services: it is used outside of any transaction, perhaps more than once. */
  reachesOut?: true
  /** What follows from being asked for it, whatever comes of it. */
  asked?: (ctx: Context, call: CallRow) => Promise<void>
  /** What the model is told comes back in words, also where it did not work: somebody is on the phone. */
  use: (ctx: Context, used: Used) => Promise<ToolResult>
}
