import type { FormField, NewForm } from '#domains/forms/contract.ts'

export type Starter = { key: string; name: string; about: string; body: Omit<NewForm, 'name'> }

const firstName: FormField = { key: 'first_name', type: 'text', label: 'First name', required: true }
const lastName: FormField = { key: 'last_name', type: 'text', label: 'Last name' }
const email: FormField = { key: 'email', type: 'email', label: 'Email', required: true }
const company: FormField = { key: 'company', type: 'text', label: 'Company' }
const names = { first_name: 'first_name', last_name: 'last_name', email: 'email' }

/** Common forms to start from. Each of them creates or matches a lead. */
export const starters: readonly [Starter, ...Starter[]] = [
  {
    key: 'contact',
    name: 'Contact',
    about: 'Name, email and message',
    body: {
      title: 'Contact us',
      fields: [
        firstName,
        lastName,
        email,
        { key: 'message', type: 'long_text', label: 'Message', required: true },
      ],
      field_mapping: names,
      submit_label: 'Send message',
      thank_you: 'Thank you. We will get back to you soon.',
    },
  },
  {
    key: 'demo',
    name: 'Request a demo',
    about: 'Name, company and team size',
    body: {
      title: 'Request a demo',
      fields: [
        firstName,
        lastName,
        { ...email, label: 'Work email' },
        { ...company, required: true },
        { key: 'phone', type: 'phone', label: 'Phone' },
        {
          key: 'team_size',
          type: 'choice',
          label: 'How large is your team?',
          options: ['1 to 10', '11 to 50', '51 to 200', 'More than 200'],
        },
        { key: 'notes', type: 'long_text', label: 'What would you like to see?' },
      ],
      field_mapping: { ...names, company: 'company', phone: 'phone' },
      submit_label: 'Request a demo',
      thank_you: 'Thank you. We will get in touch to find a time.',
    },
  },
  {
    key: 'newsletter',
    name: 'Newsletter',
    about: 'Email address and consent',
    body: {
      title: 'Subscribe to our newsletter',
      fields: [
        email,
        { ...firstName, required: false },
        {
          key: 'consent',
          type: 'checkbox',
          label: 'I would like to receive the newsletter and can unsubscribe at any time',
          required: true,
        },
      ],
      field_mapping: { email: 'email', first_name: 'first_name' },
      submit_label: 'Subscribe',
      thank_you: 'Thank you for subscribing.',
    },
  },
  {
    key: 'event',
    name: 'Event registration',
    about: 'Attendee and sessions, in two steps',
    body: {
      title: 'Register for the event',
      steps: ['About you', 'Your visit'],
      fields: [
        { ...firstName, step: 0 },
        { ...lastName, step: 0 },
        { ...email, step: 0 },
        { ...company, step: 0 },
        {
          key: 'sessions',
          type: 'choices',
          label: 'Which sessions interest you?',
          options: ['Morning', 'Afternoon', 'Evening'],
          step: 1,
        },
        { key: 'guests', type: 'number', label: 'How many guests will you bring?', step: 1 },
        { key: 'remarks', type: 'long_text', label: 'Anything we should know?', step: 1 },
      ],
      field_mapping: { ...names, company: 'company' },
      submit_label: 'Register',
      thank_you: 'You are registered. We look forward to seeing you.',
    },
  },
]
