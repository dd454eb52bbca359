import { acceptedTypes } from '#domains/webhooks/values.ts'

/** What can set a workflow off. */
export type Trigger = {
  name: string
  label: string
  description: string
  /** The event that it hears. */
  hears: string
  fields: TriggerField[]
  /** What such an event brings, for trying a workflow out. */
  sample: Record<string, unknown>
}
export type TriggerField = {
  field: string
  label: string
  type: 'text' | 'number' | 'boolean' | 'date' | 'list' | 'map'
}

const field = (name: string, label: string, type: TriggerField['type'] = 'text'): TriggerField => ({
  field: name,
  label,
  type,
})
const voice = [
  field('callId', 'Call'),
  field('leadId', 'Lead'),
  field('from', 'From'),
  field('to', 'To'),
  field('direction', 'Direction'),
]
const ended = [
  ...voice,
  field('durationSec', 'Duration in seconds', 'number'),
  field('outcome', 'Outcome'),
  field('transcript', 'Transcript', 'list'),
]
const endedSample = { callId: 'call_1', direction: 'outbound', durationSec: 200, outcome: 'completed' }
const mail = [field('message_id', 'Message'), field('subject', 'Subject'), field('source_kind', 'Sent by')]

const own: Trigger[] = [
  {
    name: 'lead.created',
    label: 'New Lead Created',
    description: 'A lead is added manually, by a form, by an import or by another system.',
    hears: 'lead.created',
    fields: [field('lead', 'The lead as it was added', 'map')],
    sample: { lead: { first_name: 'Ada', email: 'ada@example.com', source: 'Website' } },
  },
  {
    name: 'deal.stage_changed',
    label: 'Deal Stage Changed',
    description: "A deal's stage or a lead's pipeline stage changes.",
    hears: 'deal.stage_changed',
    fields: [
      field('of', 'Record: lead or opportunity'),
      field('before.stage', 'Previous stage'),
      field('after.stage', 'New stage'),
      field('name', 'Deal name'),
    ],
    sample: { of: 'lead', before: { stage: 'New' }, after: { stage: 'Qualified' } },
  },
  {
    name: 'form.submitted',
    label: 'Form Submitted',
    description: 'Someone submits a form, and it does not look like spam.',
    hears: 'form.submitted',
    fields: [
      field('form_id', 'Form'),
      field('form_name', 'Form name'),
      field('values', 'Answers', 'map'),
      field('utm', 'UTM parameters', 'map'),
    ],
    sample: { form_name: 'Contact', values: { message: 'Please call me' }, utm: { source: 'newsletter' } },
  },
  {
    name: 'task.overdue',
    label: 'Task Overdue',
    description: 'A task passes its due date. Runs once per due date.',
    hears: 'task.overdue',
    fields: [field('title', 'Title'), field('assignee_id', 'Assignee'), field('at', 'Due at', 'date')],
    sample: { title: 'Call Ada back', assignee_id: null, at: '2026-03-02T09:00:00.000Z' },
  },
  {
    name: 'email.opened',
    label: 'Email Opened',
    description: 'A person opens one of your emails. Automated opens are marked.',
    hears: 'email.opened',
    fields: [...mail, field('machine', 'Automated open', 'boolean')],
    sample: { subject: 'A short question', machine: false },
  },
  {
    name: 'call.ended',
    label: 'Call Ended',
    description: 'A call with a lead ends, whether made by an agent or a person, or logged afterwards.',
    hears: 'call.ended',
    fields: [
      ...voice,
      field('kind', 'Kind: agent, human or manual'),
      field('status', 'Final status'),
      field('durationSec', 'Duration in seconds', 'number'),
      field('outcome', 'Outcome'),
      field('summary', 'Summary'),
      field('follow_up.intent', 'Follow-up'),
    ],
    sample: {
      kind: 'agent',
      direction: 'outbound',
      status: 'ENDED',
      durationSec: 200,
      outcome: 'completed',
      summary: 'Talked for 3 min.',
      follow_up: { intent: 'task', reason: 'They talked without agreeing on a next step.' },
    },
  },
  {
    name: 'meeting.booked',
    label: 'Meeting Booked',
    description: 'A lead books a meeting.',
    hears: 'meeting.booked',
    fields: [
      field('title', 'Title'),
      field('starts_at', 'Starts at', 'date'),
      field('ends_at', 'Ends at', 'date'),
    ],
    sample: {
      title: 'Intro call',
      starts_at: '2026-03-04T10:00:00.000Z',
      ends_at: '2026-03-04T10:30:00.000Z',
    },
  },
  {
    name: 'conversation.received',
    label: 'Message Received',
    description:
      'Someone writes to you by email or text message, or answers. Automatic replies do not count.',
    hears: 'conversation.received',
    fields: [
      field('channel', 'Channel: email, sms, chat or whatsapp'),
      field('address', 'From'),
      field('name', 'Name'),
      field('subject', 'Subject'),
      field('text', 'Text'),
      field('assignee_id', 'Assignee'),
      field('is_first', 'First message', 'boolean'),
    ],
    sample: {
      channel: 'email',
      address: 'ada@example.com',
      name: 'Ada Lovelace',
      subject: 'Prices',
      text: 'What does it cost?',
      assignee_id: null,
      is_first: true,
    },
  },
  {
    name: 'conversation.sent',
    label: 'Reply Written',
    description:
      'Someone in the team, or a workflow, writes to a lead. It goes out at the time it was written for.',
    hears: 'conversation.sent',
    fields: [
      field('channel', 'Channel: email, sms, chat or whatsapp'),
      field('subject', 'Subject'),
      field('text', 'Text'),
      field('due_at', 'Sent at', 'date'),
    ],
    sample: {
      channel: 'email',
      subject: 'Re: Prices',
      text: 'It costs ten a month.',
      due_at: '2026-03-02T09:00:10.000Z',
    },
  },
  {
    name: 'conversation.assigned',
    label: 'Conversation Assigned',
    description: 'A conversation is assigned to someone, or to nobody.',
    hears: 'conversation.assigned',
    fields: [field('before', 'Previous assignee'), field('assignee_id', 'Assignee')],
    sample: { before: null, assignee_id: null },
  },
  {
    name: 'conversation.closed',
    label: 'Conversation Closed',
    description: 'Someone, or a workflow, closes a conversation.',
    hears: 'conversation.closed',
    fields: [field('before', 'Previous state')],
    sample: { before: 'OPEN' },
  },
  {
    name: 'conversation.handed_over',
    label: 'Agent Handed Over',
    description: 'An agent leaves a conversation to a person.',
    hears: 'conversation.handed_over',
    fields: [
      field('channel', 'Channel: email, sms or chat'),
      field('agent', 'Agent'),
      field('reason', 'Reason'),
      field('summary', 'Summary'),
      field('text', 'Last message'),
      field('name', 'Name'),
      field('address', 'From'),
      field('assignee_id', 'Assignee'),
    ],
    sample: {
      channel: 'email',
      agent: 'Ava',
      reason: 'They asked for a person.',
      summary: null,
      text: 'Please let me talk to a human.',
      name: 'Ada Lovelace',
      address: 'ada@example.com',
      assignee_id: null,
    },
  },
  {
    name: 'conversation.waiting',
    label: 'Answer Overdue',
    description: 'A message has waited longer for an answer than your target. Runs once per answer.',
    hears: 'conversation.waiting',
    fields: [
      field('channel', 'Channel: email, sms, chat or whatsapp'),
      field('subject', 'Subject'),
      field('text', 'Text'),
      field('assignee_id', 'Assignee'),
      field('since', 'Received at', 'date'),
      field('due_at', 'Due at', 'date'),
    ],
    sample: {
      channel: 'email',
      subject: 'Prices',
      text: 'What does it cost?',
      assignee_id: null,
      since: '2026-03-02T09:00:00.000Z',
      due_at: '2026-03-02T10:00:00.000Z',
    },
  },
  {
    name: 'conversation.escalated',
    label: 'Answer Escalated',
    description: 'An answer has stayed overdue for longer than your settings allow. Runs once per answer.',
    hears: 'conversation.escalated',
    fields: [
      field('channel', 'Channel: email or sms'),
      field('subject', 'Subject'),
      field('text', 'Text'),
      field('assignee_id', 'Assignee'),
      field('since', 'Received at', 'date'),
      field('due_at', 'Due at', 'date'),
    ],
    sample: {
      channel: 'email',
      subject: 'Prices',
      text: 'What does it cost?',
      assignee_id: null,
      since: '2026-03-02T09:00:00.000Z',
      due_at: '2026-03-02T10:00:00.000Z',
    },
  },
  {
    name: 'candidate.facts_changed',
    label: 'Company Facts Changed',
    description: "A company's website has changed since it was last crawled.",
    hears: 'candidate.facts_changed',
    fields: [
      field('domain', 'Domain'),
      field('name', 'Company name'),
      field('added', 'Added facts', 'list'),
      field('gone', 'Removed facts', 'list'),
    ],
    sample: {
      domain: 'example.com',
      name: 'Example',
      added: [
        {
          kind: 'technology',
          label: null,
          value: 'Shopify',
          url: 'https://example.com/',
          at: '2026-03-04T10:00:00.000Z',
        },
      ],
      gone: [],
    },
  },
]

const webhookFields: Record<string, { fields: TriggerField[]; sample: Record<string, unknown> }> = {
  call_ended: { fields: ended, sample: endedSample },
  call_connected: { fields: voice, sample: { callId: 'call_1', direction: 'inbound' } },
  tool_call: {
    fields: [...voice, field('tool', 'Tool'), field('arguments', 'Arguments', 'map')],
    sample: { callId: 'call_1', tool: 'schedule_meeting', arguments: { startsAt: '2026-03-04T10:00:00Z' } },
  },
}

/** One for every event that providers may send. */
const webhooks: Trigger[] = Object.entries(acceptedTypes).flatMap(([endpoint, types]) =>
  types.map(type => ({
    name: `webhook:${type}`,
    label: `Webhook ${type}`,
    description: `The ${endpoint} provider sends ${type}.`,
    hears: `webhook:${type}`,
    ...(webhookFields[type] ?? { fields: [], sample: {} }),
  })),
)

export const triggers: readonly Trigger[] = [...own, ...webhooks]

const byName = new Map(triggers.map(trigger => [trigger.name, trigger]))
const byLabel = new Map(own.map(trigger => [trigger.label.toLowerCase(), trigger]))
const WEBHOOK = /^webhook:[A-Za-z0-9_.:-]{1,100}$/

/** The event that we send ourselves, to the webhook of a form. */
const OWN_WEBHOOK = 'webhook:form.submitted'

/** By name or by label. A webhook event that no provider sends yet is still a trigger. */
export function triggerOf(text: string): Trigger | undefined {
  const name = text === OWN_WEBHOOK ? 'form.submitted' : text
  const known = byName.get(name) ?? byLabel.get(text.trim().toLowerCase())
  if (known || !WEBHOOK.test(text)) return known
  return { name: text, label: text, description: '', hears: text, fields: [], sample: {} }
}

export function isKnownTrigger(name: string): boolean {
  return byName.has(name)
}

/** Every event that some trigger hears. */
export const triggerEvents = [...new Set(triggers.map(({ hears }) => hears))]
