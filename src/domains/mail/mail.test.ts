import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { claimDue } from '#platform/jobs/claim.ts'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { runJobs } from '#platform/jobs/run.ts'
import { MailUncertain } from '#platform/ports/mail.ts'
import { removeOld } from '#domains/retention/removal.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'
import { ATTACHMENTS_BYTES_MAX, mailsTo, SEND_JOB, sendMail } from './service.ts'

inOrder()

const DAY_MS = 86_400_000
const letter = {
  kind: 'test.notice',
  about: { kind: 'form', id: 'f'.repeat(24) },
  to: 'grace@example.test',
  subject: 'News',
  text: 'Something happened.',
  html: '<p>Something happened.</p>',
}

describe('with a worker', () => {
  const clock = new FakeClock()
  let app: TestApp
  let ada: Person
  beforeAll(async () => {
    app = await startApp({ clock })
    ada = await app.person()
  })
  afterAll(() => app.close())
  beforeEach(() => void app.mail.sent.splice(0))

  const mail = (fields: Partial<typeof letter> = {}) =>
    ada.ctx.transaction(async ctx => sendMail(ctx, { ...letter, ...fields }))
  const isIn = (id: string, status: string) =>
    eventually(async () => expect(await rowOf(app, id)).toMatchObject({ status }))

  test('a mail is sent once, after the commit of what caused it', async () => {
    const id = await mail()
    await isIn(id, 'SENT')
    expect(app.mail.sent).toEqual([
      {
        to: letter.to,
        subject: 'News',
        text: letter.text,
        html: letter.html,
        message_id: `<test.notice-${id}@127.0.0.1>`,
      },
    ])
    expect(await rowOf(app, id)).toMatchObject({ error: null, sent_at: new Date(clock.now()).toISOString() })
    // A second job for it, whatever it came of, sends nothing.
    await ada.ctx.transaction(async ctx => enqueue(ctx, { kind: SEND_JOB, data: { mail_id: id } }))
    await isDone(app)
    expect(app.mail.sent).toHaveLength(1)
    expect(await rowOf(app, id)).toMatchObject({ status: 'SENT' })
  })

  test('files go along to the byte, also after a try that failed, in the name of who writes', async () => {
    const file = { name: 'INV-7.pdf', type: 'application/pdf', bytes: Buffer.from([0, 0xff, 13, 10]) }
    const writer = { from_name: 'Acme', reply_to: 'billing@acme.test' }
    app.mail.faults.push(new Error('greylisted'))
    const id = await ada.ctx.transaction(async ctx =>
      sendMail(ctx, { ...letter, ...writer, attachments: [file] }),
    )
    await isIn(id, 'FAILED')
    clock.advance(2_000)
    await isIn(id, 'SENT')
    expect(app.mail.sent).toMatchObject([{ ...writer, attachments: [file] }])
  })

  test('files are as many as servers take, and not one byte more', async () => {
    const file = (bytes: number) => ({ name: 'a', type: 'text/plain', bytes: Buffer.alloc(bytes) })
    const half = ATTACHMENTS_BYTES_MAX / 2
    const send = (...attachments: ReturnType<typeof file>[]) =>
      ada.ctx.transaction(async ctx => sendMail(ctx, { ...letter, attachments }))
    await isIn(await send(file(half), file(half)), 'SENT')
    await expect(send(file(half), file(half + 1))).rejects.toThrow('too large')
  })

  test('none is sent when what caused it is undone', async () => {
    const undone = ada.ctx.transaction(async ctx => {
      sendMail(ctx, letter)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await isDone(app)
    expect(app.mail.sent).toEqual([])
  })

  test('one that the server refuses is tried again, and the reason is kept until it is sent', async () => {
    app.mail.faults.push(new Error('greylisted'))
    const id = await mail()
    await isIn(id, 'FAILED')
    expect(await rowOf(app, id)).toMatchObject({ error: 'greylisted', sent_at: null })
    expect(app.mail.sent).toEqual([])
    clock.advance(2_000)
    await isIn(id, 'SENT')
    expect(await rowOf(app, id)).toMatchObject({ error: null })
    expect(app.mail.sent).toHaveLength(1)
  })

  test('one that may be on its way is UNKNOWN, and is not sent again by itself', async () => {
    app.mail.faults.push(new MailUncertain('the line broke'))
    const id = await mail()
    await isIn(id, 'UNKNOWN')
    expect(await rowOf(app, id)).toMatchObject({ error: 'the line broke', sent_at: null })
    clock.advance(DAY_MS)
    await ada.ctx.transaction(async ctx => enqueue(ctx, { kind: SEND_JOB, data: { mail_id: id } }))
    await isDone(app)
    expect(app.mail.sent).toEqual([])
    expect(await rowOf(app, id)).toMatchObject({ status: 'UNKNOWN' })
  })

  test('one bad mail does not hold up the next', async () => {
    app.mail.faults.push(new Error('no such mailbox'))
    await mail({ subject: 'Bad' })
    await eventually(() => expect(app.mail.faults).toEqual([]))
    await mail({ subject: 'Good' })
    await eventually(() => expect(app.mail.sent.map(({ subject }) => subject)).toContain('Good'))
  })

  test('how many of a kind went to an address lately is counted, in this team only', async () => {
    const to = 'often@example.test'
    await mail({ to })
    clock.advance(DAY_MS)
    await mail({ to })
    await mail({ to, kind: 'test.other' })
    await mail({ to: 'seldom@example.test' })
    const eve = await app.person()
    expect(await mailsTo(ada.ctx, letter.kind, to, DAY_MS + 1)).toBe(2)
    expect(await mailsTo(ada.ctx, letter.kind, to, DAY_MS)).toBe(1)
    expect(await mailsTo(ada.ctx, 'test.other', to, DAY_MS)).toBe(1)
    expect(await mailsTo(eve.ctx, letter.kind, to, DAY_MS)).toBe(0)
  })

  test('what is older than ninety days is forgotten', async () => {
    const id = await mail()
    await isIn(id, 'SENT')
    clock.advance(90 * DAY_MS)
    await removeOld(systemContext(app.runtime))
    expect(await rowOf(app, id)).toBeDefined()
    clock.advance(1)
    await removeOld(systemContext(app.runtime))
    expect(await rowOf(app, id)).toBeUndefined()
  })
})

describe('of several workers', () => {
  const clock = new FakeClock()
  const gates: (() => Promise<void>)[] = []
  const sent: string[] = []
  let app: TestApp
  let ada: Person
  beforeAll(async () => {
    // Without a worker: the test is each of them.
    app = await startApp({ clock, role: 'api' })
    ada = await app.person()
    app.mail.send = async ({ subject }) => {
      await gates.shift()?.()
      sent.push(subject)
      return { refused: [] }
    }
  })
  afterAll(() => app.close())
  beforeEach(() => void sent.splice(0))

  async function claim(worker: string): Promise<Job> {
    const [job] = await claimDue(systemContext(app.runtime), 'outgoing', worker, 1)
    return job!
  }

  test('the one that was frozen while it sent leaves a mail that is not sent again; if it was sent, that is noted', async () => {
    const id = await ada.ctx.transaction(async ctx => sendMail(ctx, letter))
    const gate = Promise.withResolvers<void>()
    gates.push(() => gate.promise)
    const frozen = runJobs(app.runtime, [await claim('frozen')]).catch((error: unknown) => error)
    await eventually(async () => expect(await rowOf(app, id)).toMatchObject({ status: 'SENDING' }))
    clock.advance(LEASE_MS)
    await runJobs(app.runtime, [await claim('other')])
    expect(await rowOf(app, id)).toMatchObject({ status: 'UNKNOWN' })
    expect(sent).toEqual([])
    gate.resolve()
    await frozen
    expect(sent).toEqual(['News'])
    expect(await rowOf(app, id)).toMatchObject({ status: 'SENT' })
  })

  test('the one that died while it sent leaves a mail that nobody sends again', async () => {
    const id = await ada.ctx.transaction(async ctx => sendMail(ctx, letter))
    await app.database.query(`update mails set status = 'SENDING' where id = $1`, [id])
    await runJobs(app.runtime, [await claim('next')])
    expect(await rowOf(app, id)).toMatchObject({ status: 'UNKNOWN' })
    expect(sent).toEqual([])
  })

  test('twenty that have a job for the same mail send it once', async () => {
    const id = await ada.ctx.transaction(async ctx => {
      const id = sendMail(ctx, letter)
      for (let n = 1; n < 20; n++) enqueue(ctx, { kind: SEND_JOB, data: { mail_id: id } })
      return id
    })
    const jobs = await claimDue(systemContext(app.runtime), 'outgoing', 'all', 20)
    expect(jobs).toHaveLength(20)
    await Promise.all(jobs.map(job => runJobs(app.runtime, [job])))
    expect(sent).toEqual(['News'])
    expect((await rowOf(app, id))!.status).toBe('SENT')
  })
})

async function rowOf(app: TestApp, id: string) {
  const [row] = await app.database.query<{ status: string; error: string | null; sent_at: string | null }>(
    'select status, error, sent_at from mails where id = $1',
    [id],
  )
  return row
}

async function isDone(app: TestApp): Promise<void> {
  await eventually(async () => {
    const jobs = await app.database.query(`select from jobs where state = 'ready' and kind = $1`, [SEND_JOB])
    expect(jobs).toEqual([])
  })
}
