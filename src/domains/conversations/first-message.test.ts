import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { suppress } from '#domains/suppressions/service.ts'
import { CONVERSATIONS, HOUR_MS, openInbox, type Inbox } from './conversations.harness.ts'

let inbox: Inbox
beforeAll(async () => {
  inbox = await openInbox(new FakeClock())
})
afterAll(() => inbox.close())

const check = (query: Record<string, string>) =>
  inbox.ada.browser.get(`${CONVERSATIONS}/sending?${new URLSearchParams(query)}`)
const checked = async (query: Record<string, string>) => (await check(query)).body

test('before the first message it is known where it would go, and on which channel', async () => {
  const lead = await inbox.lead()
  const free = { held_until: null, hold_reason: null, window_closes_at: null, refusal: null, detail: null }
  expect(await checked({ lead_id: lead.id })).toEqual({ channel: 'email', to: lead.email, ...free })
  expect(await checked({ to: 'New@else.example' })).toEqual({
    channel: 'email',
    to: 'new@else.example',
    ...free,
  })
  const phoneOnly = await inbox.lead({ email: null })
  expect(await checked({ lead_id: phoneOnly.id })).toMatchObject({ channel: 'sms', to: phoneOnly.phone })
  expect(await checked({ lead_id: phoneOnly.id, channel: 'email' })).toMatchObject({
    to: null,
    refusal: 'no_address',
  })
  const unreachable = await inbox.lead({ email: null, phone: null })
  for (const channel of ['email', 'sms'])
    expect(await checked({ lead_id: unreachable.id, channel })).toMatchObject({
      to: null,
      refusal: 'no_address',
    })
  // Once there is a conversation, it goes where they wrote from last.
  await inbox.ada.browser.post(CONVERSATIONS, {
    channel: 'email',
    to: lead.email,
    subject: 'Hello',
    text: 'Hello',
  })
  const { id } = await inbox.of(lead.id)
  const query = '?channel=email'
  expect(await checked({ lead_id: lead.id })).toEqual(
    (await inbox.ada.browser.get(`${CONVERSATIONS}/${id}/sending${query}`)).body,
  )
})

test('suppression, trash and quiet hours are said beforehand, by lead and by address', async () => {
  const [suppressed, trashed] = [await inbox.lead(), await inbox.lead()]
  await inbox.ada.ctx.transaction(ctx =>
    suppress(ctx, { channel: 'email', address: suppressed.email, reason: 'unsubscribed', source: 'test' }),
  )
  await inbox.ada.browser.delete(`/api/crm/leads/${trashed.id}`)
  for (const query of [{ lead_id: suppressed.id }, { to: suppressed.email }] as Record<string, string>[])
    expect(await checked(query)).toMatchObject({ refusal: 'suppressed', to: suppressed.email })
  expect(await checked({ lead_id: trashed.id })).toMatchObject({ refusal: 'in_trash' })

  const lead = await inbox.lead({ timezone: 'Asia/Tokyo' })
  const tokyo = (new Date(inbox.clock.now()).getUTCHours() + 9) % 24
  await inbox.pass(((22 - tokyo + 24) % 24) * HOUR_MS)
  const byLead = await checked({ lead_id: lead.id, channel: 'sms' })
  expect(byLead).toMatchObject({ to: lead.phone, hold_reason: 'quiet_hours', refusal: null })
  expect(await checked({ to: lead.phone })).toEqual(byLead)
  // And that is when it goes.
  const { body } = await inbox.ada.browser.post(CONVERSATIONS, {
    channel: 'sms',
    lead_id: lead.id,
    text: 'Hello',
  })
  expect(await inbox.thread(body.id)).toMatchObject([
    { id: body.message_id, held_until: byLead.held_until, hold_reason: 'quiet_hours' },
  ])
})

test('a lead that is not there has no address, and an address has to fit', async () => {
  const lead = await inbox.lead()
  const nobody = { channel: 'email', to: null, held_until: null, refusal: 'no_address' }
  expect(await checked({})).toMatchObject(nobody)
  expect(await checked({ lead_id: '0'.repeat(24) })).toMatchObject(nobody)
  const fault = async (query: Record<string, string>) => {
    const { status, body } = await check(query)
    return [status, ...body.errors.map(({ path }: { path: string }) => path)]
  }
  expect(await fault({ lead_id: lead.id, to: lead.email })).toEqual([422, 'to'])
  expect(await fault({ to: lead.email, channel: 'sms' })).toEqual([422, 'channel'])
})

test('the first message is sent later, at the time that was asked for, and can be cancelled until then', async () => {
  const [lead, other] = [await inbox.lead(), await inbox.lead()]
  const send_at = new Date(inbox.clock.now() + 2 * HOUR_MS).toISOString()
  const letter = { channel: 'email', subject: 'Later', text: 'Later', send_at }
  const begun = async (lead_id: string) =>
    (await inbox.ada.browser.post(CONVERSATIONS, { ...letter, lead_id })).body
  const kept = await begun(lead.id)
  expect(await inbox.thread(kept.id)).toMatchObject([{ held_until: send_at, hold_reason: 'send_later' }])
  const taken = await begun(other.id)
  const { body } = await inbox.ada.browser.post(
    `${CONVERSATIONS}/${taken.id}/messages/${taken.message_id}/cancel`,
  )
  expect(body.status).toBe('CANCELLED')
  await inbox.pass(2 * HOUR_MS - 1_000)
  expect(inbox.app.mail.lastTo(lead.email)).toBeUndefined()
  await inbox.pass(1_000)
  expect(inbox.app.mail.lastTo(lead.email)).toMatchObject({ text: 'Later' })
  expect(inbox.app.mail.lastTo(other.email)).toBeUndefined()
})
