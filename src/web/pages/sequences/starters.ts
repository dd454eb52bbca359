import type { NewSequence } from '#domains/sequences/contract.ts'

export type Starter = { key: string; name: string; about: string; steps: NonNullable<NewSequence['steps']> }

/** Common starting points, using the templates every team starts with. */
export const starters: readonly [Starter, ...Starter[]] = [
  { key: 'blank', name: 'Blank', about: 'No steps yet', steps: [] },
  {
    key: 'call',
    name: 'Intro, follow-up, call',
    about: 'An email, a second one after 3 days, and a call 4 days later',
    steps: [
      { type: 'email', template: 'intro' },
      { type: 'email', template: 'follow_up', delay_days: 3 },
      { type: 'task', description: 'Call and ask about the emails', delay_days: 4 },
    ],
  },
  {
    key: 'journey',
    name: 'Personal journey',
    about:
      'An email with an icebreaker, a second one after 3 days if it was not opened, a task, a text message',
    steps: [
      { type: 'email', template: 'intro', ai_personalization: true },
      { type: 'email', template: 'follow_up', delay_days: 3, condition: 'not previous.opened' },
      { type: 'task', description: 'Look at the profile and call', delay_days: 2 },
      {
        type: 'sms',
        message: 'Hi {{firstName}}, I sent you an email last week. When would be a good time to talk?',
        delay_days: 2,
      },
    ],
  },
]
