import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import type { Person } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import {
  clickPath,
  openHouse,
  openPath,
  rowOf,
  sent,
  told,
  toldTypes,
  type House,
} from './messages.harness.ts'
import { isPaused, senderOf } from './settings.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
  ada = house.ada
})
afterAll(() => house.close())

const MESSAGES = '/api/outreach/messages'

describe('the list of messages', () => {
  test('shows the newest first, page by page, and only what is asked for', async () => {
    const eve = await house.app.person()
    const made = []
    for (let at = 0; at < 5; at++) {
      house.clock.advance(1_000)
      made.push(
        await sent(house, eve, at === 1 ? { channel: 'sms' } : { status: at === 2 ? 'FAILED' : 'SENT' }),
      )
    }
    await sent(house, ada)
    const ids = made.map(({ id }) => id).toReversed()
    const first = (await eve.browser.get(`${MESSAGES}?limit=3`)).body
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 3))
    const rest = (await eve.browser.get(`${MESSAGES}?limit=3&cursor=${first.next_cursor}`)).body
    expect(rest).toMatchObject({ next_cursor: null })
    expect(rest.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3))

    await house.stranger.get(openPath(house, made[0]!), { 'user-agent': 'Thunderbird' })
    const asked = async (query: string) =>
      (await eve.browser.get(`${MESSAGES}?${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await asked('channel=sms')).toEqual([made[1]!.id])
    expect(await asked('status=FAILED&status=UNKNOWN')).toEqual([made[2]!.id])
    expect(await asked('outcome=opened&outcome=replied')).toEqual([made[0]!.id])
    expect(await asked(`lead_id=${made[3]!.lead_id}`)).toEqual([made[3]!.id])
    expect(await asked('step_index=0')).toHaveLength(5)
    expect(await asked('step_index=1')).toEqual([])
    expect(await asked(`q=${made[4]!.address.slice(0, -3).toUpperCase()}`)).toEqual([made[4]!.id])
    expect(await asked('q=%25')).toEqual([])
    expect(await asked('q=_')).toEqual([])
  })
})

describe('a message', () => {
  test('is shown as its reader sees it, without counting who looks', async () => {
    await ada.browser.patch('/api/outreach/settings', { from_name: 'Ada', reply_to: 'ada@example.test' })
    const mail = await sent(house, ada, {
      html: '<p><a href="https://example.test/?a=1&amp;b=2">a</a></p>',
    })
    const { body } = await ada.browser.get(`${MESSAGES}/${mail.id}`)
    expect(body).toMatchObject({
      html: '<p><a href="https://example.test/?a=1&amp;b=2">a</a></p>',
      text: 'Hello Grace',
      from: 'Ada <rapport@example.test>',
      reply_to: 'ada@example.test',
      status: 'SENT',
    })
    expect(body).not.toHaveProperty('links')
    const [content] = await house.app.database.query<{ html: string }>(
      'select html from message_contents where message_id = $1',
      [mail.id],
    )
    const { html } = content!
    expect(html).toContain(clickPath(house, mail))
    expect(html).toContain(openPath(house, mail))
  })

  test('that is not there, or is another team’s, is not found', async () => {
    const eve = await house.app.person()
    const mail = await sent(house, eve, { status: 'FAILED' })
    for (const id of [newId(), mail.id]) {
      expect((await ada.browser.get(`${MESSAGES}/${id}`)).status).toBe(404)
      for (const verb of ['retry', 'cancel'])
        expect((await ada.browser.post(`${MESSAGES}/${id}/${verb}`)).status).toBe(404)
    }
    expect(await rowOf(house, mail)).toMatchObject({ status: 'FAILED' })
  })

  test.for(['FAILED', 'UNKNOWN'])('that is %s is sent again when somebody says so', async status => {
    const mail = await sent(house, ada, { status })
    await house.app.database.query(`update messages set reason = 'it broke', tries = 7 where id = $1`, [
      mail.id,
    ])
    const reply = await ada.browser.post(`${MESSAGES}/${mail.id}/retry`)
    const due_at = new Date(house.clock.now()).toISOString()
    expect(reply).toMatchObject({ status: 200, body: { status: 'DUE', reason: null, tries: 0, due_at } })
    expect(await rowOf(house, mail)).toMatchObject({ status: 'DUE', reason: null, due_at })
    expect((await told(house, mail))[0]).toMatchObject({
      type: 'message.retried',
      actor_id: ada.user_id,
      data: { message_id: mail.id },
    })
  })

  test.for(['DUE', 'SENDING', 'SENT', 'CANCELLED'])('that is %s is not sent again', async status => {
    const mail = await sent(house, ada, { status })
    const reply = await ada.browser.post(`${MESSAGES}/${mail.id}/retry`)
    expect(reply).toMatchObject({ status: 409, body: { code: `message_${status.toLowerCase()}` } })
    expect(await rowOf(house, mail)).toMatchObject({ status })
    expect(await toldTypes(house, mail)).toEqual([])
  })

  test('that waits can be given up, once', async () => {
    const mail = await sent(house, ada, { status: 'DUE' })
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => ada.browser.post(`${MESSAGES}/${mail.id}/cancel`)),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await rowOf(house, mail)).toMatchObject({ status: 'CANCELLED' })
    expect(await toldTypes(house, mail)).toEqual(['message.cancelled'])
  })

  test.for(['SENDING', 'SENT', 'FAILED', 'UNKNOWN', 'CANCELLED'])(
    'that is %s cannot be given up',
    async status => {
      const mail = await sent(house, ada, { status })
      expect((await ada.browser.post(`${MESSAGES}/${mail.id}/cancel`)).status).toBe(409)
      expect(await rowOf(house, mail)).toMatchObject({ status })
    },
  )
})

describe('who writes, and how', () => {
  const SETTINGS = '/api/outreach/settings'

  test('is nobody in particular at first, and quiet at night', async () => {
    const eve = await house.app.person()
    expect((await eve.browser.get(SETTINGS)).body).toEqual({
      from_name: null,
      reply_to: null,
      signature: null,
      postal_address: null,
      meeting_url: null,
      sms_quiet_from: '21:00',
      sms_quiet_until: '08:00',
      paused_at: null,
      updated_at: '1970-01-01T00:00:00.000Z',
      from: 'Rapport <rapport@example.test>',
      mail: 'outbox',
      sms: 'outbox',
      whatsapp: 'cloud',
      replies: 'imap',
      writer: 'rules',
    })
  })

  test('is changed by an administrator, told with what was before, and seen by what sends', async () => {
    const eve = await house.app.person()
    await senderOf(eve.ctx)
    const { headers } = await eve.browser.get(SETTINGS)
    const ifMatch = { 'if-match': headers.get('etag')! }
    const reply = await eve.browser.patch(SETTINGS, { from_name: 'Eve', sms_quiet_from: null }, ifMatch)
    expect(reply).toMatchObject({ status: 200, body: { from_name: 'Eve', sms_quiet_from: null } })
    expect(await senderOf(eve.ctx)).toMatchObject({ from_name: 'Eve', sms_quiet_from: null })
    expect((await eve.browser.patch(SETTINGS, { from_name: 'Other' }, ifMatch)).status).toBe(412)
    const events = await house.app.database.query(
      `select data from events where team_id = $1 and type = 'outreach_settings.changed'`,
      [eve.team_id],
    )
    expect(events).toEqual([
      {
        data: {
          before: { from_name: null, sms_quiet_from: '21:00' },
          after: { from_name: 'Eve', sms_quiet_from: null },
        },
      },
    ])
    const mallory = await colleagueOf(house.app, eve, 'MEMBER')
    expect((await mallory.browser.patch(SETTINGS, { from_name: 'M' })).status).toBe(403)
    expect((await mallory.browser.get(SETTINGS)).body.from_name).toBe('Eve')
  })

  test('first changes at the same time lose nothing', async () => {
    const eve = await house.app.person()
    const changes = [
      { from_name: 'Eve' },
      { reply_to: 'eve@example.test' },
      { signature: 'Best' },
      { postal_address: 'X' },
    ]
    await Promise.all(changes.map(change => eve.browser.patch(SETTINGS, change)))
    expect((await eve.browser.get(SETTINGS)).body).toMatchObject(Object.assign({}, ...changes))
  })

  test('the panic button holds at once, stays pressed since the first time, and is told', async () => {
    const eve = await house.app.person()
    expect(await isPaused(eve.ctx)).toBe(false)
    const paused_at = new Date(house.clock.now()).toISOString()
    expect(await eve.browser.post('/api/outreach/pause')).toMatchObject({ status: 200, body: { paused_at } })
    house.clock.advance(1_000)
    expect((await eve.browser.post('/api/outreach/pause')).body.paused_at).toBe(paused_at)
    expect(await isPaused(eve.ctx)).toBe(true)
    expect((await eve.browser.post('/api/outreach/resume')).body.paused_at).toBeNull()
    expect(await isPaused(eve.ctx)).toBe(false)
    expect(await isPaused(ada.ctx)).toBe(false)
    const events = await house.app.database.query(
      `select data from events where team_id = $1 and type = 'outreach_settings.changed' order by id`,
      [eve.team_id],
    )
    expect(events.map(({ data }) => data)).toEqual([
      { before: { paused_at: null }, after: { paused_at } },
      { before: { paused_at }, after: { paused_at: null } },
    ])
  })
})
