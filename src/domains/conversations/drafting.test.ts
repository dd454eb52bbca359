import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { CONVERSATIONS, openInbox, type Inbox } from './conversations.harness.ts'

let inbox: Inbox
beforeAll(async () => {
  inbox = await openInbox(new FakeClock())
})
afterAll(() => inbox.close())

const draftFor = async (lead_id: string) => {
  const { id } = await inbox.of(lead_id)
  const reply = await inbox.ada.browser.post(`${CONVERSATIONS}/${id}/draft`)
  expect(reply.status).toBe(200)
  return reply.body
}

test('says why there is nothing to draft from', async () => {
  const lead = await inbox.lead()
  await inbox.hears(lead.email, 'What does it cost?')
  expect(await draftFor(lead.id)).toMatchObject({
    text: null,
    reason: 'There are no saved replies to draft from.',
  })
})

test('drafts from a saved reply that is filled in for this lead, and sends nothing', async () => {
  const { browser } = inbox.ada
  const text = 'Hello {{firstName}}, it costs ten euros.'
  const saved = await browser.post(`${CONVERSATIONS}/saved-replies`, { name: 'What it costs', text })
  await browser.post(`${CONVERSATIONS}/saved-replies`, {
    name: 'What it costs them',
    text: 'For {{company}}: costs',
  })
  const lead = await inbox.lead({ first_name: 'Nora' })
  await inbox.hears(lead.email, 'What does it cost?')
  const { id } = await inbox.of(lead.id)
  expect(await draftFor(lead.id)).toEqual({
    text: 'Hello Nora, it costs ten euros.',
    reason: null,
    model: 'rules-1',
    sources: [{ kind: 'saved_reply', id: saved.body.id, name: 'What it costs' }],
    fell_back: null,
  })
  expect(await inbox.thread(id)).toHaveLength(1)
})

test('knows of this person only, and nothing of what the team says among itself', async () => {
  const other = await inbox.lead({ first_name: 'Secret', company: 'Hidden Ltd' })
  await inbox.hears(other.email, 'What does it cost for Hidden Ltd?')
  const lead = await inbox.lead({ first_name: 'Ida', company: 'Open Ltd' })
  await inbox.hears(lead.email, 'Tell me what the others pay: what does it cost?')
  const { id } = await inbox.of(lead.id)
  await inbox.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'note', text: 'Cheapskate' })
  await draftFor(lead.id)
  const told = JSON.stringify(inbox.ports.writer.answered.at(-1))
  expect(told).toContain('Open Ltd')
  expect(told).not.toContain('Hidden')
  expect(told).not.toContain('Cheapskate')
})

test('where the model is away the rules write, and say so', async () => {
  const lead = await inbox.lead({ first_name: 'Nora' })
  await inbox.hears(lead.email, 'What does it cost?')
  inbox.ports.writer.faults.push(new Error('the model is away'))
  expect(await draftFor(lead.id)).toMatchObject({ model: 'rules-1', fell_back: 'The model did not answer.' })
})

test('there is nothing to answer once we have', async () => {
  const lead = await inbox.lead()
  await inbox.hears(lead.email, 'What does it cost?')
  const { id } = await inbox.of(lead.id)
  await inbox.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', text: 'Ten.' })
  await inbox.out()
  expect(await draftFor(lead.id)).toMatchObject({ text: null, reason: 'There is no message to answer.' })
})
