import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemContext } from '#platform/context.ts'
import type { DeliveryEvent } from '#platform/ports/delivery-log.ts'
import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { client } from '#test/client.ts'
import { hostileTexts } from '#test/hostile.ts'
import type { Person } from '#test/app.ts'
import { hold } from '#test/locks.ts'
import { inOrder } from '#test/in-order.ts'
import { incomingMail } from '#test/incoming-mail.ts'
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
import { readReplies } from './replies.ts'
import { syncDeliveries } from './sync.ts'

inOrder()

let house: House
let eve: Person
beforeAll(async () => {
  house = await openHouse()
  eve = await house.app.person()
  await read()
})
beforeEach(() => void house.clock.advance(60_000))
afterAll(() => house.close())

const system = () => systemContext(house.app.runtime)
const read = () => readReplies(system())
let mails = 0
const arrives = (fields: Partial<IncomingMail>) =>
  house.ports.mailbox.mails.push(
    incomingMail({
      from: 'somebody@example.test',
      subject: 'Re: A question',
      text: 'Yes, please',
      message_id: `<in.${++mails}@lead.example>`,
      at: new Date(house.clock.now()).toISOString(),
      ...fields,
    }),
  )
const place = async () => (await house.app.database.query('select uid from mailbox_places'))[0]!.uid
const DAY_MS = 86_400_000

describe('the mailbox', () => {
  test('a reply finds its mail by the ids it answers, in whichever team', async () => {
    const [one, other] = [await sent(house, house.ada), await sent(house, eve)]
    arrives({ from: 'colleague@example.test', answers: ['<x@y>', one.message_id] })
    arrives({ answers: [other.message_id.slice(1, -1)], text: 'No' })
    expect(await read()).toEqual({
      replies: 2,
      automatic: 0,
      bounces: 0,
      received: 0,
      unmatched: 0,
      skipped: 0,
    })
    expect(
      (await told(house, one)).map(({ type, data, actor_name }) => [type, data.text, actor_name]),
    ).toEqual([['email.replied', 'Yes, please', 'mailbox']])
    expect((await told(house, other))[0]).toMatchObject({ team_id: eve.team_id, data: { text: 'No' } })
    const lead = await house.ada.browser.get(`/api/crm/leads/${one.lead_id}`)
    expect(lead.body.last_activity_at).toBe((await rowOf(house, one)).replied_at)
  })

  test('what was there before it was read for the first time is nobody’s reply', async () => {
    const fresh = await openHouse()
    try {
      const mail = await sent(fresh, fresh.ada)
      fresh.ports.mailbox.mails.push(
        incomingMail({
          from: mail.address,
          subject: '',
          text: '',
          message_id: '<old@x>',
          answers: [mail.message_id],
          at: '2026-01-01T00:00:00.000Z',
        }),
      )
      expect(await readReplies(systemContext(fresh.app.runtime))).toMatchObject({ replies: 0 })
      expect(await readReplies(systemContext(fresh.app.runtime))).toMatchObject({ replies: 0 })
      expect(await toldTypes(fresh, mail)).toEqual([])
    } finally {
      await fresh.close()
    }
  })

  test('one that answers nothing is to the latest mail its sender got within thirty days', async () => {
    const older = await sent(house, eve)
    house.clock.advance(1_000)
    const mail = await sent(house, eve, { email: older.address, lead_id: older.lead_id })
    arrives({ from: mail.address.toUpperCase(), subject: 'Hello' })
    await read()
    expect(await toldTypes(house, mail)).toEqual(['email.replied'])
    expect(await toldTypes(house, older)).toEqual([])

    const old = await sent(house, eve)
    house.clock.advance(30 * DAY_MS + 1)
    arrives({ from: old.address })
    expect(await read()).toMatchObject({ unmatched: 1 })
  })

  test('one that answers an id which is not ours counts when its subject is that of our mail', async () => {
    const mail = await sent(house, eve, { subject: 'Your rollout: next steps' })
    arrives({ from: mail.address, answers: ['<0102@email.amazonses.example>'], subject: 'Lunch?' })
    expect(await read()).toMatchObject({ unmatched: 1 })
    arrives({
      from: mail.address,
      answers: ['<0102@email.amazonses.example>'],
      subject: 'AW: Re[2]: your rollout: Next steps',
    })
    expect(await read()).toMatchObject({ replies: 1 })
  })

  test('an out-of-office stands on the timeline, and nothing else comes of it', async () => {
    const mail = await sent(house, eve)
    arrives({ kind: 'automatic', answers: [mail.message_id], text: 'I am away' })
    expect(await read()).toMatchObject({ automatic: 1, replies: 0 })
    expect(await toldTypes(house, mail)).toEqual(['email.auto_replied'])
    expect((await rowOf(house, mail)).replied_at).toBeNull()
  })

  test('a report that a mail could not be delivered is a bounce, for good or not', async () => {
    const [gone, full, byAddress] = [await sent(house, eve), await sent(house, eve), await sent(house, eve)]
    const bounce = (mail: Sent | undefined, recipient: string | null, permanent: boolean) => ({
      kind: 'bounce' as const,
      from: 'mailer-daemon@example.test',
      bounce: { message_id: mail?.message_id ?? null, recipient, permanent, reason: '550 5.1.1 unknown' },
    })
    arrives(bounce(gone, gone.address, true))
    arrives(bounce(full, full.address, false))
    arrives(bounce(undefined, byAddress.address, true))
    expect(await read()).toMatchObject({ bounces: 3 })
    const list = await suppressed(house, eve.team_id)
    expect([list[gone.address], list[full.address], list[byAddress.address]]).toEqual([
      'bounced',
      undefined,
      'bounced',
    ])
    expect(await rowOf(house, full)).toMatchObject({ bounce: { permanent: false } })
  })

  test('an id of ours that names no message, and one of another installation, are nobody’s', async () => {
    const mail = await sent(house, eve)
    arrives({ answers: [mail.message_id.replace(eve.team_id, house.ada.team_id)] })
    arrives({ answers: [`<m.${'f'.repeat(24)}.${'e'.repeat(24)}@elsewhere>`] })
    expect(await read()).toMatchObject({ unmatched: 2 })
    expect(await toldTypes(house, mail)).toEqual([])
  })

  test('a poisoned mail is passed over, and the others come in', async () => {
    const mail = await sent(house, eve)
    await using _held = {
      async [Symbol.asyncDispose]() {
        await house.app.database.query('alter table message_answers drop constraint no_poison')
      },
    }
    await house.app.database.query(
      `alter table message_answers add constraint no_poison check (answer_id <> '<poison@x>')`,
    )
    arrives({ answers: [mail.message_id], message_id: '<poison@x>' })
    arrives({ answers: [mail.message_id], text: 'Good' })
    const before = await place()
    expect(await read()).toMatchObject({ skipped: 1, replies: 1 })
    expect(await place()).toBe(before + 2)
    expect((await told(house, mail)).map(({ data }) => data.text)).toEqual(['Good'])
  })

  test('hostile words change nothing but the words', async () => {
    const mail = await sent(house, eve)
    for (const text of hostileTexts) arrives({ answers: [text, mail.message_id], text, subject: text })
    expect(await read()).toMatchObject({ replies: hostileTexts.length, skipped: 0 })
    for (const text of hostileTexts) arrives({ from: text, subject: text, message_id: text || null })
    expect(await read()).toMatchObject({ skipped: 0 })
  })

  test('read by several at once, each mail is told of once and the place moves once', async () => {
    const mail = await sent(house, eve)
    for (let at = 0; at < 30; at++) arrives({ answers: [mail.message_id], text: `${at}` })
    await Promise.all([read(), read(), read(), read()])
    expect((await told(house, mail)).map(({ data }) => data.text)).toEqual(
      Array.from({ length: 30 }, (_, at) => `${at}`),
    )
    expect(await place()).toBe(house.ports.mailbox.mails.length)
  })

  test('whoever finds another at it goes away', async () => {
    const mail = await sent(house, eve)
    arrives({ answers: [mail.message_id] })
    await using other = await hold(house.app.database, 'select 1 from mailbox_places for update')
    expect(await read()).toMatchObject({ replies: 0 })
    expect(await toldTypes(house, mail)).toEqual([])
    await other.letGo()
    expect(await read()).toMatchObject({ replies: 1 })
  })

  test('read again after a crash before the place was moved, nothing is told twice', async () => {
    const mail = await sent(house, eve)
    const before = await place()
    arrives({ answers: [mail.message_id] })
    arrives({ answers: [mail.message_id], kind: 'automatic' })
    await read()
    await house.app.database.query('update mailbox_places set uid = $1', [before])
    expect(await read()).toMatchObject({ replies: 0, automatic: 0, unmatched: 2 })
    expect(await toldTypes(house, mail)).toEqual(['email.replied', 'email.auto_replied'])
  })
})

describe('what the provider remembers', () => {
  const event = (fields: Partial<DeliveryEvent>) =>
    house.ports.deliveryLog.events.push({
      type: 'delivered',
      message_id: null,
      provider_id: null,
      to: 'nobody@example.test',
      subject: 'A question',
      sent_at: new Date(house.clock.now()).toISOString(),
      ...fields,
    })
  const sync = () => syncDeliveries(system())
  beforeEach(() => void house.ports.deliveryLog.events.splice(0))

  test('heals what no webhook told, by our id, in whichever team, and once', async () => {
    const [one, other] = [await sent(house, house.ada), await sent(house, eve, { status: 'UNKNOWN' })]
    event({ message_id: one.message_id, to: one.address, type: 'opened' })
    event({ message_id: other.message_id, to: other.address })
    expect(await sync()).toEqual({ delivered: 2, opened: 1, bounces: 0, complained: 0, skipped: 0 })
    expect(await sync()).toEqual({ delivered: 0, opened: 0, bounces: 0, complained: 0, skipped: 0 })
    expect(await toldTypes(house, one)).toEqual(['email.delivered', 'email.opened'])
    expect(await toldTypes(house, other)).toEqual(['email.sent', 'message.found', 'email.delivered'])
    expect(await rowOf(house, other)).toMatchObject({ status: 'SENT' })
  })

  test('finds a mail by its address and subject, and knows it by the provider’s id from then on', async () => {
    const mail = await sent(house, eve, { subject: 'Quarter' }, 300_000)
    const decoy = await sent(house, eve, { email: mail.address, lead_id: mail.lead_id }, 300_000)
    event({ to: mail.address.toUpperCase(), subject: 'Quarter', provider_id: 're_9' })
    expect(await sync()).toMatchObject({ delivered: 1 })
    expect(await rowOf(house, mail)).toMatchObject({ provider_id: 're_9' })
    house.ports.deliveryLog.events.splice(0)
    event({ to: mail.address, subject: 'Changed on the way', provider_id: 're_9', type: 'complained' })
    expect(await sync()).toMatchObject({ complained: 1 })
    expect(await toldTypes(house, decoy)).toEqual([])
  })

  test('a mail of that subject from another time is another mail', async () => {
    const mail = await sent(house, eve, { subject: 'Quarter' }, 600_001)
    event({ to: mail.address, subject: 'Quarter' })
    event({ to: mail.address, subject: 'Quarter', sent_at: 'sometime' })
    expect(await sync()).toMatchObject({ delivered: 0, skipped: 0 })
  })

  test('a bounce it tells of ends the outreach, and does not judge the address', async () => {
    const mail = await sent(house, eve)
    event({ message_id: mail.message_id, to: mail.address, type: 'bounced' })
    expect(await sync()).toMatchObject({ bounces: 1 })
    expect(await toldTypes(house, mail)).toEqual(['email.bounced'])
    expect((await suppressed(house, eve.team_id))[mail.address]).toBeUndefined()
  })

  test('two days are looked back, and no more', async () => {
    const mail = await sent(house, eve)
    event({
      message_id: mail.message_id,
      sent_at: new Date(house.clock.now() - 2 * DAY_MS - 1).toISOString(),
    })
    expect(await sync()).toMatchObject({ delivered: 0 })
    event({ message_id: mail.message_id, sent_at: new Date(house.clock.now() - 2 * DAY_MS).toISOString() })
    expect(await sync()).toMatchObject({ delivered: 1 })
  })

  test('the scheduled job does both and counts; a fault of one does not stop the other, and is told', async () => {
    const cron = client(house.app.url, { authorization: `Bearer ${house.app.runtime.settings.cronSecret}` })
    const [delivered, answered] = [await sent(house, eve), await sent(house, eve)]
    event({ message_id: delivered.message_id })
    arrives({ answers: [answered.message_id] })
    expect(await cron.post('/api/cron/sync')).toMatchObject({
      status: 200,
      body: {
        job: 'sync',
        status: 'done',
        processed: { replies: 1, delivered: 1, automatic: 0, bounces: 0 },
      },
    })
    house.clock.advance(1_000)
    event({ message_id: answered.message_id })
    house.ports.mailbox.faults.push(new Error('the mailbox is locked'))
    expect((await cron.post('/api/cron/sync')).status).toBe(500)
    expect((await rowOf(house, answered)).delivered_at).not.toBeNull()
    const { body } = await (await house.app.person()).browser.get('/api/cron')
    const { cron: every, last_runs } = body.data.find(({ job }: { job: string }) => job === 'sync')
    expect(every).toBe('*/5 * * * *')
    expect(last_runs[0]).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('Reading replies: the mailbox is locked'),
    })
  })
})
