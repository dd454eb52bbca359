import { describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { CONVERSATIONS, MINUTE_MS, openInbox } from './conversations.harness.ts'

describe('the list', () => {
  test('shows the latest first, page by page, and counts its views', async () => {
    const own = await openInbox(new FakeClock())
    try {
      const leads = []
      for (let at = 0; at < 5; at++) {
        const lead = await own.lead(at === 0 ? { owner_id: null } : {})
        await own.mail({ from: lead.email })
        await own.pass(MINUTE_MS)
        leads.push(lead.id)
      }
      const page = async (query: string) => (await own.ada.browser.get(`${CONVERSATIONS}?${query}`)).body
      const first = await page('limit=3')
      const rest = await page(`limit=3&cursor=${first.next_cursor}`)
      const ids = [...first.data, ...rest.data].map(({ lead_id }: { lead_id: string }) => lead_id)
      expect(ids).toEqual(leads.toReversed())
      expect(rest.next_cursor).toBeNull()
      expect((await page('assignee_id=none')).data).toHaveLength(1)
      const counts = (await own.ada.browser.get(`${CONVERSATIONS}/counts`)).body
      expect(counts).toEqual({ mine: 4, unassigned: 1, open: 5, waiting: 0, snoozed: 0, overdue: 0 })
      const [{ id }] = first.data
      await own.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', text: 'Hi' })
      expect((await page('state=WAITING')).data.map((row: { id: string }) => row.id)).toEqual([id])
      expect((await page('q=hopper')).data).toHaveLength(5)
    } finally {
      await own.close()
    }
  })
})
