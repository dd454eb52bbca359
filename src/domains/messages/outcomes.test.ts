import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domains, type Domain } from '#app'
import { enqueue } from '#platform/jobs/queue.ts'
import { job } from '#platform/registry.ts'
import { restingRowsOf, rowsOf } from '#test/rows.ts'
import { eventually } from '#test/eventually.ts'
import { newId } from '#platform/ids.ts'
import { openHouse, rowOf, sent, suppressed, told, toldTypes, type House } from './messages.harness.ts'
import * as outcomes from './outcomes.ts'
import { sendMessages, type Settled } from './sending.ts'

/** Somebody who writes messages, and is told what came of them. */
const settled: Settled[] = []
const author: Domain = {
  name: 'authors',
  endpoints: {},
  api: {},
  jobs: [
    job('authors.send', { outgoing: true }, (ctx, job) =>
      sendMessages(ctx, job, (job.data as { ids: string[] }).ids, {
        refuse: async () => new Map(),
        settling: async () => async list => void settled.push(...list),
      }),
    ),
  ],
}

let house: House
beforeAll(async () => {
  house = await openHouse({ domains: [...domains, author] })
})
afterAll(() => house.close())

const settledAs = (id: string) =>
  eventually(() => {
    const found = settled.find(({ message }) => message.id === id)
    expect(found).toBeDefined()
    return found!.as
  })
const sendJob = (id: string) =>
  house.ada.ctx.transaction(async ctx => enqueue(ctx, { kind: 'authors.send', data: { ids: [id] } }))

describe('a message that a worker held when it died', () => {
  test('was sent, if somebody has opened it meanwhile', async () => {
    const mail = await sent(house, house.ada, { status: 'SENDING' })
    await outcomes.noteOpened(house.ada.ctx, mail, { machine: false })
    await sendJob(mail.id)
    expect(await settledAs(mail.id)).toBe('sent')
    await eventually(async () =>
      expect(await rowOf(house, mail)).toMatchObject({ status: 'SENT', reason: null }),
    )
    expect(await toldTypes(house, mail)).toEqual(['email.opened', 'email.sent'])
    expect(house.ports.mail.lastTo(mail.address)).toBeUndefined()
  })

  test('is unknown else, and found again by whatever is heard of it later', async () => {
    const mail = await sent(house, house.ada, { status: 'SENDING' })
    await sendJob(mail.id)
    expect(await settledAs(mail.id)).toBe('unknown')
    await outcomes.noteDelivered(house.ada.ctx, mail)
    expect(await rowOf(house, mail)).toMatchObject({ status: 'SENT', reason: null })
    expect((await told(house, mail)).map(({ type, lead_id }) => [type, lead_id])).toEqual([
      ['email.sent', mail.lead_id],
      ['message.found', null],
      ['email.delivered', mail.lead_id],
    ])
    expect((await told(house, mail))[0]).toMatchObject({ actor_kind: 'sequence', actor_name: 'Welcome' })
  })
})

describe('what is heard of a message', () => {
  const hear: Record<string, (id: string) => Promise<unknown>> = {
    'email.delivered': id => outcomes.noteDelivered(house.ada.ctx, { id }),
    'email.opened': id => outcomes.noteOpened(house.ada.ctx, { id }, { machine: false }),
    'email.replied': id => outcomes.noteReplied(house.ada.ctx, { id }, { text: 'Yes' }),
    'email.bounced': id => outcomes.noteBounce(house.ada.ctx, { id }, { permanent: true, reason: 'gone' }),
    'email.complained': id => outcomes.noteComplained(house.ada.ctx, { id }),
    'email.unsubscribed': id => outcomes.noteUnsubscribed(house.ada.ctx, { id }, { source: 'test' }),
  }

  test.for(Object.keys(hear))(
    '%s is told once, however often and however parallel it is heard',
    async type => {
      const mail = await sent(house, house.ada)
      const news = await Promise.all(Array.from({ length: 20 }, () => hear[type]!(mail.id)))
      expect(news.filter(Boolean)).toHaveLength(1)
      expect(await toldTypes(house, mail)).toEqual([type])
    },
  )

  test('is noted in whatever order it comes, and nothing is taken back', async () => {
    const mail = await sent(house, house.ada)
    for (const type of Object.keys(hear).toReversed()) await hear[type]!(mail.id)
    const row = await rowOf(house, mail)
    const names = ['delivered', 'opened', 'replied', 'bounced', 'complained', 'unsubscribed']
    expect(names.filter(name => row[`${name}_at`] === null)).toEqual([])
    expect((await toldTypes(house, mail)).toSorted()).toEqual(Object.keys(hear).toSorted())
    // The first reason stands: what the person itself said.
    expect((await suppressed(house, mail.team_id))[mail.address]).toBe('unsubscribed')
  })

  test('of a message that is not there, or is another team’s, changes nothing', async () => {
    const eve = await house.app.person()
    const mail = await sent(house, eve)
    const before = await restingRowsOf(house.app.database)
    for (const note of Object.values(hear))
      for (const id of [newId(), mail.id]) expect(await note(id)).toBe(false)
    expect(await rowsOf(house.app.database)).toEqual(before)
  })

  test('is kept as a beginning, however long and strange its words are', async () => {
    const mail = await sent(house, house.ada)
    const text = `\0\ud800${'x'.repeat(10_000)}`
    await outcomes.noteReplied(house.ada.ctx, mail, { text, answer_id: text })
    await outcomes.noteBounce(house.ada.ctx, mail, { permanent: false, reason: text })
    const [reply, bounce] = await told(house, mail)
    expect(reply!.data.text).toBe(`\ufffd${'x'.repeat(4_998)}`)
    expect(bounce!.data.reason).toBe(`\ufffd${'x'.repeat(498)}`)
  })
})
