import type { Context } from '#platform/context.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { checkAutomatic, checkSending, findConversationOfLead } from '#domains/conversations/service.ts'
import { membersAmong } from '#domains/identity/members.ts'
import { faultsIn } from '#domains/leads/model.ts'
import { recentSettings } from '#domains/leads/service.ts'
import { leadValues, type Values } from '#domains/templates/placeholders.ts'
import type { ActionNode } from '../definition.ts'
import type { Done } from '../state.ts'
import type { Facts } from '../fields.ts'
import type { ActionName } from '../values.ts'
import { failed, skipped, wordsOf } from './answers.ts'
import { calledOf, type Asked } from './asked.ts'
import { candidatesOf, given as assignment, NOBODY as NO_REP } from './assign-to-rep.ts'
import { faultIn as faultInAddress, given as webhook } from './call-webhook.ts'
import { calledBy, faultIn as faultInLead, given as newLead, HAS_LEAD } from './create-lead.ts'
import { given as project } from './create-project.ts'
import { given as task } from './create-task.ts'
import { given as invoice } from './generate-invoice.ts'
import { learn } from './outreach.ts'
import { given as notification, NOBODY as NO_RECIPIENT, peopleOf, recipients } from './push-notification.ts'
import { given as answer, NO_CONVERSATION } from './reply.ts'
import { given as call, NO_AGENTS, whenOf } from './schedule-call.ts'
import { given as email, mailFor } from './send-email.ts'
import { given as sms, textFor } from './send-sms.ts'
import { changesIn, given as conversation } from './update-conversation.ts'
import { changeOf, customFields, given as field } from './update-field.ts'

export type Mocked = {
  node: ActionNode
  facts: Facts
  lead: Lead | null
  zone: string
  nowMs: number
  workflow?: { name: string; author_id: string | null }
  /** What texts may name; without them, the fields of the lead. */
  values?: Values
  /** As if the team's outreach were not paused. */
  resumed?: boolean
}

/**
 * What an action would return, without side effects: its input with texts filled in and dates computed, and
 * what would hold it, checked by the action's own code. No lead is required: a test with an event alone shows
 * everything.
 */
export async function mock(ctx: Context, mocked: Mocked): Promise<Done> {
  const { lead, workflow, values, resumed = false, ...about } = mocked
  const asked: Asking = {
    ...about,
    ctx,
    lead,
    resumed,
    workflow: workflow ?? { name: 'Workflow', author_id: null },
    values: values ?? (lead ? leadValues(lead) : {}),
  }
  return mocks[mocked.node.action](asked as never)
}

type Asking<Action extends ActionName = ActionName> = Asked<Action> & { ctx: Context; resumed: boolean }

const mocks: { [Action in ActionName]: (asked: Asking<Action>) => Done | Promise<Done> } = {
  async send_email(asked) {
    const { ctx, node, lead } = asked
    if (!lead) return would(email(asked), `Would send the template ${node.template} to the lead.`)
    const mail = mailFor(asked, ctx.newId(), await known(asked, 'email'))
    if (!('to' in mail)) return mail
    return would(mail.input, `Would send the template ${node.template} to ${mail.to}.`)
  },
  async send_sms(asked) {
    if (!asked.lead) return would(sms(asked), 'Would text the lead.')
    const message = textFor(asked, await known(asked, 'phone'))
    return 'to' in message ? would(message.input, `Would text ${message.to}.`) : message
  },
  create_task(asked) {
    const input = task(asked)
    return would(input, `Would create the task “${input.title}”.`)
  },
  async update_field(asked) {
    const { ctx, lead } = asked
    const input = field(asked)
    const change = changeOf(input, (await customFields(ctx, [asked]))[input.record])
    if (typeof change === 'string') return failed(input, change)
    const wrong = input.record === 'lead' && lead ? faultsIn(change, await recentSettings(ctx)) : []
    if (wrong.length > 0) return failed(input, wrong.map(wordsOf).join('; '))
    return would(input, input.value === null ? `Would clear ${input.field}.` : `Would set ${input.field}.`)
  },
  async assign_to_rep(asked) {
    const input = assignment(asked)
    const people = await membersAmong(asked.ctx, candidatesOf(asked))
    if (people.size === 0) return failed(input, NO_REP)
    const turns = asked.node.member === undefined ? ' by round robin' : ''
    return would(input, `Would assign an owner to ${calledOf(asked.lead)}${turns}.`)
  },
  async push_notification(asked) {
    const input = notification(asked)
    const people = recipients(input.to, asked.lead?.owner_id ?? null, await peopleOf(asked.ctx))
    if (people.length === 0) return failed(input, NO_RECIPIENT)
    return would(input, `Would notify ${audience[input.to] ?? 'one person'}: ${input.title}`)
  },
  create_project(asked) {
    const input = project(asked)
    return would(input, `Would create the project ${input.name ?? 'for the deal'}.`)
  },
  generate_invoice(asked) {
    const input = invoice(asked)
    return would(
      input,
      `Would create an invoice for ${input.amount} ${input.currency} to ${calledOf(asked.lead)}.`,
    )
  },
  call_webhook(asked) {
    const input = webhook(asked)
    const fault = faultInAddress(asked.node.url!)
    return fault ? failed(input, fault) : would(input, `Would call ${input.url}.`)
  },
  async schedule_call(asked) {
    const { ctx, lead, zone, workflow } = asked
    const input = call(asked)
    if (!lead) return would(input, 'Would schedule a call with the lead.')
    const { planCall } = ctx.runtime.registry.offers
    const plan = planCall ? await planCall(ctx, { lead_id: lead.id, ...input }) : { instead: NO_AGENTS }
    if ('refused' in plan) return failed(input, plan.refused)
    if ('instead' in plan) {
      const candidates = [lead.owner_id, workflow.author_id].filter(id => id !== null)
      const people = await membersAmong(ctx, candidates)
      const assignee_id = candidates.find(id => people.has(id)) ?? null
      const note = `Would create a task to call ${calledOf(lead)}: ${plan.instead}.`
      return would({ ...input, assignee_id }, note)
    }
    return would(input, `Would call ${calledOf(lead)} ${whenOf(plan.at, input.at, zone)}.`)
  },
  async reply(asked) {
    const input = answer(asked)
    const { ctx, lead } = asked
    if (!lead) return would(input, 'Would reply to the lead.')
    const found = await findConversationOfLead(ctx, lead.id)
    if (!found) return failed(input, NO_CONVERSATION)
    const loop = await checkAutomatic(ctx, found)
    if (loop !== null) return failed(input, loop)
    const { refusal, detail } = await checkSending(ctx, found, undefined)
    return refusal ? failed(input, detail!) : would(input, `Would reply to ${calledOf(lead)}.`)
  },
  create_lead(asked) {
    const input = newLead(asked)
    if (asked.lead) return skipped(input, HAS_LEAD)
    const fault = faultInLead(input)
    return fault ? failed(input, fault) : would(input, `Would create the lead ${calledBy(input)}.`)
  },
  async update_conversation(asked) {
    const input = conversation(asked)
    const { ctx, lead } = asked
    if (lead && !(await findConversationOfLead(ctx, lead.id))) return failed(input, NO_CONVERSATION)
    return would(input, `Would update the conversation: ${changesIn(input).join(', ')}.`)
  },
}

const audience: Record<string, string> = {
  owner: 'the owner of the lead',
  admins: 'the admins',
  everybody: 'everyone in the team',
}

async function known(asked: Asking<'send_email' | 'send_sms'>, channel: 'email' | 'phone') {
  const learned = await learn(asked.ctx, channel, [asked])
  return { ...learned, paused: learned.paused && !asked.resumed }
}

function would(input: Record<string, unknown>, note: string): Done {
  return { ok: true, input, note }
}
