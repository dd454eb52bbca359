import type { Context } from '#platform/context.ts'
import { findLead } from '#domains/leads/service.ts'
import { nameOf } from '#domains/leads/model.ts'
import { listMeetings } from '#domains/meetings/service.ts'
import type { ToolResult } from '../lines.ts'
import { inWords } from '../model.ts'
import { findPastOfLead } from '../store.ts'
import { keptLine } from '../text.ts'
import type { Tool } from './tool.ts'

const PAST_CALLS_MAX = 3

export const lookUpLead: Tool = {
  use: (ctx, { call }) => lookUp(ctx, call.lead_id, call.id),
}

/**
 * Data about the person whom the agent talks with only: the model cannot choose another lead. Caller IDs can be spoofed,
 * so contact details are masked.
 */
export async function lookUp(ctx: Context, lead_id: string | null, but_call?: string): Promise<ToolResult> {
  const lead = lead_id ? await findLead(ctx, lead_id) : undefined
  if (!lead) return { ok: false, text: 'This person is not in the CRM.' }
  const past = (await findPastOfLead(ctx, lead.id, PAST_CALLS_MAX + 1)).filter(({ id }) => id !== but_call)
  const meetings = await listMeetings(ctx, {
    lead_id: lead.id,
    from: ctx.now(),
    status: ['BOOKED'],
    limit: 3,
  })
  const facts = [
    fact('Name', nameOf(lead)),
    fact('Company', lead.company),
    fact('Title', lead.title),
    fact('Email', lead.email && masked(lead.email)),
    fact('Time zone', lead.timezone),
    fact('Stage', lead.pipeline_stage),
    ...meetings.data.map(({ title, starts_at }) => fact('Meeting', `${title}, ${inWords(starts_at)}`)),
    ...past
      .slice(0, PAST_CALLS_MAX)
      .map(({ started_at, summary, outcome }) =>
        fact('Earlier call', `${inWords(started_at)}: ${summary ?? outcome ?? 'no notes'}`),
      ),
  ]
  return { ok: true, text: facts.filter(Boolean).join('\n') }
}

/** One line each, so that nothing in a name can pass for another fact. */
function fact(name: string, value: string | null): string | undefined {
  const text = keptLine(value ?? '', 300)
  return text && `${name}: ${text}`
}

function masked(email: string): string {
  return email.replace(/^(.).*(?=@)/, '$1…')
}
