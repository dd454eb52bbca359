import { systemContext, type Context } from '#platform/context.ts'
import { findHeard, findLatestTo, findTeamOfRecipient, type Heard } from './engagement-store.ts'
import { readMessageId } from './compose.ts'

/** A reply without a reference belongs to the latest email, if that is not too long ago. */
const ANSWERED_WITHIN_MS = 30 * 86_400_000

/** A mail that came back: whose it is, and which of our messages it belongs to. */
export type Found = { ctx: Context; message: Heard }

/** By the first of these ids that is one of ours. An id names its team, and must be a message of that team. */
export async function findNamed(ctx: Context, ids: readonly string[]): Promise<Found | undefined> {
  for (const id of ids) {
    const named = readMessageId(id)
    if (!named) continue
    const own = ctx.hasTeam && ctx.team_id === named.team_id ? ctx : otherTeam(ctx, named.team_id)
    const message = own && (await findHeard(own, named.id))
    if (message) return { ctx: own, message }
  }
  return undefined
}

type Answered = { address: string; subjects?: readonly string[] }

/** By who writes: the latest mail to that address. */
export async function findAnswered(
  ctx: Context,
  { address, subjects }: Answered,
): Promise<Found | undefined> {
  const own = ctx.hasTeam ? ctx : await recipientsTeam(ctx, address)
  if (!own) return undefined
  const since = ctx.in(-ANSWERED_WITHIN_MS)
  const message = await findLatestTo(own, { channel: 'email', address, since, ...(subjects && { subjects }) })
  return message && { ctx: own, message }
}

async function recipientsTeam(ctx: Context, address: string): Promise<Context | undefined> {
  const team_id = await findTeamOfRecipient(ctx, address)
  return team_id === undefined ? undefined : forTeam(ctx, team_id)
}

/** What an answer is about, without what mail programs put before it in whatever language. */
export function answeredSubjects(subject: string): string[] {
  const bare = subject.trim().replace(/^(?:\s*[\p{L}]{1,5}(?:\[\d+\])?\s*[:：]\s*)+/u, '')
  return [...new Set([bare, subject.trim()])].filter(Boolean)
}

/** Within a transaction there is one team, and only its own messages are looked at. */
function otherTeam(ctx: Context, team_id: string): Context | undefined {
  return ctx.hasTeam ? undefined : forTeam(ctx, team_id)
}

function forTeam(ctx: Context, team_id: string): Context {
  return systemContext(ctx.runtime, team_id).as(ctx.actor)
}
