import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { createLead } from '#domains/leads/service.ts'
import { CONVERSATIONS, MINUTE_MS, openInbox, type Inbox } from './conversations.harness.ts'
import { conversationColumns } from './store.ts'
import { COUNTED_MAX, LABELS_LISTED_MAX, LEADS_OF_ACCOUNT_MAX } from './values.ts'

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

describe('what belongs together', () => {
  let inbox: Inbox
  beforeAll(async () => {
    inbox = await openInbox(new FakeClock())
  })
  afterAll(() => inbox.close())

  const make = async (path: string, body: object) => {
    const made = await inbox.ada.browser.post(path, body)
    expect(made).toMatchObject({ status: 201 })
    return made.body as { id: string; email: string }
  }
  const leadsIn = async (query: string) => {
    const { status, body } = await inbox.ada.browser.get(`${CONVERSATIONS}?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.map(({ lead_id }: { lead_id: string }) => lead_id)
  }

  test('is found by account and by opportunity, the latest first', async () => {
    const account = await make('/api/crm/accounts', { name: 'Navy' })
    const account_id = account.id
    const [first, second, elsewhere] = [
      await inbox.lead({ account_id }),
      await inbox.lead({ account_id }),
      await inbox.lead(),
    ]
    for (const { email } of [first, elsewhere, second]) {
      await inbox.mail({ from: email })
      await inbox.pass(MINUTE_MS)
    }
    expect(await leadsIn(`account_id=${account_id}`)).toEqual([second.id, first.id])
    expect(await leadsIn(`account_id=${account_id}&limit=1`)).toEqual([second.id])
    expect(await leadsIn(`account_id=${account_id}&lead_id=${first.id}`)).toEqual([first.id])
    const deal = await make('/api/crm/opportunities', { name: 'Ship', lead_id: first.id })
    expect(await leadsIn(`opportunity_id=${deal.id}`)).toEqual([first.id])
    const ofAccount = await make('/api/crm/opportunities', { name: 'Fleet', account_id })
    expect(await leadsIn(`opportunity_id=${ofAccount.id}`)).toEqual([second.id, first.id])
    const empty = await make('/api/crm/accounts', { name: 'Nobody here' })
    expect(await leadsIn(`account_id=${empty.id}`)).toEqual([])
    expect(await leadsIn(`account_id=${account_id}&opportunity_id=${'0'.repeat(24)}`)).toEqual([])
  })

  test(`is looked for among the ${LEADS_OF_ACCOUNT_MAX} latest active leads of an account`, async () => {
    const { id: account_id } = await make('/api/crm/accounts', { name: 'Everybody' })
    const quiet = await inbox.lead({ account_id })
    await inbox.mail({ from: quiet.email })
    await inbox.pass(MINUTE_MS)
    const crowd = (count: number) =>
      inbox.ada.ctx.transaction(async ctx => {
        for (let at = 0; at < count; at++) await createLead(ctx, { last_name: `Sailor${at}`, account_id })
      })
    await crowd(LEADS_OF_ACCOUNT_MAX - 1)
    expect(await leadsIn(`account_id=${account_id}`)).toEqual([quiet.id])
    await crowd(1)
    expect(await leadsIn(`account_id=${account_id}`)).toEqual([])
    // Who has been quiet is found again by writing, however long ago the lead was made.
    await inbox.pass(MINUTE_MS)
    await inbox.mail({ from: quiet.email })
    expect(await leadsIn(`account_id=${account_id}`)).toEqual([quiet.id])
  })

  test(`labels in use are listed in order, up to ${LABELS_LISTED_MAX}, and counted up to ${COUNTED_MAX}`, async () => {
    const list = async () => (await inbox.ada.browser.get(`${CONVERSATIONS}/labels`)).body.data
    expect(await list()).toEqual([])
    const { data } = (await inbox.ada.browser.get(`${CONVERSATIONS}?limit=2`)).body
    const [one, two] = data.map(({ id }: { id: string }) => id)
    const label = (id: string, labels: string[]) =>
      inbox.ada.browser.patch(`${CONVERSATIONS}/${id}`, { labels })
    await label(one, ['urgent', 'demo'])
    await label(two, ['urgent'])
    expect(await list()).toEqual([
      { label: 'demo', count: 1 },
      { label: 'urgent', count: 2 },
    ])
    await label(one, [])
    expect(await list()).toEqual([{ label: 'urgent', count: 1 }])

    const { team_id } = inbox.ada
    // Text that is one more than fits, and conversations that are one more than are counted.
    await inbox.app.database.query(
      `insert into conversation_labels (team_id, conversation_id, label)
        select $1, $2, 'many' || lpad(n::text, 3, '0') from generate_series(1, ${LABELS_LISTED_MAX}) as n`,
      [team_id, one],
    )
    const many = await list()
    expect(many).toHaveLength(LABELS_LISTED_MAX)
    expect(many.at(-1).label).toBe('many200')
    const columns = conversationColumns.map(name => `"${name}"`).join(', ')
    await inbox.app.database.query(
      `insert into conversations (team_id, ${columns})
        select $1, ${columns.replace('"id"', 'number').replace('"address"', 'number').replace('"lead_id"', 'null')}
          from conversations, lateral (select lpad(n::text, 24, '0') as number from generate_series(0, ${COUNTED_MAX}) as n) as numbers
          where team_id = $1 and id = $2`,
      [team_id, one],
    )
    await inbox.app.database.query(
      `insert into conversation_labels (team_id, conversation_id, label)
        select team_id, id, 'a' from conversations where team_id = $1 and id < '0000000000000001'`,
      [team_id],
    )
    expect((await list())[0]).toEqual({ label: 'a', count: COUNTED_MAX })
  })
})
