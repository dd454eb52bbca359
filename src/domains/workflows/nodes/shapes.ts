/** The fields of each action. Its implementation is in the file of its name. */

import { Currency, Id, Money, t, type TSchema } from '#platform/contract.ts'
import { agentModes, LABEL_LENGTH_MAX, type AgentMode } from '#domains/conversations/values.ts'
import type { ActionName } from '../values.ts'
import { duration, line, longText, Value, type ActionShape } from './kind.ts'

const PLACEHOLDERS = 'May contain {{firstName}} and other lead fields, and {{event.durationSec}}'
const wait = t.Optional(duration({ title: 'Wait before' }))
const templateName = t.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  title: 'Template',
  description: 'A template name',
  control: 'template',
})
const person = (title: string) =>
  t.String({ pattern: patternOf(Id), title, description: 'A team member', control: 'member' })

export const shapes = {
  send_email: {
    action: 'send_email',
    title: 'Send email',
    description: 'Sends a template to the lead. Suppressed addresses are skipped.',
    fields: { delay: wait, template: templateName },
  },
  send_sms: {
    action: 'send_sms',
    title: 'Send SMS',
    description: 'Sends a text message to the lead.',
    fields: {
      delay: wait,
      message: t.Optional(longText({ title: 'Message', description: PLACEHOLDERS, control: 'long_text' })),
      template: t.Optional(templateName),
    },
  },
  create_task: {
    action: 'create_task',
    title: 'Create task',
    description: "Assigned to the lead's owner by default.",
    fields: {
      delay: wait,
      title: t.Optional(line({ title: 'Title', description: PLACEHOLDERS, control: 'text' })),
      description: t.Optional(
        longText({ title: 'Description', description: PLACEHOLDERS, control: 'long_text' }),
      ),
      due: t.Optional(duration({ title: 'Due in', description: 'a time like 2d after it is created' })),
      assignee_id: t.Optional(person('For')),
    },
  },
  update_field: {
    action: 'update_field',
    title: 'Update field',
    description: 'Sets a field of the lead, or of the related deal, task or account.',
    fields: {
      delay: wait,
      record: t.Optional(
        t.Unsafe<'lead' | 'opportunity' | 'task' | 'account'>(
          t.Enum(['lead', 'opportunity', 'task', 'account'], {
            title: 'Record',
            control: 'choice',
            description: 'the lead by default',
          }),
        ),
      ),
      field: t.String({
        pattern: '^[A-Za-z_][\\w-]{0,59}(?:\\.[\\w-]{1,60}){0,2}$',
        title: 'Field',
        description: 'A field, like pipeline_stage or custom.plan',
        control: 'lead_field',
      }),
      value: Value({ title: 'New value' }),
    },
  },
  assign_to_rep: {
    action: 'assign_to_rep',
    title: 'Assign to rep',
    description: "Sets the lead's owner: one person, or several by round robin.",
    fields: {
      delay: wait,
      member: t.Optional(person('Person')),
      members: t.Optional(
        t.Array(t.String({ pattern: patternOf(Id) }), {
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          title: 'Round robin',
          control: 'members',
        }),
      ),
    },
  },
  push_notification: {
    action: 'push_notification',
    title: 'Push notification',
    description: 'Appears in Rapport immediately, and in browsers that allow notifications.',
    fields: {
      delay: wait,
      to: t.Optional(
        t.String({
          pattern: '^(?:owner|admins|everybody|[0-9a-f]{24})$',
          title: 'To',
          description:
            "owner (the lead's owner, or the admins if there is none), admins, everybody, or a person",
          control: 'recipient',
        }),
      ),
      title: t.Optional(line({ title: 'Title', description: PLACEHOLDERS, control: 'text' })),
      message: t.Optional(longText({ title: 'Message', description: PLACEHOLDERS, control: 'long_text' })),
    },
  },
  create_project: {
    action: 'create_project',
    title: 'Create project',
    description: "For the lead's account, and for the deal if there is one.",
    fields: {
      delay: wait,
      title: t.Optional(line({ title: 'Name', description: PLACEHOLDERS, control: 'text' })),
    },
  },
  generate_invoice: {
    action: 'generate_invoice',
    title: 'Generate invoice',
    description: 'Creates an invoice for the lead, or a task if invoicing is not set up.',
    fields: {
      delay: wait,
      amount: t.String({
        pattern: patternOf(Money),
        title: 'Amount',
        description: 'like 1250.50',
        control: 'money',
      }),
      currency: t.String({
        pattern: patternOf(Currency),
        title: 'Currency',
        description: 'like EUR',
        control: 'currency',
      }),
      description: t.Optional(line({ title: 'For', description: PLACEHOLDERS, control: 'text' })),
      due: t.Optional(duration({ title: 'Due in' })),
    },
  },
  call_webhook: {
    action: 'call_webhook',
    title: 'Call webhook',
    description: 'Notifies another system: signed, retried on failure, listed under Webhooks.',
    fields: {
      delay: wait,
      url: t.String({
        maxLength: 2000,
        pattern: '^https://(?![^/?#]*@)[^\\s<>"\\u0000-\\u001f]+$',
        title: 'Address',
        description: 'an https URL without a user name or password',
        control: 'url',
      }),
    },
  },
  schedule_call: {
    action: 'schedule_call',
    title: 'Schedule call',
    description:
      "By a voice agent, outside quiet hours. Creates a task for the lead's owner if no agent may call.",
    fields: {
      delay: wait,
      agent: t.Optional(line({ title: 'Agent', description: 'the oldest by default', control: 'agent' })),
      note: t.Optional(
        longText({ title: 'What it is about', description: PLACEHOLDERS, control: 'long_text' }),
      ),
      due: t.Optional(
        duration({
          title: 'Call in',
          description: 'a time like 1d; the next step does not wait for the call',
        }),
      ),
    },
  },
  reply: {
    action: 'reply',
    title: 'Reply',
    description: 'Continues the conversation with the lead, on the channel of its last message.',
    fields: {
      delay: wait,
      message: longText({ title: 'Message', description: PLACEHOLDERS, control: 'long_text' }),
    },
  },
  update_conversation: {
    action: 'update_conversation',
    title: 'Update conversation',
    description:
      'Assigns, labels, closes, reopens or snoozes the conversation with the lead, or gives it to an agent.',
    fields: {
      delay: wait,
      assignee_id: t.Optional(person('Assign to')),
      label: t.Optional(
        t.String({
          minLength: 1,
          maxLength: LABEL_LENGTH_MAX,
          pattern: '^[^\\u0000-\\u001f\\u007f]*$',
          title: 'Add label',
          control: 'text',
        }),
      ),
      state: t.Optional(
        t.Unsafe<'KEEP' | 'CLOSED' | 'OPEN'>(
          t.Enum(['KEEP', 'CLOSED', 'OPEN'], {
            title: 'State',
            description: 'unchanged by default',
            control: 'choice',
          }),
        ),
      ),
      snooze: t.Optional(duration({ title: 'Snooze for' })),
      agent_id: t.Optional(
        t.String({ pattern: patternOf(Id), title: 'Agent', control: 'conversation_agent' }),
      ),
      agent_mode: t.Optional(
        t.Unsafe<AgentMode>(
          t.Enum([...agentModes], {
            title: 'The agent',
            description: 'unchanged by default; draft for a person, auto to answer',
            control: 'choice',
          }),
        ),
      ),
    },
  },
  create_lead: {
    action: 'create_lead',
    title: 'Create lead',
    description:
      'For someone who writes to you and is not a lead. If a lead has the address, the conversation is linked to that lead. Later steps are about the lead.',
    fields: {
      delay: wait,
      first_name: t.Optional(
        line({ title: 'First name', description: 'from the name of the sender by default', control: 'text' }),
      ),
      last_name: t.Optional(line({ title: 'Last name', control: 'text' })),
      email: t.Optional(
        line({ title: 'Email', description: 'the address they wrote from by default', control: 'text' }),
      ),
      phone: t.Optional(
        line({ title: 'Phone', description: 'the number they wrote from by default', control: 'text' }),
      ),
      company: t.Optional(line({ title: 'Company', control: 'text' })),
      title: t.Optional(line({ title: 'Job title', control: 'text' })),
      source: t.Optional(line({ title: 'Source', description: 'Conversation by default', control: 'text' })),
    },
  },
} as const satisfies Record<ActionName, ActionShape>

function patternOf(schema: TSchema): string {
  return (schema as { pattern?: string }).pattern!
}
