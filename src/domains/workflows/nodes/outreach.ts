import type { Context } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { findLetters, type Letters } from '#domains/messages/letters.ts'
import { isPaused, senderOf, type Sender } from '#domains/messages/settings.ts'
import { writeMessages, type EmailDraft, type Origin, type SmsDraft } from '#domains/messages/compose.ts'
import { findSuppressed } from '#domains/suppressions/service.ts'
import type { Request } from './action.ts'

export const SEND_JOB = 'workflows.send'
const PAUSE_LOOK_MS = 15 * 60_000

export const PAUSED = { later: PAUSE_LOOK_MS, reason: 'Outreach is paused for the whole team.' } as const

/** What must be known before anybody is written to, asked once for all who are. */
export type Known = { paused: boolean; sender: Sender; letters: Letters; suppressed: ReadonlySet<string> }

export async function learn(
  ctx: Context,
  channel: 'email' | 'phone',
  requests: readonly Pick<Request<'send_email' | 'send_sms'>, 'node' | 'lead'>[],
): Promise<Known> {
  const names = new Set(requests.flatMap(({ node }) => node.template ?? []))
  const addresses = requests.flatMap(({ lead }) => lead?.[channel] ?? [])
  const [paused, sender, letters, suppressed] = await Promise.all([
    isPaused(ctx),
    senderOf(ctx),
    findLetters(ctx, [...names]),
    findSuppressed(ctx, channel, addresses),
  ])
  return { paused, sender, letters, suppressed }
}

/** What it came of. */
export function originOf({ workflow: { id, name } }: Request): Origin {
  return { source_kind: 'workflow', source_id: id, source_name: name }
}

/** Written in the transaction of the run; one job sends them all after the commit. */
export function post(ctx: Context, drafts: { emails?: EmailDraft[]; sms?: SmsDraft[] }): void {
  const ids = [...(drafts.emails ?? []), ...(drafts.sms ?? [])].map(({ id }) => id)
  if (ids.length === 0) return
  writeMessages(ctx, drafts)
  enqueue(ctx, { kind: SEND_JOB, data: { ids } })
}

export function noTemplate(name: string | undefined): string {
  return `There is no template called ${name}.`
}
