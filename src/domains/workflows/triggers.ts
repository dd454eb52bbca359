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
    description: 'A lead is added: by hand, by a form, by an import or by another system.',
    hears: 'lead.created',
    fields: [field('lead', 'The lead as it was added', 'map')],
    sample: { lead: { first_name: 'Ada', email: 'ada@example.com', source: 'Website' } },
  },
  {
    name: 'deal.stage_changed',
    label: 'Deal Stage Changed',
    description: 'The stage of a deal, or the pipeline stage of a lead.',
    hears: 'deal.stage_changed',
    fields: [
      field('of', 'Whose: lead or opportunity'),
      field('before.stage', 'Stage before'),
      field('after.stage', 'Stage now'),
      field('name', 'Name of the deal'),
    ],
    sample: { of: 'lead', before: { stage: 'New' }, after: { stage: 'Qualified' } },
  },
  {
    name: 'form.submitted',
    label: 'Form Submitted',
    description: 'Somebody has sent a form that is not suspected to be spam.',
    hears: 'form.submitted',
    fields: [
      field('form_id', 'Form'),
      field('form_name', 'Name of the form'),
      field('values', 'Answers', 'map'),
      field('utm', 'UTM parameters', 'map'),
    ],
    sample: { form_name: 'Contact', values: { message: 'Please call me' }, utm: { source: 'newsletter' } },
  },
  {
    name: 'task.overdue',
    label: 'Task Overdue',
    description: 'A task is not done by its due date. Each due date is told once.',
    hears: 'task.overdue',
    fields: [field('title', 'Title'), field('assignee_id', 'Whose task'), field('at', 'Was due at', 'date')],
    sample: { title: 'Call Ada back', assignee_id: null, at: '2026-03-02T09:00:00.000Z' },
  },
  {
    name: 'email.opened',
    label: 'Email Opened',
    description: 'A mail of ours is opened by a person; programs that open mails are told apart.',
    hears: 'email.opened',
    fields: [...mail, field('machine', 'Opened by a program', 'boolean')],
    sample: { subject: 'A short question', machine: false },
  },
  {
    name: 'call.ended',
    label: 'Call Ended',
    description:
      'A call with a lead is over, whoever made it: an agent, a person, or one that was written down.',
    hears: 'call.ended',
    fields: [
      ...voice,
      field('kind', 'Who spoke: agent, human or manual'),
      field('status', 'How it ended'),
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
      follow_up: { intent: 'task', reason: 'They talked, and nothing else was agreed on.' },
    },
  },
  {
    name: 'meeting.booked',
    label: 'Meeting Booked',
    description: 'A lead has booked a meeting.',
    hears: 'meeting.booked',
    fields: [
      field('title', 'Title'),
      field('starts_at', 'Begins at', 'date'),
      field('ends_at', 'Ends at', 'date'),
    ],
    sample: {
      title: 'Intro call',
      starts_at: '2026-03-04T10:00:00.000Z',
      ends_at: '2026-03-04T10:30:00.000Z',
    },
  },
  {
    name: 'candidate.facts_changed',
    label: 'Company Facts Changed',
    description: 'The site of a company says something else than when it was read before.',
    hears: 'candidate.facts_changed',
    fields: [
      field('domain', 'Domain'),
      field('name', 'Name of the company'),
      field('added', 'What is new', 'list'),
      field('gone', 'What is said no longer', 'list'),
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

/** By its name or by its label. A webhook event that nobody sends yet is a trigger all the same. */
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
export const heardEvents = [...new Set(triggers.map(({ hears }) => hears))]
