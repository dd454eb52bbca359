/** What each action takes: the schema of its own fields. How it is done stands in the file of its name. */

import { Currency, Id, Money, t, type TSchema } from '#platform/contract.ts'
import type { ActionName } from '../values.ts'
import { duration, line, longText, Value, type ActionShape } from './kind.ts'

const PLACEHOLDERS = 'May hold {{firstName}} and other fields of the lead, and {{event.durationSec}}'
const wait = t.Optional(duration({ title: 'Wait before' }))
const templateName = t.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  title: 'Template',
  description: 'The name of a template',
  control: 'template',
})
const person = (title: string) =>
  t.String({ pattern: patternOf(Id), title, description: 'Somebody of the team', control: 'member' })

export const shapes = {
  send_email: {
    action: 'send_email',
    title: 'Send email',
    description: 'Sends a template to the lead. Nobody who asked not to be written to gets it.',
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
    description: 'For the owner of the lead, unless somebody else is named.',
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
    description: 'Sets a field of the lead, or of the deal, task or account that it is about.',
    fields: {
      delay: wait,
      record: t.Optional(
        t.Unsafe<'lead' | 'opportunity' | 'task' | 'account'>(
          t.Enum(['lead', 'opportunity', 'task', 'account'], {
            title: 'Record',
            control: 'choice',
            description: 'the lead unless told',
          }),
        ),
      ),
      field: t.String({
        pattern: '^[A-Za-z_][\\w-]{0,59}(?:\\.[\\w-]{1,60}){0,2}$',
        title: 'Field',
        description: 'Like pipeline_stage or custom.plan',
        control: 'lead_field',
      }),
      value: Value({ title: 'New value' }),
    },
  },
  assign_to_rep: {
    action: 'assign_to_rep',
    title: 'Assign to rep',
    description: 'Makes somebody the owner of the lead: one person, or several in turn.',
    fields: {
      delay: wait,
      member: t.Optional(person('Person')),
      members: t.Optional(
        t.Array(t.String({ pattern: patternOf(Id) }), {
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          title: 'In turn',
          control: 'members',
        }),
      ),
    },
  },
  push_notification: {
    action: 'push_notification',
    title: 'Push notification',
    description: 'Appears in Rapport at once, and in the browser of whoever allowed it.',
    fields: {
      delay: wait,
      to: t.Optional(
        t.String({
          pattern: '^(?:owner|admins|everybody|[0-9a-f]{24})$',
          title: 'To',
          description: 'owner (of the lead; else the admins), admins, everybody, or a person',
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
    description: 'For the account of the lead, and for the deal where it is about one.',
    fields: {
      delay: wait,
      title: t.Optional(line({ title: 'Name', description: PLACEHOLDERS, control: 'text' })),
    },
  },
  generate_invoice: {
    action: 'generate_invoice',
    title: 'Generate invoice',
    description: 'To the lead. Where invoices are not kept here, it is a task for somebody to write it.',
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
    description: 'Tells another system: signed, tried again until it answers, listed under Webhooks.',
    fields: {
      delay: wait,
      url: t.String({
        maxLength: 2000,
        pattern: '^https://(?![^/?#]*@)[^\\s<>"\\u0000-\\u001f]+$',
        title: 'Address',
        description: 'an https address, without a user name or password in it',
        control: 'url',
      }),
    },
  },
  schedule_call: {
    action: 'schedule_call',
    title: 'Schedule call',
    description:
      'By a voice agent, outside quiet hours. Where none may call, it is a task for the owner of the lead.',
    fields: {
      delay: wait,
      agent: t.Optional(
        line({ title: 'Agent', description: 'the oldest one unless told', control: 'agent' }),
      ),
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
} as const satisfies Record<ActionName, ActionShape>

function patternOf(schema: TSchema): string {
  return (schema as { pattern?: string }).pattern!
}
