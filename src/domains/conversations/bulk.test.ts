import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { CONVERSATIONS, openInbox, type Inbox } from './conversations.harness.ts'
import { BULK_MAX, LABELS_MAX } from './values.ts'

let inbox: Inbox
beforeAll(async () => {
  inbox = await openInbox(new FakeClock())
})
afterAll(() => inbox.close())

const BULK = `${CONVERSATIONS}/bulk`
async function some(count: number): Promise<string[]> {
  const ids = []
  for (let n = 0; n < count; n++) {
    const lead = await inbox.lead()
    await inbox.hears(lead.email)
    ids.push((await inbox.of(lead.id)).id)
  }
  return ids
}
const post = (body: object) => inbox.ada.browser.post(BULK, body)

test('many are closed, assigned and labelled at once, in the order they were named', async () => {
  const ids = (await some(3)).toReversed()
  const { status, body } = await post({ ids, state: 'CLOSED', assignee_id: null, add_labels: ['offer'] })
  expect(status).toBe(200)
  expect(body.failed).toEqual([])
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids)
  for (const one of body.data)
    expect(one).toMatchObject({ state: 'CLOSED', assignee_id: null, labels: ['offer'] })
  const again = await post({ ids, state: 'OPEN', add_labels: ['new'], remove_labels: ['offer'] })
  for (const one of again.body.data) expect(one).toMatchObject({ state: 'OPEN', labels: ['new'] })
})

test('one that cannot be changed is named, and the others are changed', async () => {
  const [full, other] = await some(2)
  const labels = Array.from({ length: LABELS_MAX }, (_, n) => `l${n}`)
  await inbox.ada.browser.patch(`${CONVERSATIONS}/${full}`, { labels })
  const { body } = await post({ ids: [full, other], add_labels: ['one more'] })
  expect(body.data).toMatchObject([{ id: other, labels: ['one more'] }])
  expect(body.failed).toEqual([{ at: 0, detail: `A conversation can have ${LABELS_MAX} labels.` }])
})

test('with one that does not exist nothing is changed', async () => {
  const [id] = await some(1)
  const reply = await post({ ids: [id, '0'.repeat(24)], state: 'CLOSED' })
  expect(reply).toMatchObject({ status: 422, body: { errors: [{ path: 'ids[1]' }] } })
  expect((await inbox.ada.browser.get(`${CONVERSATIONS}/${id}`)).body.state).toBe('OPEN')
})

test('nothing to change, too many and a snooze without an end are refused', async () => {
  const [id] = await some(1)
  expect((await post({ ids: [id] })).status).toBe(422)
  const many = Array.from({ length: BULK_MAX + 1 }, (_, n) => n.toString(16).padStart(24, '0'))
  expect((await post({ ids: many, state: 'CLOSED' })).status).toBe(422)
  expect(await post({ ids: [id], state: 'SNOOZED' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'snoozed_until' }] },
  })
})
