import OpenAI from 'openai'
import type { RealtimeCallIncomingWebhookEvent, ResponseFailedWebhookEvent } from 'openai/resources/webhooks'
import type { EmailBouncedEvent, EmailOpenedEvent } from 'resend'
import { Webhook } from 'svix'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { findEvent } from '#platform/event-log.ts'
import { signedEndpoints, signingKey } from '#platform/signature.ts'
import { domains } from '#app'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { post, signed, tell, webhookPaths } from '#test/provider.ts'
import { restingRowsOf, rowsOf } from '#test/rows.ts'
import { inOrder } from '#test/in-order.ts'
import { webhookSecret } from '#test/webhook-secret.ts'
import {
  UNASSIGNED_KEPT_MS,
  assignEvents,
  countUnassigned,
  listUnassigned,
  pruneUnassigned,
  readUnassigned,
} from './unassigned.ts'
import { acceptedTypes, EVENT_ID_LENGTH_MAX } from './values.ts'

inOrder()

let app: TestApp
let ada: Person
const clock = new FakeClock()
const SECOND_SECRET = 'the second of two'
const now = () => new Date(clock.now())
// Without those that take up calls: what nobody takes up waits, and can be looked at.
const others = domains.filter(({ name }) => name !== 'calls' && name !== 'softphone')

beforeAll(async () => {
  app = await startApp({
    clock,
    domains: others,
    config: {
      webhookKeys: {
        payment: [signingKey(webhookSecret('payment'))],
        voice: [signingKey(webhookSecret('voice'))],
        email: [signingKey(webhookSecret('email'))],
        realtime: [signingKey(webhookSecret('realtime')), signingKey(SECOND_SECRET)],
      },
    },
  })
  ada = await app.person()
})
afterAll(() => app.close())

let events = 0
const ended = (fields: object = {}) => ({
  eventId: `evt_${++events}`,
  type: 'call_ended',
  data: { callId: 'c1', durationSec: 200 },
  ...fields,
})
const inbox = async (query = '') => (await ada.browser.get(`/api/webhooks/inbox?${query}`)).body.data
const received = async (eventId: string) => {
  const [found] = await inbox(`event_id=${encodeURIComponent(eventId)}`)
  return found && (await ada.browser.get(`/api/webhooks/inbox/${found.id}`)).body
}

describe('a signed event', () => {
  test.for(signedEndpoints)(
    'of the %s provider is stored as it came, and told within the team',
    async endpoint => {
      const [type] = acceptedTypes[endpoint]
      const body = `{ "eventId": "first-${endpoint}",\n "type": "${type}", "data": {"note": "zwölf 🎉"} }`
      expect(await tell(app.url, endpoint, body, { at: now() })).toMatchObject({
        status: 200,
        body: { eventId: `first-${endpoint}`, status: 'accepted' },
      })
      await eventually(async () =>
        expect(await received(`first-${endpoint}`)).toMatchObject({
          // What is said about mails and payments has somebody who listens; this one names none.
          status: ['email', 'payment'].includes(endpoint) ? 'unmatched' : 'waiting',
          endpoint,
          type,
          body,
        }),
      )
      const [told] = await app.database.query<{ id: string; data: object }>(
        `select id, data from events where type = $1`,
        [`webhook:${type}`],
      )
      const logged = { endpoint, eventId: `first-${endpoint}` }
      expect(told!.data).toEqual(logged)
      expect(await findEvent(ada.ctx, told!.id)).toMatchObject({
        data: { ...logged, data: { note: 'zwölf 🎉' } },
        actor_name: `${endpoint} provider`,
      })
    },
  )

  test('may come under the names of the svix headers, signed by the svix library', async () => {
    const body = JSON.stringify(ended())
    const signature = new Webhook(webhookSecret('voice')).sign('msg_svix', now(), body)
    const headers = {
      'content-type': 'application/json',
      'svix-id': 'msg_svix',
      'svix-timestamp': String(Math.floor(clock.now() / 1000)),
      'svix-signature': signature,
    }
    expect(await post(app.url + webhookPaths.voice, body, headers)).toMatchObject({ status: 200 })
  })

  test('of the realtime provider may be signed with either of two secrets', async () => {
    for (const secret of [
      webhookSecret('realtime'),
      `whsec_${Buffer.from(SECOND_SECRET).toString('base64')}`,
    ]) {
      const event = { id: `evt_${++events}`, type: 'response.completed', data: { id: 'resp_1' } }
      expect(await tell(app.url, 'realtime', event, { secret, at: now() })).toMatchObject({
        status: 200,
        body: { status: 'accepted' },
      })
    }
  })

  test('with a name nobody knows, or of another endpoint, is kept and ignored', async () => {
    for (const type of ['call_began', 'email.opened', '__proto__']) {
      const event = ended({ type })
      expect((await tell(app.url, 'voice', event, { at: now() })).body).toEqual({
        eventId: event.eventId,
        status: 'ignored',
      })
      await eventually(async () =>
        expect(await received(event.eventId)).toMatchObject({
          status: 'ignored',
          type,
          effects: [],
          caused: [],
        }),
      )
      const { id } = await received(event.eventId)
      expect((await ada.browser.post(`/api/webhooks/inbox/${id}/replay`)).body.code).toBe('event_ignored')
    }
  })
})

describe('refused with 401, and the database is as it was:', () => {
  const body = JSON.stringify(ended({ eventId: 'refused' }))
  const good = () => signed('voice', body, { at: now() })
  const at = (seconds: number) => signed('voice', body, { at: new Date(clock.now() + seconds * 1000) })
  const without = (name: string) => {
    const { [name]: _, ...rest } = good()
    return rest
  }
  const cases: Record<string, () => { headers: Record<string, string>; body?: string; path?: string }> = {
    'another secret': () => ({
      headers: signed('voice', body, { at: now(), secret: 'whsec_d3Jvbmcgc2VjcmV0IG9mIHNvbWVib2R5' }),
    }),
    'the secret of another endpoint': () => ({
      headers: signed('voice', body, { at: now(), secret: webhookSecret('payment') }),
    }),
    'a signature for another endpoint': () => ({ headers: good(), path: webhookPaths.email }),
    'one byte changed': () => ({ headers: good(), body: body.replace('200', '201') }),
    'the same JSON written otherwise': () => ({ headers: good(), body: body.replace(':', ': ') }),
    'another id': () => ({ headers: { ...good(), 'webhook-id': 'msg_other' } }),
    'no id': () => ({ headers: without('webhook-id') }),
    'no time': () => ({ headers: without('webhook-timestamp') }),
    'no signature': () => ({ headers: without('webhook-signature') }),
    'an empty signature': () => ({ headers: { ...good(), 'webhook-signature': 'v1,' } }),
    '301 s ago': () => ({ headers: at(-301) }),
    '301 s ahead': () => ({ headers: at(301) }),
    'no body': () => ({ headers: good(), body: '' }),
  }

  test.for(Object.keys(cases))('%s', async name => {
    const before = await restingRowsOf(app.database)
    const { headers, body: sent = body, path = webhookPaths.voice } = cases[name]!()
    const reply = await post(app.url + path, sent, headers)
    expect(reply).toMatchObject({ status: 401, body: { code: 'invalid_signature' } })
    expect(reply.headers.get('www-authenticate')).toBe('StandardWebhooks')
    expect(await rowsOf(app.database)).toEqual(before)
  })

  test('and 300 s either way is still in time', async () => {
    for (const seconds of [300, -300]) {
      const reply = await tell(app.url, 'voice', ended(), { at: new Date(clock.now() + seconds * 1000) })
      expect(reply.status).toBe(200)
    }
  })
})

describe('the same event again', () => {
  test('fifty copies at once are one event: one is accepted, 49 are duplicates', async () => {
    const event = ended()
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => tell(app.url, 'voice', event, { at: now() })),
    )
    const statuses = replies.map(({ body }) => body.status)
    expect(statuses.filter(status => status === 'accepted')).toHaveLength(1)
    expect(statuses.filter(status => status === 'duplicate')).toHaveLength(49)
    await eventually(async () => expect((await received(event.eventId))?.status).toBe('waiting'))
    expect(await received(event.eventId)).toMatchObject({ duplicates: 49 })
    const told = await app.database.query(
      `select 1 from events where type = 'webhook:call_ended' and data ->> 'eventId' = $1`,
      [event.eventId],
    )
    expect(told).toHaveLength(1)
  })

  test('is one although another process takes the copies in another order', async () => {
    const other = await startApp({ database: app.database, clock, domains: others, role: 'api' })
    const batch = Array.from({ length: 30 }, () => ended())
    const replies = await Promise.all([
      ...batch.map(event => tell(app.url, 'voice', event, { at: now() })),
      ...batch.toReversed().map(event => tell(other.url, 'voice', event, { at: now() })),
    ])
    await other.close()
    for (const { eventId } of batch) {
      const own = replies.filter(({ body }) => body.eventId === eventId).map(({ body }) => body.status)
      expect(own.toSorted()).toEqual(['accepted', 'duplicate'])
    }
  })

  test('a week later, and with another body, is still the same', async () => {
    const event = ended()
    await tell(app.url, 'voice', event, { at: now() })
    clock.advance(7 * 86_400_000)
    const again = { ...event, data: { callId: 'c1', durationSec: 1 } }
    expect((await tell(app.url, 'voice', again, { at: now() })).body.status).toBe('duplicate')
    await eventually(async () => expect((await received(event.eventId))?.body).toBe(JSON.stringify(event)))
  })

  test('at another endpoint is another event', async () => {
    await tell(app.url, 'voice', ended({ eventId: 'shared' }), { at: now() })
    const payment = { eventId: 'shared', type: 'payment.confirmed', data: {} }
    expect((await tell(app.url, 'payment', payment, { at: now() })).body.status).toBe('accepted')
  })
})

describe('what a body may look like', () => {
  const sent = async (event: unknown, sending: object = {}) =>
    (await tell(app.url, 'voice', event, { at: now(), ...sending })).body
  const dataOf = async (eventId: string) =>
    eventually(async () => {
      const [row] = await app.database.query<{ id: string }>(
        `select id from events where type like 'webhook:%' and data ->> 'eventId' = $1`,
        [eventId],
      )
      expect(row).toBeDefined()
      return (await findEvent(ada.ctx, row!.id))!.data.data
    })

  test('`event` serves for the type, and fields may stand beside it', async () => {
    await sent({ eventId: 'flat', event: 'call_ended', callId: 'c9', durationSec: 3 })
    expect(await dataOf('flat')).toEqual({ callId: 'c9', durationSec: 3 })
  })

  test('without an eventId the id serves, and without that the id of the message', async () => {
    expect(await sent({ id: 'own', type: 'call_ended' })).toEqual({ eventId: 'own', status: 'accepted' })
    expect(await sent({ type: 'call_ended' }, { id: 'msg_own' })).toMatchObject({ eventId: 'msg_own' })
  })

  test('text that the database cannot hold is kept as it came, and replaced where it is read', async () => {
    const body = '{"eventId":"nul","type":"call_ended","data":{"a\\u0000":"x\\u0000y","half":"\\ud800"}}'
    expect(await sent(body)).toMatchObject({ status: 'accepted' })
    expect(await dataOf('nul')).toEqual({ 'a\uFFFD': 'x\uFFFDy', half: '\uFFFD' })
    expect((await received('nul')).body).toBe(body)
  })

  test.for([
    ['no type', { eventId: 'x' }, 'type_missing'],
    ['a type that is no text', { eventId: 'x', type: 5 }, 'type_missing'],
    ['a type of 101 characters', { eventId: 'x', type: 'x'.repeat(101) }, 'type_missing'],
    ['an eventId that is no text', { eventId: 7, type: 'call_ended' }, 'event_id_missing'],
    ['an empty eventId', { eventId: '', type: 'call_ended' }, 'event_id_missing'],
    ['an eventId too long', { eventId: 'x'.repeat(256), type: 'call_ended' }, 'event_id_missing'],
    ['a list', [], 'malformed_event'],
    ['nothing', null, 'malformed_event'],
    ['no JSON', '{"eventId":', 'malformed_json'],
  ] as const)('%s is a 400 that says so', async ([, event, code]) => {
    const reply = await tell(app.url, 'voice', event, { at: now() })
    expect(reply).toMatchObject({ status: 400, body: { code } })
  })

  test('an eventId of the greatest length is taken', async () => {
    expect((await sent(ended({ eventId: 'é'.repeat(EVENT_ID_LENGTH_MAX) }))).status).toBe('accepted')
  })

  test('a body of one MiB is taken, and one byte more is not', async () => {
    const room = 1024 * 1024 - JSON.stringify(ended({ eventId: 'large', data: { text: '' } })).length
    const large = ended({ eventId: 'large', data: { text: 'x'.repeat(room) } })
    expect((await tell(app.url, 'voice', large, { at: now() })).status).toBe(200)
    large.data = { text: 'x'.repeat(room + 1) } as never
    expect((await tell(app.url, 'voice', large, { at: now() })).status).toBe(413)
  })

  test('Resend’s own events are taken as they are', async () => {
    const data = {
      created_at: '2026-03-02T09:00:00.000Z',
      email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
      message_id: '<a@b>',
      from: 'Acme <a@acme.test>',
      to: ['ada@example.test'],
      subject: 'Hello',
    }
    const opened: EmailOpenedEvent = { type: 'email.opened', created_at: '2026-03-02T09:00:00.000Z', data }
    const bounced: EmailBouncedEvent = {
      type: 'email.bounced',
      created_at: '2026-03-02T09:00:00.000Z',
      data: { ...data, bounce: { message: 'gone', subType: 'Suppressed', type: 'Permanent' } },
    }
    for (const event of [opened, bounced]) {
      const id = `msg_${event.type}`
      const reply = await tell(app.url, 'email', event, { at: now(), id, prefix: 'svix' })
      expect(reply.body).toEqual({ eventId: id, status: 'accepted' })
      expect(await dataOf(id)).toEqual(event.data)
    }
  })

  test('OpenAI’s own events are taken as they are, signed as its library verifies', async () => {
    const incoming: RealtimeCallIncomingWebhookEvent = {
      id: 'evt_incoming',
      object: 'event',
      created_at: 1_750_000_000,
      type: 'realtime.call.incoming',
      data: { call_id: 'rtc_1', sip_headers: [{ name: 'From', value: 'sip:+4930123456@sip.example.test' }] },
    }
    const failed: ResponseFailedWebhookEvent = {
      id: 'evt_failed',
      object: 'event',
      created_at: 1_750_000_000,
      type: 'response.failed',
      data: { id: 'resp_1' },
    }
    const openai = new OpenAI({ apiKey: 'none' })
    for (const event of [incoming, failed]) {
      const body = JSON.stringify(event)
      const today = signed('realtime', body)
      expect(await openai.webhooks.unwrap(body, today, webhookSecret('realtime'))).toEqual(event)
      const reply = await post(app.url + webhookPaths.realtime, body, signed('realtime', body, { at: now() }))
      expect(reply.body).toEqual({ eventId: event.id, status: 'accepted' })
      expect(await dataOf(event.id)).toEqual(event.data)
    }
  })
})

test('an event that nobody takes up goes on waiting when it is replayed', async () => {
  const event = ended()
  await tell(app.url, 'voice', event, { at: now() })
  await eventually(async () => expect((await received(event.eventId))?.status).toBe('waiting'))
  const { id } = await received(event.eventId)
  expect((await ada.browser.post(`/api/webhooks/inbox/${id}/replay`)).body).toMatchObject({
    status: 'waiting',
    replays: 1,
  })
  expect(await received(event.eventId)).toMatchObject({ status: 'waiting', replays: 1 })
})

test('the inbox is a list with filters, newest first, page by page', async () => {
  clock.advance(60_000)
  const from = now().toISOString()
  const made = [ended(), ended({ type: 'call_connected' }), ended()]
  for (const event of made) {
    await tell(app.url, 'voice', event, { at: now() })
    clock.advance(1_000)
  }
  const ids = (rows: { event_id: string }[]) => rows.map(({ event_id }) => event_id)
  await eventually(async () =>
    expect(ids(await inbox(`from=${from}&status=waiting`))).toEqual(made.map(e => e.eventId).toReversed()),
  )
  expect(ids(await inbox(`from=${from}&type=call_connected`))).toEqual([made[1]!.eventId])
  expect(await inbox(`from=${from}&endpoint=payment`)).toEqual([])
  const until = new Date(Date.parse(from) + 1_000).toISOString()
  expect(ids(await inbox(`from=${from}&until=${until}`))).toEqual([made[0]!.eventId])
  const first = (await ada.browser.get(`/api/webhooks/inbox?from=${from}&limit=2`)).body
  const second = (
    await ada.browser.get(`/api/webhooks/inbox?from=${from}&limit=2&cursor=${first.next_cursor}`)
  ).body
  expect([...ids(first.data), ...ids(second.data)]).toEqual(made.map(e => e.eventId).toReversed())
  expect(second.next_cursor).toBeNull()
})

describe('whose event it is, where there are several teams', () => {
  let eve: Person
  const operator = () => systemContext(app.runtime)
  beforeAll(async () => {
    eve = await app.person()
  })
  const seenBy = async (person: Person, eventId: string) =>
    (await person.browser.get(`/api/webhooks/inbox?event_id=${eventId}`)).body.data
  /** Sent and routed: nobody's yet. */
  const leftOver = async (event: { eventId: string }, query = '') => {
    await tell(app.url, 'voice', event, { at: now(), query })
    return eventually(async () => {
      const found = (await listUnassigned(operator())).find(({ event_id }) => event_id === event.eventId)
      expect(found).toBeDefined()
      return found!
    })
  }

  test('is told by the lead it names, or by the address', async () => {
    const lead = (await eve.browser.post('/api/crm/leads', { first_name: 'Grace' })).body
    const [named, addressed] = [ended({ data: { leadId: lead.id } }), ended()]
    await tell(app.url, 'voice', named, { at: now() })
    await tell(app.url, 'voice', addressed, { at: now(), query: `?team=${eve.team_id}` })
    for (const { eventId } of [named, addressed]) {
      await eventually(async () => expect(await seenBy(eve, eventId)).toHaveLength(1))
      expect(await seenBy(ada, eventId)).toEqual([])
    }
    const [{ id }] = await seenBy(eve, named.eventId)
    expect((await ada.browser.get(`/api/webhooks/inbox/${id}`)).status).toBe(404)
    expect((await ada.browser.post(`/api/webhooks/inbox/${id}/replay`)).status).toBe(404)
  })

  test('what names nothing we know is nobody’s, and no team sees it', async () => {
    const [nobodys, astray] = [ended({ data: { leadId: 'f'.repeat(24) } }), ended()]
    const left = [await leftOver(nobodys), await leftOver(astray, `?team=${'f'.repeat(24)}`)]
    for (const { id, event_id } of left)
      for (const { browser } of [ada, eve]) {
        expect((await browser.get(`/api/webhooks/inbox?event_id=${event_id}`)).body.data).toEqual([])
        expect((await browser.get(`/api/webhooks/inbox/${id}`)).status).toBe(404)
        expect((await browser.post(`/api/webhooks/inbox/${id}/replay`)).status).toBe(404)
      }
    const told = await app.database.query(
      `select 1 from events where type = 'webhook:call_ended' and data ->> 'eventId' = any($1)`,
      [left.map(({ event_id }) => event_id)],
    )
    expect(told).toEqual([])
    const ignored = ended({ type: 'call_began' })
    await tell(app.url, 'voice', ignored, { at: now() })
    await leftOver(ended())
    expect((await listUnassigned(operator())).map(({ event_id }) => event_id)).not.toContain(ignored.eventId)
  })

  test('the operator assigns it, and it is processed there once, whoever assigns it at the same time', async () => {
    const event = ended()
    const { id } = await leftOver(event)
    const before = await countUnassigned(operator())
    expect(await readUnassigned(operator(), id)).toMatchObject({ body: JSON.stringify(event) })
    const tries = await Promise.allSettled([
      assignEvents(operator(), [id], eve.team_id),
      assignEvents(operator(), [id], ada.team_id),
      assignEvents(operator(), [id], eve.team_id),
    ])
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [owner, stranger] = tries[1]!.status === 'fulfilled' ? [ada, eve] : [eve, ada]
    await eventually(async () =>
      expect(await seenBy(owner, event.eventId)).toMatchObject([{ status: 'waiting' }]),
    )
    expect(await seenBy(stranger, event.eventId)).toEqual([])
    expect(await countUnassigned(operator())).toBe(before - 1)
    const told = await app.database.query<{ type: string; actor_name: string }>(
      `select type, team_id, actor_name from events where subject_id = $1 order by id`,
      [id],
    )
    expect(told).toEqual([
      { type: 'webhook_inbox.assigned', team_id: owner.team_id, actor_name: 'Operator' },
      { type: 'webhook:call_ended', team_id: owner.team_id, actor_name: 'voice provider' },
    ])
    await expect(readUnassigned(operator(), id)).rejects.toThrow('No unassigned event')
    const other = await leftOver(ended())
    await expect(assignEvents(operator(), [other.id], 'f'.repeat(24))).rejects.toThrow('There is no team')
  })

  test('after ninety days it goes', async () => {
    await leftOver(ended())
    clock.advance(UNASSIGNED_KEPT_MS + 1_000)
    const recent = await leftOver(ended())
    expect(await pruneUnassigned(operator())).toBeGreaterThan(0)
    expect((await listUnassigned(operator())).map(({ id }) => id)).toEqual([recent.id])
  })
})
