import type { Context } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { findMailbox } from '#domains/mailboxes/sending.ts'
import type { EntryRow } from './entry-store.ts'
import { findEntries } from './entry-store.ts'
import { findSettings } from './settings.ts'
import { existingAgent } from '#domains/agents/references.ts'
import type { ConversationRow } from './store.ts'
import { AGENT_WAIT_MS } from './values.ts'

export const AGENT_JOB = 'conversations.agent'
/** An email may be read after others that are younger. */
const LOOKED_AT = 50

/** `entry_id`: the message to answer, with all that came before it. */
export type AgentJob = { conversation_id: string; entry_id: string }

/** In the transaction that takes the message: it is never lost. A later message has a job of its own, and this one does nothing. */
export function wakeAgent(ctx: Context, { id }: Pick<ConversationRow, 'id'>, entry_id: string): void {
  const data: AgentJob = { conversation_id: id, entry_id }
  enqueue(ctx, { kind: AGENT_JOB, data, run_at: ctx.in(AGENT_WAIT_MS) })
}

/** An agent is given a conversation in which somebody waits for an answer. */
export async function wakeForWaiting(ctx: Context, row: ConversationRow): Promise<void> {
  if (row.agent_mode === 'off' || row.unanswered_since === null) return
  const entry = await findLastReceived(ctx, row.id)
  if (entry) wakeAgent(ctx, row, entry.id)
}

/** The message that came in last. What machines write is none, and what came to a private mailbox is nothing an agent reads. */
export async function findLastReceived(ctx: Context, conversation_id: string): Promise<EntryRow | undefined> {
  const entries = await findEntries(ctx, conversation_id, undefined, LOOKED_AT)
  return entries
    .filter(({ kind, direction }) => kind === 'message' && direction === 'in')
    .filter(({ automatic, is_history, private_to }) => !automatic && !is_history && private_to === null)
    .toSorted((a, b) => (isEarlier(a, b) ? 1 : -1))[0]
}

type Preset = Partial<Pick<ConversationRow, 'agent_id' | 'agent_mode'>>

/** The agent of a conversation that begins now: that of the mailbox it came to, or else of the team. */
export async function presetAgent(ctx: Context, mailbox_id: string | undefined): Promise<Preset> {
  const mailbox = mailbox_id === undefined ? undefined : await findMailbox(ctx, mailbox_id)
  // A person's own correspondence is theirs.
  if (mailbox && mailbox.owner_id !== null) return {}
  const { agent_id, agent_mode } = mailbox?.agent_id ? mailbox : await findSettings(ctx)
  if (agent_id === null || agent_mode === 'off' || !(await existingAgent(ctx, agent_id))) return {}
  return { agent_id, agent_mode }
}

function isEarlier(a: EntryRow, b: EntryRow): boolean {
  return a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at
}
