import type { Context } from '#platform/context.ts'
import { teamMemory } from '#platform/team-memory.ts'

const PAGES_REMEMBERED_MS = 2_000

/** The open booking pages of a team. */
export type Pages = {
  /** By the member's id. */
  urls: ReadonlyMap<string, string>
  /** Members by their address, in lower case. */
  members: ReadonlyMap<string, string>
  first: string | null
}

const memory = teamMemory<Pages>(PAGES_REMEMBERED_MS)

export const rememberedPages = memory.get
export function forgetPages(ctx: Context): void {
  memory.forget(ctx)
}
