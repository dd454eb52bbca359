import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { tell } from '#test/provider.ts'
import { readBounce } from './inbound.ts'
import {
  openHouse,
  rowOf,
  sent,
  suppressed,
  THUNDERBIRD,
  told,
  toldTypes,
  type House,
} from './messages.harness.ts'

let house: House
let eve: Person
beforeAll(async () => {
  house = await openHouse()
  // With a second team it must be found out whose an event is.
  eve = await house.app.person()
})
afterAll(() => house.close())

let events = 0
const report = async (type: string, data: unknown, eventId = `evt_${++events}`) => {
  const at = new Date(house.clock.now())
  const reply = await tell(house.app.url, 'email', { eventId, type, data }, { at })
  expect(reply.status, reply.text).toBe(200)
  return eventId
}
const becomes = (eventId: string, status: string) =>
  eventually(async () => {
    const rows = await house.app.database.query(
      'select status, team_id from inbound_events where event_id = $1',
      [eventId],
    )
    expect(rows).toMatchObject([{ status }])
    return rows[0]!
  })
const takes = async (type: string, data: unknown) => becomes(await report(type, data), 'processed')

describe('which message is meant', () => {
  test('our own id says it, with or without its brackets, in the team it names', async () => {
    const mail = await sent(house, eve)
    await takes('email.delivered', { messageId: mail.message_id })
    await takes('email.opened', { messageId: mail.message_id.slice(1, -1), userAgent: THUNDERBIRD })
    expect(await toldTypes(house, mail)).toEqual(['email.delivered', 'email.opened'])
    expect((await told(house, mail))[0]).toMatchObject({
      team_id: eve.team_id,
      actor_kind: 'provider',
      actor_name: 'email provider',
    })
  })

  test('an address alone means the latest mail that went there, however it is spelt', async () => {
    const first = await sent(house, eve, { email: 'Grace@Example.test' })
    house.clock.advance(1_000)
    const second = await sent(house, eve, { email: 'Grace@Example.test', lead_id: first.lead_id })
    house.clock.advance(1_000)
    const waiting = await sent(house, eve, {
      email: 'Grace@Example.test',
      lead_id: first.lead_id,
      status: 'DUE',
    })
    await takes('email.opened', { to: 'grace@example.TEST' })
    expect((await rowOf(house, second)).opened_at).not.toBeNull()
    expect((await rowOf(house, first)).opened_at).toBeNull()
    expect(await rowOf(house, waiting)).toMatchObject({ opened_at: null, status: 'DUE' })
  })

  test('a provider’s own id is remembered as soon as both are told, and serves alone from then on', async () => {
    const mail = await sent(house, eve)
    await takes('email.delivered', { messageId: mail.message_id, email_id: 're_1', to: [mail.address] })
    expect(await rowOf(house, mail)).toMatchObject({ provider_id: 're_1' })
    await sent(house, eve, { email: mail.address, lead_id: mail.lead_id })
    await takes('email.opened', { email_id: 're_1', to: [mail.address] })
    expect((await rowOf(house, mail)).opened_at).not.toBeNull()
  })

  test('Resend’s own shape is taken as it is sent', async () => {
    const mail = await sent(house, eve, { subject: 'Your rollout' })
    await sent(house, eve, { email: mail.address, lead_id: mail.lead_id, subject: 'Another' })
    await takes('email.bounced', {
      email_id: 're_bounced',
      from: 'Rapport <rapport@example.test>',
      to: [`Grace <${mail.address}>`],
      subject: 'Your rollout',
      bounce: { type: 'Permanent', subType: 'General', message: 'The mailbox does not exist.' },
    })
    expect(await rowOf(house, mail)).toMatchObject({
      provider_id: 're_bounced',
      bounce: { permanent: true, reason: 'The mailbox does not exist.' },
    })
    expect((await suppressed(house, eve.team_id))[mail.address]).toBe('bounced')
  })

  test('a mail of another kind to the same address is not taken for one of ours', async () => {
    const mail = await sent(house, eve)
    const id = await report('email.opened', {
      email_id: 're_other',
      to: [mail.address],
      subject: 'Thank you for your answers',
    })
    await becomes(id, 'unmatched')
    expect(await toldTypes(house, mail)).toEqual([])
  })

  describe('an id of the provider and an address that contradict each other', () => {
    const bounce = { type: 'Permanent', message: 'gone' }
    const provided = async (person: Person, email_id: string) => {
      const mail = await sent(house, person)
      await takes('email.delivered', { messageId: mail.message_id, email_id })
      return mail
    }

    test('mean no message, and nobody is suppressed', async () => {
      const [mail, other] = [await provided(eve, 're_contradicted'), await sent(house, eve)]
      const to = [`Grace <${other.address}>`]
      await becomes(await report('email.bounced', { email_id: 're_contradicted', to, bounce }), 'unmatched')
      await becomes(await report('email.complained', { email_id: 're_contradicted', to }), 'unmatched')
      expect(await suppressed(house, eve.team_id)).not.toHaveProperty([mail.address])
      expect(await suppressed(house, eve.team_id)).not.toHaveProperty([other.address])
      // One of several recipients is no contradiction.
      await takes('email.bounced', {
        email_id: 're_contradicted',
        to: [...to, mail.address.toUpperCase()],
        bounce,
      })
      expect((await suppressed(house, eve.team_id))[mail.address]).toBe('bounced')
    })

    test('also when the address is known by another id, or to another team', async () => {
      const [mail, foreign] = [await provided(eve, 're_first'), await provided(house.ada, 're_foreign')]
      await becomes(
        await report('email.bounced', { email_id: 're_second', to: mail.address, bounce }),
        'unmatched',
      )
      await becomes(
        await report('email.bounced', { email_id: 're_foreign', to: mail.address, bounce }),
        'unmatched',
      )
      expect(await suppressed(house, eve.team_id)).not.toHaveProperty([mail.address])
      expect(await suppressed(house, house.ada.team_id)).not.toHaveProperty([foreign.address])
      await takes('email.opened', { email_id: 're_foreign', userAgent: THUNDERBIRD })
      expect(await toldTypes(house, foreign)).toEqual(['email.delivered', 'email.opened'])
    })
  })

  test.for<[string, Record<string, unknown>]>([
    ['nothing', {}],
    [
      'an id that is not there',
      { messageId: `<m.${'a'.repeat(24)}.${'b'.repeat(24)}@x>`, to: 'nobody@example.test' },
    ],
    ['an address nobody wrote to', { to: 'nobody@example.test' }],
    ['words where an address should be', { to: { $ne: 1 }, email_id: ['x'], messageId: 7, headers: 'x' }],
  ])('of %s, it is kept as unmatched', async ([, data]) => {
    await becomes(await report('email.opened', data), 'unmatched')
  })

  test('an id of another team does not reach over, whoever sends it there', async () => {
    const mail = await sent(house, eve)
    const at = new Date(house.clock.now())
    const eventId = `evt_${++events}`
    const event = { eventId, type: 'email.opened', data: { messageId: mail.message_id } }
    await tell(house.app.url, 'email', event, { at, query: `?team=${house.ada.team_id}` })
    await becomes(eventId, 'unmatched')
    expect(await toldTypes(house, mail)).toEqual([])
  })
})

describe('what comes of it', () => {
  test('an open by a machine is kept apart', async () => {
    const mail = await sent(house, eve)
    await takes('email.opened', { messageId: mail.message_id, userAgent: 'Mozilla/5.0' })
    expect((await rowOf(house, mail)).opened_at).toBeNull()
    expect((await told(house, mail)).map(({ data }) => data.machine)).toEqual([true])
  })

  test('a complaint leaves the person alone on every channel', async () => {
    const mail = await sent(house, eve, { phone: '+493012345678' })
    await takes('email.complained', { messageId: mail.message_id })
    expect(await suppressed(house, eve.team_id)).toMatchObject({
      [mail.address]: 'complained',
      '+493012345678': 'complained',
    })
    expect(await toldTypes(house, mail)).toEqual(['email.complained'])
  })

  test('fifty copies and any order of everything are told of once each', async () => {
    const mail = await sent(house, eve)
    const data = { messageId: mail.message_id, bounce: { type: 'Transient' } }
    const types = ['email.complained', 'email.bounced', 'email.opened', 'email.delivered']
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, at) => report(types[at % 4]!, data, `shuffled_${at % 12}`)),
    )
    for (const id of new Set(ids)) await becomes(id, 'processed')
    expect((await toldTypes(house, mail)).toSorted()).toEqual(types.toSorted())
  })

  test('a bounce after everything else is noted; that it was for good may be learnt later', async () => {
    const mail = await sent(house, eve)
    for (const type of ['email.delivered', 'email.opened']) await takes(type, { messageId: mail.message_id })
    await takes('email.bounced', {
      messageId: mail.message_id,
      bounce: { type: 'Transient', message: 'full' },
    })
    expect((await suppressed(house, eve.team_id))[mail.address]).toBeUndefined()
    await takes('email.bounced', {
      messageId: mail.message_id,
      bounce: { type: 'Permanent', message: 'gone' },
    })
    expect((await suppressed(house, eve.team_id))[mail.address]).toBe('bounced')
    await takes('email.bounced', { messageId: mail.message_id, bounce: { type: 'Transient' } })
    expect((await rowOf(house, mail)).bounce).toEqual({ permanent: true, reason: 'gone' })
    expect(await toldTypes(house, mail)).toEqual(['email.delivered', 'email.opened', 'email.bounced'])
  })

  test.for<[boolean, unknown]>([
    [true, { bounce: { type: 'Permanent' } }],
    [true, { bounce: { type: 'HardBounce' } }],
    [true, { bounce: 'hard' }],
    [true, { bounce: { message: 'smtp; 550 5.1.1 user unknown' } }],
    [true, { bounce: '550 5.1.1 <a@b>: unknown' }],
    [false, {}],
    [false, { bounce: { type: 'Transient', message: '550 5.1.1 said once' } }],
    [false, { bounce: { type: 'Undetermined' } }],
    [false, { bounce: { message: '452 4.2.2 mailbox full' } }],
    [false, { bounce: { message: 'from 10.5.1.1 with version 15.1.1' } }],
  ])('for good: %j of %j', ([permanent, data]) => {
    expect(readBounce(data as Record<string, unknown>).permanent).toBe(permanent)
  })
})

describe('a mail that was received', () => {
  const headers = (mail: { message_id: string }, more: object[] = []) => [
    { name: 'References', value: `<other@x> ${mail.message_id}` },
    ...more,
  ]

  test('is a reply when it answers one of ours, each told once', async () => {
    const mail = await sent(house, eve)
    const data = { email_id: 'in_1', message_id: '<r1@lead>', text: 'Yes, please', headers: headers(mail) }
    await takes('email.received', data)
    await takes('email.received', data)
    await takes('email.received', { ...data, message_id: '<r2@lead>', text: 'And soon' })
    expect((await told(house, mail)).map(({ type, data }) => [type, data.text])).toEqual([
      ['email.replied', 'Yes, please'],
      ['email.replied', 'And soon'],
    ])
    expect((await rowOf(house, mail)).replied_at).not.toBeNull()
  })

  test('is an automatic one when it says so, and then nothing else comes of it', async () => {
    const mail = await sent(house, eve)
    await takes('email.received', {
      message_id: '<ooo@lead>',
      text: 'I am away',
      headers: { 'In-Reply-To': mail.message_id, 'Auto-Submitted': 'auto-replied' },
    })
    expect(await toldTypes(house, mail)).toEqual(['email.auto_replied'])
    expect((await rowOf(house, mail)).replied_at).toBeNull()
  })

  test('is nothing when it answers nothing', async () => {
    const mail = await sent(house, eve)
    await becomes(await report('email.received', { from: mail.address, text: 'Hello' }), 'unmatched')
  })
})
