import type { NewSequence } from '#domains/sequences/contract.ts'

export type Starter = { key: string; name: string; about: string; steps: NonNullable<NewSequence['steps']> }

/** What most sequences begin as, with the templates that every team begins with. */
export const starters: readonly [Starter, ...Starter[]] = [
  { key: 'blank', name: 'Blank', about: 'No steps yet', steps: [] },
  {
    key: 'call',
    name: 'Intro, follow-up, call',
    about: 'A mail, a second one after 3 days, and a call to make after 4 more',
    steps: [
      { type: 'email', template: 'intro' },
      { type: 'email', template: 'follow_up', delay_days: 3 },
      { type: 'task', description: 'Call and ask whether the mails were of interest', delay_days: 4 },
    ],
  },
  {
    key: 'journey',
    name: 'Personal journey',
    about:
      'A mail with an icebreaker, after 3 days a second one to those who did not open it, a task, a text message',
    steps: [
      { type: 'email', template: 'intro', ai_personalization: true },
      { type: 'email', template: 'follow_up', delay_days: 3, condition: 'not previous.opened' },
      { type: 'task', description: 'Look at the profile and call', delay_days: 2 },
      {
        type: 'sms',
        message: 'Hi {{firstName}}, I sent you a mail last week. When would be a good time to talk?',
        delay_days: 2,
      },
    ],
  },
]
