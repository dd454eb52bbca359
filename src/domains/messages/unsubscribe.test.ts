import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suppress } from '#domains/suppressions/service.ts'
import { newId } from '#platform/ids.ts'
import { restingRowsOf, rowsOf } from '#test/rows.ts'
import {
  bent,
  openHouse,
  openPath,
  rowOf,
  sent,
  suppressed,
  toldTypes,
  unsubscribePath,
  type House,
  type Sent,
} from './messages.harness.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const look = (mail: Sent) => house.stranger.get(unsubscribePath(house, mail))
const send = (mail: Sent, body?: string, headers: Record<string, string> = FORM) =>
  house.stranger.raw('POST', unsubscribePath(house, mail), body, body === undefined ? {} : headers)
const isSuppressed = async ({ address, team_id }: Sent) =>
  (await suppressed(house, team_id))[address.toLowerCase()]

describe('the page behind the link', () => {
  test('asks, naming the address so that only its owner knows it, and does nothing', async () => {
    const mail = await sent(house, house.ada, { email: 'Grace.Hopper@example.test' })
    const before = await restingRowsOf(house.app.database)
    const page = await look(mail)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('G…r@example.test')
    expect(page.text).not.toContain('Hopper')
    expect(page.text).toMatch(/<form method="post">\s*<button autofocus>Unsubscribe<\/button>/)
    expect(page.text).not.toContain('<script')
    await house.stranger.raw('HEAD', unsubscribePath(house, mail), undefined)
    expect(await rowsOf(house.app.database)).toEqual(before)
  })

  test('names who wrote, and never as markup', async () => {
    const eve = await house.app.person()
    await eve.browser.patch('/api/outreach/settings', { from_name: '<img src=x onerror=alert(1)>' })
    const page = await look(await sent(house, eve))
    expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(page.text).not.toContain('<img')
  })

  test('unsubscribes when it is sent, once, however often', async () => {
    const mail = await sent(house, house.ada)
    const pages = await Promise.all(Array.from({ length: 10 }, () => send(mail, '')))
    for (const page of pages) {
      expect(page.status).toBe(200)
      expect(page.text).toContain('You are unsubscribed')
      expect(page.text).toContain('Subscribe again')
    }
    expect(await isSuppressed(mail)).toBe('unsubscribed')
    expect(await toldTypes(house, mail)).toEqual(['email.unsubscribed'])
    expect((await rowOf(house, mail)).unsubscribed_at).not.toBeNull()
    expect((await look(mail)).text).toContain('You are unsubscribed')
  })
})

describe('one click in a mail program (RFC 8058)', () => {
  const boundary = 'xyz'
  const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`
  test.for<[string, string | undefined, Record<string, string>]>([
    ['as a form', 'List-Unsubscribe=One-Click', FORM],
    ['as multipart', multipart, { 'content-type': `multipart/form-data; boundary=${boundary}` }],
    ['without any body', undefined, {}],
  ])('%s unsubscribes', async ([, body, headers]) => {
    const mail = await sent(house, house.ada)
    expect((await send(mail, body, headers)).status).toBe(200)
    expect(await isSuppressed(mail)).toBe('unsubscribed')
  })

  test('that carries more than a program would is refused, and does nothing', async () => {
    const mail = await sent(house, house.ada)
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    expect((await send(mail, 'x'.repeat(16 * 1024 + 1), type)).status).toBe(413)
    expect((await send(mail, 'x'.repeat(16 * 1024), type)).status).toBe(200)
    const other = await sent(house, house.ada)
    expect((await send(other, '{}', { 'content-type': 'application/json' })).status).toBe(415)
    expect(await isSuppressed(other)).toBeUndefined()
  })

  test('is all that multipart is good for', async () => {
    const reply = await house.ada.browser.raw('POST', '/api/crm/leads', 'x', {
      'content-type': 'multipart/form-data; boundary=x',
    })
    expect(reply.status).toBe(415)
  })
})

describe('a mistake', () => {
  test('is taken back by the same link; said again, it holds again and is told again', async () => {
    const mail = await sent(house, house.ada)
    await send(mail, '')
    expect((await send(mail, 'undo=1')).text).toContain('You are subscribed again')
    expect(await isSuppressed(mail)).toBeUndefined()
    expect((await rowOf(house, mail)).unsubscribed_at).toBeNull()
    expect((await send(mail, 'undo=1')).text).toContain('You are subscribed again')
    await send(mail, '')
    expect(await isSuppressed(mail)).toBe('unsubscribed')
    expect(await toldTypes(house, mail)).toEqual(['email.unsubscribed', 'email.unsubscribed'])
  })

  test('takes back only what this link has done', async () => {
    const mail = await sent(house, house.ada)
    const later = await sent(house, house.ada, { email: mail.address, lead_id: mail.lead_id })
    await send(mail, '')
    expect((await send(later, 'undo=1')).text).toContain('You are unsubscribed')
    expect((await look(later)).text).not.toContain('Subscribe again')
    expect(await isSuppressed(mail)).toBe('unsubscribed')

    const known = await sent(house, house.ada)
    await suppress(house.ada.ctx, {
      channel: 'email',
      address: known.address,
      reason: 'manual',
      source: 'Ada',
    })
    await send(known, '')
    expect((await send(known, 'undo=1')).text).not.toContain('subscribed again')
    expect(await isSuppressed(known)).toBe('manual')
  })

  test('pressed together with its opposite ends as one of the two', async () => {
    const mail = await sent(house, house.ada)
    await send(mail, '')
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, at) => send(mail, at % 2 ? 'undo=1' : '')),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const isOn = (await isSuppressed(mail)) !== undefined
    expect((await rowOf(house, mail)).unsubscribed_at !== null).toBe(isOn)
  })
})

test('a link that is not right is a page that says so, and writes nothing', async () => {
  const mail = await sent(house, house.ada)
  const right = unsubscribePath(house, mail)
  const wrong = [
    ...[0, 95, 96, 191, 192, 199, 200, 279].map(bit => bent(right, bit)),
    right.slice(0, -2),
    openPath(house, mail).replace('/t/o/', '/u/'),
    unsubscribePath(house, { ...mail, id: newId() }),
    unsubscribePath(house, { ...mail, team_id: (await house.app.person()).team_id }),
    unsubscribePath(house, await sent(house, house.ada, { channel: 'sms' })),
    '/u/__proto__',
  ]
  const before = await restingRowsOf(house.app.database)
  for (const path of wrong) {
    for (const reply of [await house.stranger.get(path), await house.stranger.raw('POST', path, '', FORM)]) {
      expect([path, reply.status]).toEqual([path, 404])
      expect(reply.text).toContain('This link is incomplete')
    }
  }
  expect(await rowsOf(house.app.database)).toEqual(before)
})
