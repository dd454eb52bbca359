import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suppress } from '#domains/suppressions/service.ts'
import { twilioSignature } from '#platform/twilio-signature.ts'
import type { Person } from '#test/app.ts'
import { hostileTexts } from '#test/hostile.ts'
import { shareOf } from '#test/tier.ts'
import { restingRowsOf, rowsOf } from '#test/rows.ts'
import {
  openHouse,
  rowOf,
  sent,
  suppressed,
  told,
  toldTypes,
  type House,
  type Sent,
} from './messages.harness.ts'

const TOKEN = 'the auth token of the tests'
let house: House
let eve: Person
beforeAll(async () => {
  house = await openHouse({ config: { twilioAuthToken: TOKEN } })
  eve = await house.app.person()
})
afterAll(() => house.close())

const PATH = '/api/sms/twilio'
const form = (params: Record<string, string>, signature: string | undefined) =>
  house.stranger.raw('POST', PATH, new URLSearchParams(params).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...(signature !== undefined && { 'x-twilio-signature': signature }),
  })
const signed = async (params: Record<string, string>) => {
  const reply = await form(params, twilioSignature(TOKEN, house.app.runtime.settings.baseUrl + PATH, params))
  expect([reply.status, reply.text]).toEqual([200, '<Response/>'])
  expect(reply.headers.get('content-type')).toContain('text/xml')
}
let sids = 0
const writes = ({ address }: Sent, Body: string, more: Record<string, string> = {}) =>
  signed({
    From: address,
    To: '+15005550006',
    Body,
    MessageSid: `SMin${++sids}`,
    SmsStatus: 'received',
    ...more,
  })
const text = (person = eve) => sent(house, person, { channel: 'sms' })
const isSuppressed = async ({ address, team_id }: Sent) => (await suppressed(house, team_id))[address]

describe('what a stranger sends', () => {
  test('is refused without our provider’s signature over this address and these fields, and writes nothing', async () => {
    const message = await text()
    const params = { From: message.address, Body: 'STOP', MessageSid: 'SM1' }
    const url = house.app.runtime.settings.baseUrl + PATH
    const before = await restingRowsOf(house.app.database)
    for (const signature of [
      undefined,
      '',
      'x',
      twilioSignature('another token', url, params),
      twilioSignature(TOKEN, `${url}/`, params),
      twilioSignature(TOKEN, url, { ...params, Body: 'Hi' }),
    ])
      expect((await form(params, signature)).status).toBe(403)
    expect(await rowsOf(house.app.database)).toEqual(before)
  })

  test('is refused where no provider is configured, whatever it is signed with', async () => {
    const plain = await openHouse()
    try {
      const params = { From: '+4930123456', Body: 'STOP' }
      const url = plain.app.runtime.settings.baseUrl + PATH
      for (const key of ['', 'undefined', TOKEN]) {
        const reply = await plain.stranger.raw('POST', PATH, new URLSearchParams(params).toString(), {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': twilioSignature(key, url, params),
        })
        expect(reply.status).toBe(403)
      }
    } finally {
      await plain.close()
    }
  })
})

describe('STOP and START', () => {
  test.for(['STOP', 'stop', ' Stop. ', 'STOPALL', 'Unsubscribe', 'CANCEL', 'end', 'QUIT'])(
    '%j ends it, and is told once',
    async word => {
      const message = await text()
      await writes(message, word)
      await writes(message, word)
      expect(await isSuppressed(message)).toBe('stop')
      expect(await toldTypes(house, message)).toEqual(['sms.unsubscribed'])
      expect((await rowOf(house, message)).unsubscribed_at).not.toBeNull()
    },
  )

  test.for(['START', 'unstop', 'Yes'])('%j takes a STOP back, and only that', async word => {
    const message = await text()
    await writes(message, 'STOP')
    await writes(message, word)
    expect(await isSuppressed(message)).toBeUndefined()
    await writes(message, 'STOP')
    expect(await isSuppressed(message)).toBe('stop')
    expect(await toldTypes(house, message)).toEqual(['sms.unsubscribed', 'sms.unsubscribed'])

    const known = await text()
    await suppress(eve.ctx, { channel: 'phone', address: known.address, reason: 'manual', source: 'Eve' })
    await writes(known, word)
    expect(await isSuppressed(known)).toBe('manual')
  })

  test('count for every team that ever wrote to the number, and for no other', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => house.app.person()))
    const earlier = await text(first)
    const later = await sent(house, second!, { channel: 'sms', phone: earlier.address })
    const elsewhere = await text(third)
    await writes(earlier, 'STOP')
    for (const message of [earlier, later]) {
      expect(await isSuppressed(message)).toBe('stop')
      expect(await toldTypes(house, message)).toEqual(['sms.unsubscribed'])
    }
    expect(await suppressed(house, elsewhere.team_id)).toEqual({})
    await writes(earlier, 'START')
    for (const message of [earlier, later]) expect(await isSuppressed(message)).toBeUndefined()
    // What is no word for either is for whoever wrote last.
    await writes(earlier, 'Who is this?')
    expect(await toldTypes(house, earlier)).toEqual(['sms.unsubscribed'])
    expect(await toldTypes(house, later)).toEqual(['sms.unsubscribed', 'sms.replied'])
  })

  test('Twilio’s own word for it counts, whatever the person wrote', async () => {
    const message = await text()
    await writes(message, 'Bitte nicht mehr', { OptOutType: 'STOP' })
    expect(await isSuppressed(message)).toBe('stop')
  })

  test('a yes to what was asked is an answer: there is no STOP that it could take back', async () => {
    const message = await text()
    await writes(message, 'YES')
    expect((await told(house, message)).map(({ type, data }) => [type, data.text])).toEqual([
      ['sms.replied', 'YES'],
    ])
  })

  test('a word in a sentence is an answer', async () => {
    const message = await text()
    await writes(message, 'Please stop by on Monday')
    expect(await isSuppressed(message)).toBeUndefined()
    expect(await toldTypes(house, message)).toEqual(['sms.replied'])
  })
})

describe('an answer', () => {
  test('is to the latest message to that phone, in the team that sent it; each is told, and once', async () => {
    const first = await text()
    house.clock.advance(1_000)
    const latest = await sent(house, eve, { channel: 'sms', phone: first.address, lead_id: first.lead_id })
    const again = { MessageSid: 'SMsame' }
    await writes(latest, 'Yes please', again)
    await writes(latest, 'Yes please', again)
    await writes(latest, 'At ten?')
    expect(await toldTypes(house, first)).toEqual([])
    expect((await told(house, latest)).map(({ type, data }) => [type, data.text])).toEqual([
      ['sms.replied', 'Yes please'],
      ['sms.replied', 'At ten?'],
    ])
    expect((await told(house, latest))[0]).toMatchObject({
      team_id: eve.team_id,
      lead_id: latest.lead_id,
      actor_name: 'SMS provider',
    })
  })

  test('from somebody nobody wrote to changes nothing', async () => {
    const before = await restingRowsOf(house.app.database)
    await signed({ From: '+19995550000', Body: 'Hello', MessageSid: 'SMx' })
    await signed({ From: '', Body: '', MessageSid: '' })
    await signed({})
    expect(await rowsOf(house.app.database)).toEqual(before)
  })

  test('in whatever words is taken', async () => {
    const message = await text()
    for (const words of shareOf(hostileTexts, 1, 4).filter(words => words.isWellFormed()))
      await writes(message, words)
    expect((await toldTypes(house, message)).every(type => type === 'sms.replied')).toBe(true)
  })
})

describe('what became of a message', () => {
  const becomes = ({ address }: Sent, MessageSid: string, MessageStatus: string, more = {}) =>
    signed({
      To: address,
      From: '+15005550006',
      MessageSid,
      MessageStatus,
      SmsStatus: MessageStatus,
      ...more,
    })
  const named = async (sid: string) => {
    const message = await text()
    await house.app.database.query('update messages set provider_id = $2 where id = $1', [message.id, sid])
    return message
  }

  test('delivered is noted once', async () => {
    const message = await named('SMd')
    for (const status of ['queued', 'sent', 'delivered', 'delivered']) await becomes(message, 'SMd', status)
    expect(await toldTypes(house, message)).toEqual(['sms.delivered'])
    expect((await rowOf(house, message)).delivered_at).not.toBeNull()
  })

  test('told before we knew its name, it is known by its number', async () => {
    const message = await sent(house, eve, { channel: 'sms', status: 'SENDING' })
    await becomes(message, 'SMearly', 'delivered')
    expect(await rowOf(house, message)).toMatchObject({ provider_id: 'SMearly', status: 'SENDING' })
    expect(await toldTypes(house, message)).toEqual(['sms.delivered'])
  })

  test('undelivered is a bounce; a number that nobody has is written to no more', async () => {
    const [filtered, dead] = [await named('SMf'), await named('SMg')]
    await becomes(filtered, 'SMf', 'undelivered', { ErrorCode: '30007' })
    await becomes(dead, 'SMg', 'failed', { ErrorCode: '30005' })
    await becomes(dead, 'SMg', 'failed', { ErrorCode: '30005' })
    expect([await isSuppressed(filtered), await isSuppressed(dead)]).toEqual([undefined, 'bounced'])
    expect(await rowOf(house, filtered)).toMatchObject({
      bounce: { permanent: false, reason: 'The provider returned error 30007.' },
    })
    expect(await toldTypes(house, dead)).toEqual(['sms.bounced'])
  })
})
