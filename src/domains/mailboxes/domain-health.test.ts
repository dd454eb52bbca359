import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { colleagueOf } from '#test/colleague.ts'
import { MAILBOXES, openPostRoom, type PostRoom } from './mailboxes.harness.ts'

const clock = new FakeClock('2026-03-02T09:00:00.000Z')
const LOOKUPS = 11
let room: PostRoom

beforeAll(async () => {
  room = await openPostRoom(clock)
})
afterAll(() => room.close())

const records = () => room.ports.dns.records
const path = (id: string) => `${MAILBOXES}/${id}/domain`

async function domainOf(id: string) {
  const { status, body, text } = await room.ada.browser.get(path(id))
  expect(status, text).toBe(200)
  return body
}

test('a domain is judged by its records, which are looked up once in two minutes for all its mailboxes', async () => {
  const { id } = await room.connect('one@checked.example')
  const other = await room.connect('two@CHECKED.example')
  records().set('checked.example', ['v=spf1 mx ~all'])
  records().set('k1._domainkey.checked.example', ['v=DKIM1; p=abc'])
  const { asked } = room.ports.dns
  const before = asked.length
  const checked_at = new Date(clock.now()).toISOString()
  expect(await domainOf(id)).toMatchObject({
    domain: 'checked.example',
    checked_at,
    records: [
      { kind: 'spf', state: 'good', host: 'checked.example', found: 'v=spf1 mx ~all', wanted: null },
      { kind: 'dkim', state: 'good', host: 'k1._domainkey.checked.example' },
      { kind: 'dmarc', state: 'missing', wanted: 'v=DMARC1; p=none; rua=mailto:one@checked.example' },
    ],
  })
  expect(asked).toHaveLength(before + LOOKUPS)

  records().set('_dmarc.checked.example', ['v=DMARC1; p=none'])
  clock.advance(2 * 60_000 - 1)
  const [, , dmarc] = (await domainOf(other.id)).records
  expect(dmarc).toMatchObject({ state: 'missing', wanted: expect.stringMatching(/two@checked\.example$/i) })
  expect(asked).toHaveLength(before + LOOKUPS)
  clock.advance(1)
  expect((await domainOf(id)).records).toMatchObject([{}, {}, { state: 'good' }])
  expect(asked).toHaveLength(before + 2 * LOOKUPS)
})

test('a domain without a policy has that of the next parent with one', async () => {
  const { id } = await room.connect('one@mail.eu.parent.example')
  records().set('_dmarc.parent.example', ['v=DMARC1; p=reject'])
  const [, , dmarc] = (await domainOf(id)).records
  expect(dmarc).toMatchObject({ state: 'good', host: '_dmarc.parent.example' })
  expect(room.ports.dns.asked).not.toContain('_dmarc.example')
})

test('what cannot be looked up is unknown', async () => {
  const { id } = await room.connect('one@away.example')
  for (const name of ['away.example', 's2._domainkey.away.example', '_dmarc.away.example'])
    records().set(name, undefined)
  expect((await domainOf(id)).records).toMatchObject([
    { kind: 'spf', state: 'unknown' },
    { kind: 'dkim', state: 'unknown' },
    { kind: 'dmarc', state: 'unknown' },
  ])
})

test('what a stranger publishes is bounded and has no control characters', async () => {
  const { id } = await room.connect('one@hostile.example')
  const texts = [...Array.from({ length: 200 }, () => 'x'), 'v=spf1 mx -all']
  records().set('hostile.example', texts)
  records().set('_dmarc.hostile.example', [`v=DMARC1; p=none\0\u0007; rua=${'x'.repeat(70_000)}`])
  const [spf, , dmarc] = (await domainOf(id)).records
  expect(spf).toMatchObject({ state: 'missing' })
  expect(dmarc).toMatchObject({ state: 'good' })
  expect(dmarc.found.length).toBeLessThan(2_000)
  expect(dmarc.found).not.toMatch(/\p{Cc}/u)
})

test('public providers are not looked up', async () => {
  const { id } = await room.connect('ada@gmail.com')
  const before = room.ports.dns.asked.length
  expect((await domainOf(id)).records).toMatchObject(
    Array.from({ length: 3 }, () => ({ state: 'good', text: 'Managed by the provider', wanted: null })),
  )
  expect(room.ports.dns.asked).toHaveLength(before)
})

test('who may read a mailbox may read its domain, and nobody else', async () => {
  const grace = await colleagueOf(room.app, room.ada, 'MEMBER')
  const viewer = await colleagueOf(room.app, room.ada, 'VIEWER')
  const stranger = await room.app.person('stranger@other.example')
  const own = await room.connect('grace@private.example', { shared: false, visibility: 'owner' }, grace)
  for (const person of [room.ada, grace, viewer, stranger]) {
    const { status } = await person.browser.get(`${MAILBOXES}/${own.id}`)
    expect(status).toBe(person === stranger ? 404 : 200)
    expect((await person.browser.get(path(own.id))).status).toBe(status)
  }
})
