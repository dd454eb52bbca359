import { isoAt, type FakeClock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { createForm } from '#domains/forms/service.ts'
import { HONEYPOT } from '#domains/forms/spam.ts'
import { submit } from '#domains/forms/submissions.ts'
import { DAY_MS } from './calendar.ts'
import type { Member } from './members.ts'

const PUBLISHED_DAYS_AGO = 40

/** A form on the company's site, what came in through it, and one that no person sent. */
export async function receiveRequests(
  ctx: Context,
  clock: FakeClock,
  by: Member,
  now: number,
): Promise<void> {
  clock.set(isoAt(now - PUBLISHED_DAYS_AGO * DAY_MS))
  const form = await createForm(ctx.as(by), {
    name: 'Request a demo',
    description: 'Twenty minutes with your own jobs and vans on the board.',
    fields: [
      { key: 'first_name', type: 'text', label: 'First name', required: true },
      { key: 'last_name', type: 'text', label: 'Last name', required: true },
      { key: 'email', type: 'email', label: 'Work e-mail', required: true },
      { key: 'company', type: 'text', label: 'Company' },
      { key: 'seats', type: 'number', label: 'How many people do you plan for?' },
      { key: 'message', type: 'long_text', label: 'What would you like to see?' },
    ],
    field_mapping: {
      first_name: 'first_name',
      last_name: 'last_name',
      email: 'email',
      company: 'company',
      seats: 'custom.seats',
    },
    submit_label: 'Request a demo',
    thank_you: 'Thank you. We will call you within one business day.',
    published: true,
  })
  for (const { daysAgo, ...answers } of requests) {
    clock.set(isoAt(now - daysAgo * DAY_MS))
    await submit(ctx, { form, content: form }, answers, { tokenNeeded: false })
  }
}

const requests = [
  {
    daysAgo: 33,
    first_name: 'Henrike',
    last_name: 'Voss',
    email: 'h.voss@vosskaelte.example',
    company: 'Voss Kältetechnik',
    seats: '18',
    message: 'We plan on a whiteboard. How do fitters see what has changed?',
    utm_source: 'google',
    utm_medium: 'cpc',
    utm_campaign: 'whiteboard-to-app',
  },
  {
    daysAgo: 16,
    first_name: 'Declan',
    last_name: 'Moran',
    email: 'declan@moranlifts.example',
    company: 'Moran Lifts',
    seats: '42',
    message: 'Emergency call-outs at night, please.',
    utm_source: 'linkedin',
    utm_medium: 'social',
  },
  {
    daysAgo: 9,
    first_name: 'SEO',
    last_name: 'Team',
    email: 'offer@rank.example',
    message: 'First page guaranteed',
    [HONEYPOT]: 'https://rank.example',
  },
  {
    daysAgo: 2,
    first_name: 'Inés',
    last_name: 'Carrasco',
    email: 'ines.carrasco@frioandaluz.example',
    company: 'Frío Andaluz',
    seats: '11',
    utm_source: 'newsletter',
    utm_medium: 'email',
    utm_campaign: 'dispatch-checklist',
  },
]
