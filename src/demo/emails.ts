import { isoAt, type FakeClock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import type { ConversationChange } from '#domains/conversations/contract.ts'
import { takeMessage } from '#domains/conversations/receive.ts'
import { createSavedReply } from '#domains/conversations/saved-replies.ts'
import { changeConversation, findConversationOfLead } from '#domains/conversations/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { listLeads } from '#domains/leads/listing.ts'
import { DAY_MS, MINUTE_MS } from './calendar.ts'
import type { Member } from './members.ts'

const HOUR_MS = 60 * MINUTE_MS

/** What the team has agreed on. A draft is made of it. */
const savedReplies = [
  {
    name: 'Price per technician',
    text: 'Hello {{firstName}},\n\nBrightwater costs 24 € per technician and month. Dispatchers are free. The first 30 days are on us.',
  },
  {
    name: 'Import from another planner',
    text: 'Hello {{firstName}},\n\nwe import technicians, customers and open jobs from a spreadsheet. It takes an afternoon, and we do it with you.',
  },
  {
    name: 'On-call plan',
    text: 'Hello {{firstName}},\n\nthe on-call plan is part of every package: who is on call, who steps in, and who was called when.',
  },
]

type Email = {
  stage: string
  ago: number
  subject: string
  text: string
  /** What the team did about it. The first visitor is Maya: she has something to answer. */
  then?: (now: number, maya: Member) => ConversationChange
}

const emails: Email[] = [
  {
    stage: 'Qualified',
    ago: 20 * MINUTE_MS,
    subject: 'Price for 42 technicians',
    text: 'Hello,\n\nwhat is the price per technician if we start with 42 in January? Our board meets on Thursday.',
    then: (_, maya) => ({ assignee_id: maya.id }),
  },
  {
    stage: 'Engage_Human',
    ago: 2 * HOUR_MS,
    subject: 'Import from Planarium',
    text: 'Can you import our technicians and the open jobs, or do we have to type them in again? We have about 3,000 customers.',
    then: (_, maya) => ({ assignee_id: maya.id, labels: ['import'] }),
  },
  {
    stage: 'Contacted',
    ago: 5 * HOUR_MS,
    subject: 'Is the on-call plan included?',
    text: 'You wrote about the on-call plan. Is it included, or is it an extra package?',
    then: () => ({ assignee_id: null }),
  },
  {
    stage: 'Engage_Human',
    ago: 26 * HOUR_MS,
    subject: 'After the holidays',
    text: 'Thank you for the call. Please write again next week, we are closing the quarter.',
    then: now => ({ state: 'SNOOZED', snoozed_until: isoAt(now + 4 * DAY_MS) }),
  },
  {
    stage: 'Won',
    ago: 3 * DAY_MS,
    subject: 'Signed contract',
    text: 'The signed contract is on its way to you by post. We look forward to the first week of training.',
    then: () => ({ state: 'CLOSED', labels: ['contract'] }),
  },
]

/** Somebody who is no lead yet. */
const stranger = {
  ago: 50 * MINUTE_MS,
  address: 'ines.moreau@chauffage-moreau.example',
  name: 'Inès Moreau',
  subject: 'Found you at the trade fair',
  text: 'Hello, we met at your stand in Lyon. Could you send me a short overview? We plan for eleven people.',
}

/** Emails from leads, some dealt with. Nobody is answered: the demo writes to no one, whatever is configured. */
export async function correspond(
  ctx: Context,
  clock: FakeClock,
  { by, now }: { by: Member; now: number },
): Promise<void> {
  const own = ctx.as(by)
  clock.set(isoAt(now - 10 * DAY_MS))
  for (const reply of savedReplies) await createSavedReply(own, reply)
  const used = new Set<string>()
  for (const { stage, ago, subject, text, then } of emails.toSorted((a, b) => b.ago - a.ago)) {
    const lead = await nextLead(own, stage, used)
    if (!lead) continue
    clock.set(isoAt(now - ago))
    await arrive(ctx, { address: lead.email!, name: nameOf(lead), subject, text })
    const id = then && (await findConversationOfLead(ctx, lead.id))
    if (id) await changeConversation(own, id, then(now, by))
  }
  clock.set(isoAt(now - stranger.ago))
  await arrive(ctx, stranger)
}

async function nextLead(ctx: Context, stage: string, used: Set<string>): Promise<Lead | undefined> {
  const { data } = await listLeads(ctx, { pipeline_stage: [stage], limit: 10 })
  const lead = data.find(({ id, email, owner_id }) => email && owner_id && !used.has(id))
  if (lead) used.add(lead.id)
  return lead
}

type Arriving = { address: string; name: string | null; subject: string; text: string }

function arrive(ctx: Context, { address, name, subject, text }: Arriving): Promise<boolean> {
  const answer_id = `<${ctx.newId()}@demo.example>`
  return takeMessage(ctx, { channel: 'email', address, name, subject, text, answer_id, automatic: false })
}
