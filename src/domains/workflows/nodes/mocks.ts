import type { Lead } from '#domains/leads/contract.ts'
import { leadValues, type Values } from '#domains/templates/placeholders.ts'
import type { ActionNode } from '../definition.ts'
import type { Done } from '../state.ts'
import type { Facts } from '../fields.ts'
import type { ActionName } from '../values.ts'
import { failed } from './answers.ts'
import { calledOf, type Asked } from './asked.ts'
import { given as assignment } from './assign-to-rep.ts'
import { faultIn as faultInAddress, given as webhook } from './call-webhook.ts'
import { given as project } from './create-project.ts'
import { given as task } from './create-task.ts'
import { given as invoice } from './generate-invoice.ts'
import { given as notification } from './push-notification.ts'
import { given as call } from './schedule-call.ts'
import { given as email, NO_ADDRESS } from './send-email.ts'
import { faultIn as faultInMessage, given as sms, NO_NUMBER } from './send-sms.ts'
import { changeOf, given as field } from './update-field.ts'

export type Mocked = {
  node: ActionNode
  facts: Facts
  lead: Lead | null
  zone: string
  nowMs: number
  workflow?: { name: string }
  /** What texts may name; without them, the fields of the lead. */
  values?: Values
}

/**
 * What an action would answer, while nothing is done: what it is given, with its texts filled in and its dates counted.
 * A lead is not asked for: whoever tries a workflow out with an event alone sees all of it.
 */
export function mock({ node, facts, lead, zone, nowMs, workflow, values }: Mocked): Done {
  const asked: Asked = {
    node,
    facts,
    lead,
    zone,
    nowMs,
    workflow: workflow ?? { name: 'Workflow' },
    values: values ?? (lead ? leadValues(lead) : {}),
  }
  return mocks[node.action](asked as never)
}

const mocks: { [Action in ActionName]: (asked: Asked<Action>) => Done } = {
  send_email(asked) {
    const { lead, node } = asked
    const input = email(asked)
    if (lead && !lead.email) return failed(input, NO_ADDRESS)
    return would(input, `Would send the template ${node.template} to ${lead?.email ?? 'the lead'}.`)
  },
  send_sms(asked) {
    const { lead } = asked
    const input = sms(asked)
    if (lead && !lead.phone) return failed(input, NO_NUMBER)
    const fault = lead && input.message !== undefined ? faultInMessage(input.message) : undefined
    return fault ? failed(input, fault) : would(input, `Would text ${lead?.phone ?? 'the lead'}.`)
  },
  create_task(asked) {
    const input = task(asked)
    return would(input, `Would make the task “${input.title}”.`)
  },
  update_field(asked) {
    const input = field(asked)
    const change = changeOf(input)
    if (typeof change === 'string') return failed(input, change)
    return would(input, input.value === null ? `Would empty ${input.field}.` : `Would set ${input.field}.`)
  },
  assign_to_rep(asked) {
    const input = assignment(asked)
    const turns = asked.node.member === undefined ? ', in turn' : ''
    return would(input, `Would make somebody the owner of ${calledOf(asked.lead)}${turns}.`)
  },
  push_notification(asked) {
    const input = notification(asked)
    return would(input, `Would notify ${audience[input.to] ?? 'one person'}: ${input.title}`)
  },
  create_project(asked) {
    const input = project(asked)
    return would(input, `Would make the project ${input.name ?? 'of the deal'}.`)
  },
  generate_invoice(asked) {
    const input = invoice(asked)
    return would(
      input,
      `Would write an invoice of ${input.amount} ${input.currency} to ${calledOf(asked.lead)}.`,
    )
  },
  call_webhook(asked) {
    const input = webhook(asked)
    const fault = faultInAddress(asked.node.url!)
    return fault ? failed(input, fault) : would(input, `Would call ${input.url}.`)
  },
  schedule_call(asked) {
    return would(call(asked), `Would schedule a call with ${calledOf(asked.lead)}.`)
  },
}

const audience: Record<string, string> = {
  owner: 'the owner of the lead',
  admins: 'the admins',
  everybody: 'everybody in the team',
}

function would(input: Record<string, unknown>, note: string): Done {
  return { ok: true, input, note }
}
