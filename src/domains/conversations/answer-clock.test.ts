import { describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { conversationOf, CONVERSATIONS, DAY_MS, MINUTE_MS, openInbox } from './conversations.harness.ts'

describe('the answer clock', () => {
  test('counts open hours, tells once when an answer is late, and stops at the answer', async () => {
    const clock = new FakeClock()
    const own = await openInbox(clock)
    try {
      const settings = `${CONVERSATIONS}/settings`
      const hours = [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', until: '17:00' }))
      expect(
        (
          await own.ada.browser.patch(settings, {
            first_answer_min: 60,
            next_answer_min: 120,
            timezone: 'UTC',
            hours,
          })
        ).status,
      ).toBe(200)
      // To Monday, half an hour before the office closes.
      const now = new Date(clock.now())
      const target = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), 16, 30)
      await own.pass(target > clock.now() ? target - clock.now() : target + DAY_MS - clock.now())
      const lead = await own.lead()
      await own.mail({ from: lead.email, text: 'How much?' })
      const { id, answer_due_at } = await own.of(lead.id)
      expect(answer_due_at!.slice(11)).toBe('09:30:00.000Z')
      expect((await own.ada.browser.get(`${CONVERSATIONS}?sort=answer_due_at`)).body.data[0].id).toBe(id)
      // Closed by mistake and reopened, it is due when it was.
      await own.ada.browser.patch(`${CONVERSATIONS}/${id}`, { state: 'CLOSED' })
      expect(await own.of(lead.id)).toMatchObject({ answer_due_at: null })
      await own.ada.browser.patch(`${CONVERSATIONS}/${id}`, { state: 'OPEN' })
      expect(await own.of(lead.id)).toMatchObject({ answer_due_at })
      await own.pass(Date.parse(answer_due_at!) - clock.now())
      expect(await own.of(lead.id)).toMatchObject({ overdue_at: answer_due_at })
      const late = await own.app.database.query(`select data from events where type = 'conversation.waiting'`)
      expect(late).toMatchObject([{ data: { due_at: answer_due_at, text: 'How much?' } }])
      expect((await own.ada.browser.get(`${CONVERSATIONS}/counts`)).body).toMatchObject({ overdue: 1 })
      await own.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', text: 'It is free' })
      expect(await own.of(lead.id)).toMatchObject({ answer_due_at: null, overdue_at: null })
      await own.out()
      await own.mail({ from: lead.email, text: 'Thanks. And with support?' })
      const next = await own.of(lead.id)
      expect(Date.parse(next.answer_due_at!) - clock.now()).toBe(120 * MINUTE_MS)
      expect(await conversationOf(own.ada.browser, lead.id)).toMatchObject({ overdue_at: null })
    } finally {
      await own.close()
    }
  })
})
