import type { Context } from '#platform/context.ts'
import type { UsedTool, WantedTool } from '#platform/ports/writer.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { askTool } from '#domains/agents/custom-tools.ts'
import { customTools, textToolsOf } from '#domains/agents/tools.ts'
import { kept, keptArguments, keptLine } from '#domains/calls/text.ts'
import { bookFor, engageLead } from '#domains/calls/tools/booking.ts'
import { lookUp } from '#domains/calls/tools/look-up-lead.ts'
import { updateField } from '#domains/calls/tools/update-field.ts'
import type { UsedAgentTool } from './agent-store.ts'
import { isClaimed, type Incoming } from './agent-task.ts'
import type { ConversationRow } from './store.ts'

const RESULT_LENGTH_MAX = 4_000
const REASON_LENGTH_MAX = 300
const SUMMARY_LENGTH_MAX = 2_000

/** In which conversation, and for which message, a model asks for tools. */
export type ToolScope = { row: ConversationRow; entry: Incoming; agent: Agent; mode: 'draft' | 'auto' }
type Result = { ok: boolean; text: string; refused?: true }

/** A draft changes nothing: its agent may only look things up. */
export function toolsFor({ agent, mode }: Pick<ToolScope, 'agent' | 'mode'>) {
  const all = textToolsOf(agent)
  return mode === 'auto' ? all : all.filter(({ name }) => name === 'look_up_lead' || name === 'hand_over')
}

/**
 * What a model asks for is done if its agent was given the tool, for the person whom it writes to and nobody else. Whatever else it
 * names is not looked at.
 */
export async function useTool(
  ctx: Context,
  scope: ToolScope,
  { id, name, arguments: raw }: WantedTool,
): Promise<{ answer: UsedTool; trace: UsedAgentTool }> {
  const given = keptArguments(raw)
  const isGiven = toolsFor(scope).some(tool => tool.name === name)
  const { ok, text, refused = false } = isGiven ? await use(ctx, scope, name, given) : notGiven
  const result = kept(text, RESULT_LENGTH_MAX)
  return {
    answer: { id, name, arguments: given, result },
    trace: { name: keptLine(name, 100) ?? '', arguments: given, ok, refused, result },
  }
}
const notGiven: Result = { ok: false, text: 'You were not given this tool.', refused: true }

export function handOverWords({ arguments: given }: WantedTool): { reason: string; summary: string | null } {
  return {
    reason: keptLine(given.reason, REASON_LENGTH_MAX) ?? 'The agent asked for a person.',
    summary: typeof given.summary === 'string' ? kept(given.summary, SUMMARY_LENGTH_MAX) || null : null,
  }
}

async function use(
  ctx: Context,
  { row, entry, agent }: ToolScope,
  name: string,
  given: Record<string, unknown>,
): Promise<Result> {
  const { lead_id } = row
  switch (name) {
    case 'schedule_meeting': {
      if (!isClaimed(entry)) await engageLead(ctx, lead_id)
      return (await bookFor(ctx, lead_id, given, { source_key: `message ${entry.id}` })).result
    }
    case 'update_field':
      return updateField(ctx, lead_id, given, { onlyEmpty: isClaimed(entry) })
    case 'look_up_lead':
      if (isClaimed(entry))
        return { ok: false, refused: true, text: 'Nobody has checked who this visitor is. Ask them.' }
      return lookUp(ctx, lead_id)
    case 'hand_over':
      return { ok: true, text: 'A person takes over.' }
    default:
      return useCustom(ctx, { row, entry, agent }, name, given)
  }
}

/** Asked again after a crash with the same arguments, the service sees the same asking. */
async function useCustom(
  ctx: Context,
  { row, entry, agent }: Pick<ToolScope, 'row' | 'entry' | 'agent'>,
  name: string,
  given: Record<string, unknown>,
): Promise<Result> {
  if (!customTools(agent).some(tool => tool.name === name)) return notGiven
  const ref = `${entry.id} ${name} ${JSON.stringify(given)}`
  const lead_id = isClaimed(entry) ? null : row.lead_id
  return askTool(ctx, agent, name, given, { in: 'conversation', id: row.id, ref, lead_id })
}
