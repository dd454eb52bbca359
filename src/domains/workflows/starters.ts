import type { Definition } from './definition.ts'

/** Workflows to begin with. */
export const starters: { key: string; name: string; description: string; definition: Definition }[] = [
  {
    key: 'call_follow_up',
    name: 'Call follow-up',
    description:
      'After a long call: sends a recap, moves the stage and creates a task two days later. After a short one: sends a booking link and calls again the next day.',
    definition: {
      trigger: 'webhook:call_ended',
      filters: [],
      once_per_lead: false,
      nodes: [
        {
          type: 'condition',
          field: 'durationSec',
          op: '>',
          value: 120,
          else: [
            {
              type: 'action',
              action: 'send_sms',
              message: 'Hi {{firstName | default: "there"}}, we were cut short. Pick a time: {{meetingLink}}',
            },
            {
              type: 'action',
              action: 'schedule_call',
              delay: '1d',
              note: 'The last call was short. Try again.',
            },
          ],
        },
        { type: 'action', action: 'send_email', template: 'recap' },
        { type: 'action', action: 'update_field', field: 'pipeline_stage', value: 'Engage_Human' },
        { type: 'action', action: 'create_task', delay: '2d', title: 'Follow up with {{fullName}}' },
      ],
    },
  },
  {
    key: 'new_lead',
    name: 'Welcome a new lead',
    description:
      'Assigns an owner, notifies them, sends a first email during office hours and follows up after three days.',
    definition: {
      trigger: 'lead.created',
      filters: [{ field: 'lead.email', op: 'exists' }],
      once_per_lead: true,
      nodes: [
        { type: 'action', action: 'push_notification', to: 'owner', title: 'New lead: {{fullName}}' },
        { type: 'delay', window: { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' } },
        { type: 'action', action: 'send_email', template: 'intro' },
        { type: 'delay', delay: '3d' },
        { type: 'condition', field: 'lead.pipeline_stage', op: '==', value: 'New' },
        { type: 'action', action: 'create_task', title: 'Call {{fullName}}: no reply to the first email' },
      ],
    },
  },
  {
    key: 'deal_won',
    name: 'A deal is won',
    description: 'Creates its project and notifies everyone.',
    definition: {
      trigger: 'deal.stage_changed',
      filters: [
        { field: 'of', op: '==', value: 'opportunity' },
        { field: 'after.stage', op: '==', value: 'closed_won' },
      ],
      once_per_lead: false,
      nodes: [
        { type: 'action', action: 'create_project' },
        { type: 'action', action: 'push_notification', to: 'everybody', title: 'Won: {{event.name}}' },
      ],
    },
  },
  {
    key: 'form_in_turn',
    name: 'Distribute form leads',
    description: 'Assigns each form lead to the next person, creates a task and replies immediately.',
    definition: {
      trigger: 'form.submitted',
      filters: [],
      once_per_lead: false,
      nodes: [
        { type: 'action', action: 'create_task', due: '4h', title: 'Reply to {{fullName}}' },
        { type: 'action', action: 'send_email', template: 'intro' },
      ],
    },
  },
]
