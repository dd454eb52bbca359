import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { Context } from '#platform/context.ts'
import { openPostRoom, MAILBOXES, type PostRoom } from '#domains/mailboxes/mailboxes.harness.ts'
import { colleagueOf } from '#test/colleague.ts'
import type { Person } from '#test/app.ts'
import { randomNumbers } from '#test/random.ts'
import { full } from '#test/tier.ts'
import { figuresOf, waitsIn, type Happened, type Rules } from './answer-times.harness.ts'
import { takeChat } from './chatting.ts'
import type { AnswerTimes } from './contract.ts'
import { CONVERSATIONS, DAY_MS, HOUR_MS, MINUTE_MS } from './conversations.harness.ts'
import { takeMessage } from './receive.ts'
import { replyFinished } from './service.ts'
import { redo, undo } from './undo.ts'
import { ANSWER_TIMES_DAYS_MAX } from './values.ts'

const TIMES = `${CONVERSATIONS}/answer-times`
/** More of them are nearer to each other: together they take five days. */
const STEPS = full ? 90 : 40
const STEP_MIN_MAX = (150 * 90) / STEPS
const ZONE = 'Europe/Berlin'

// The Thursday before the clocks go forward.
const clock = new FakeClock('2026-03-26T07:00:00.000Z')
const weekdays = [1, 2, 3, 4, 5]
const team: Rules = {
  first: 45,
  next: 90,
  timezone: ZONE,
  // With a break, and with a night in which an hour is missing.
  hours: [
    ...weekdays.map(day => ({ day, from: '09:00', until: '12:00' })),
    ...weekdays.map(day => ({ day, from: '12:45', until: '17:30' })),
    { day: 7, from: '00:00', until: '06:00' },
  ],
}
const own: Rules = {
  first: 20,
  next: 90,
  timezone: 'America/New_York',
  hours: [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, from: '08:00', until: '16:00' })),
}

let room: PostRoom
let bob: Person
let mailbox_id: string
beforeAll(async () => {
  room = await openPostRoom(clock)
  bob = await colleagueOf(room.app, room.ada, 'MEMBER')
  await room.ada.browser.patch(`${CONVERSATIONS}/settings`, {
    first_answer_min: team.first,
    next_answer_min: team.next,
    timezone: ZONE,
    hours: team.hours,
  })
  const { id } = await room.connect('sales@example.test')
  mailbox_id = id
  const targets = { first_answer_min: own.first, timezone: own.timezone, hours: own.hours }
  const changed = await room.ada.browser.patch(`${MAILBOXES}/${id}`, targets)
  expect(changed).toMatchObject({ status: 200, body: { ...targets, next_answer_min: null } })
})
afterAll(() => room.close())

const read = async (query = ''): Promise<AnswerTimes> => {
  const reply = await room.ada.browser.get(`${TIMES}${query}`)
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 })
  return reply.body
}
const agent = (id: string) =>
  new Context(room.app.runtime, {
    actor: { kind: 'agent', id, name: 'Robin' },
    team: room.ada.team_id,
  })

test('a week of answers is counted as it was, with breaks, a change of clocks, replies taken back and sent after all', async () => {
  const random = randomNumbers()
  const pick = <One>(from: readonly One[]): One => from[Math.floor(random() * from.length)]!
  const leads = await Promise.all([0, 1, 2, 3].map(() => room.lead()))
  const happened: (Happened & { message_id?: string })[] = []
  const robin = room.ada.ctx.newId()
  let n = 0

  async function comesIn(lead: (typeof leads)[number]) {
    const where = pick(['team', 'mailbox', 'sms', 'chat'] as const)
    const text = `Question ${++n}`
    const said = { name: null, subject: null, text, automatic: false, answer_id: `week${n}` }
    if (where === 'chat') {
      const visitor = { address: `chat:${lead.id}`, lead_id: lead.id, name: null }
      await takeChat(room.ada.ctx, visitor, { text, key: said.answer_id, file_ids: [] })
    } else if (where === 'sms')
      await takeMessage(room.ada.ctx, { ...said, channel: 'sms', address: lead.phone })
    else {
      const mailbox = { id: mailbox_id, owner_id: null, private_to: null, creates_leads: false }
      const to = where === 'mailbox' && { mailbox }
      await takeMessage(room.ada.ctx, {
        ...said,
        subject: 'Prices',
        channel: 'email',
        address: lead.email,
        ...to,
      })
    }
    const channel = where === 'sms' || where === 'chat' ? where : 'email'
    const conversation = (await room.of(lead.id)).id
    const place = { channel, mailbox_id: where === 'mailbox' ? mailbox_id : null }
    happened.push({ at: clock.now(), kind: 'in', conversation, ...place, by: null })
  }

  async function answer(conversation: string) {
    const who = pick([room.ada, bob, 'agent'] as const)
    const messages = `${CONVERSATIONS}/${conversation}/messages`
    const { id: message_id, channel } =
      who === 'agent'
        ? await replyFinished(agent(robin), conversation, 'An answer')
        : (await who.browser.post(messages, { kind: 'reply', text: 'An answer' })).body
    const by = who === 'agent' ? robin : who.user_id
    happened.push({ at: clock.now(), kind: 'out', conversation, channel, mailbox_id: null, by, message_id })
  }

  async function step() {
    const ids = [...new Set(happened.map(({ conversation }) => conversation))]
    const of = (id: string) => happened.filter(({ conversation }) => conversation === id)
    const chance = random()
    if (ids.length === 0 || chance < 0.4) return comesIn(pick(leads))
    const id = pick(ids)
    if (chance < 0.72) return answer(id)
    const replies = of(id).filter(({ kind, channel }) => kind === 'out' && channel === 'email')
    const isClosed = of(id).some(({ kind }) => kind === 'close')
    if (chance < 0.8) {
      if (of(id).some(({ undone }) => undone)) return
      await bob.browser.patch(`${CONVERSATIONS}/${id}`, { state: 'CLOSED' })
      happened.push({ ...of(id).at(-1)!, at: clock.now(), kind: 'close', by: bob.user_id })
    } else if (replies.length > 0 && !isClosed) {
      const reply = pick(replies)
      const act = reply.undone ? redo : undo
      await room.ada.ctx.transaction(async ctx => void (await act(ctx, reply.message_id!)))
      reply.undone = !reply.undone
    }
  }

  const local = (at: number) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' }).format(at)
  const weekOf = (at: number) => {
    const day = Date.parse(local(at))
    return new Date(day - ((new Date(day).getUTCDay() || 7) - 1) * DAY_MS).toISOString().slice(0, 10)
  }
  async function compare() {
    const rulesFor = (wait: Happened) => (wait.mailbox_id === null ? team : own)
    const ended = waitsIn(happened, rulesFor, clock.now())
    const report = await read()
    expect(report.totals).toEqual(figuresOf(ended))
    const keys = {
      day: ({ end }: (typeof ended)[number]) => end && local(end.at),
      week: ({ end }: (typeof ended)[number]) => end && weekOf(end.at),
      person: ({ end }: (typeof ended)[number]) => end?.by,
      mailbox: ({ wait }: (typeof ended)[number]) => (wait.channel === 'email' ? wait.mailbox_id : undefined),
      channel: ({ wait }: (typeof ended)[number]) => wait.channel,
    }
    for (const [by, keyOf] of Object.entries(keys)) {
      const { rows } = await read(`?by=${by}`)
      for (const { key, name: _n, kind: _k, ...figures } of rows) {
        const own = figuresOf(ended.filter(each => keyOf(each) === key))
        // What is late now belongs to who it is assigned to, or to the day on which it was due.
        if (by === 'mailbox' || by === 'channel') expect(figures, `${by} ${key}`).toEqual(own)
        else expect({ ...figures, late_now: 0 }, `${by} ${key}`).toEqual({ ...own, late_now: 0 })
      }
      const sum = (name: 'answered' | 'late_now') => rows.reduce((all, row) => all + row[name], 0)
      if (by === 'mailbox') continue
      expect([by, sum('answered'), sum('late_now')]).toEqual([
        by,
        report.totals.answered,
        report.totals.late_now,
      ])
    }
  }

  for (let at = 0; at < STEPS; at++) {
    await room.pass(Math.ceil(random() * STEP_MIN_MAX) * MINUTE_MS)
    await step()
    if (at % 10 === 9) {
      await room.settled()
      await compare()
    }
  }
  // The day after the change of clocks is within the week, however short the steps were.
  const leftMs = Date.parse('2026-03-29T01:00:00Z') + DAY_MS - clock.now()
  if (leftMs > 0) await room.pass(leftMs)
  // Whoever chance chose before.
  await comesIn(leads[0]!)
  await replyFinished(agent(robin), (await room.of(leads[0]!.id)).id, 'An answer')
  const people = (await read('?by=person')).rows
  expect(people.find(({ key }) => key === robin)).toMatchObject({ name: 'Robin', kind: 'agent' })
})

test('what waits keeps its time when the settings change, also where its reply is taken back', async () => {
  const { browser } = room.ada
  const lead = await room.lead()
  const mailbox = { id: mailbox_id, owner_id: null, private_to: null, creates_leads: false }
  const said = {
    name: null,
    text: 'How much?',
    automatic: false,
    channel: 'email' as const,
    subject: 'Prices',
  }
  await takeMessage(room.ada.ctx, { ...said, address: lead.email, answer_id: 'kept', mailbox })
  const { id, answer_due_at } = await room.of(lead.id)
  expect(answer_due_at).not.toBe(null)
  const targets = { first_answer_min: 999, hours: [] }
  expect((await browser.patch(`${MAILBOXES}/${mailbox_id}`, targets)).body).toMatchObject(targets)
  expect(await room.of(lead.id)).toMatchObject({ answer_due_at })
  const before = (await read()).totals
  const reply = await browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', text: 'Free' })
  const after = (await read()).totals
  expect(after.first_answers).toBe(before.first_answers + 1)
  await browser.post(`${CONVERSATIONS}/${id}/messages/${reply.body.id}/cancel`)
  expect(await room.of(lead.id)).toMatchObject({ answer_due_at, state: 'OPEN' })
  expect((await read()).totals).toEqual(before)
  // Closed, it is counted apart; reopened, it waits as before.
  await browser.patch(`${CONVERSATIONS}/${id}`, { state: 'CLOSED' })
  expect((await read()).totals).toEqual({ ...before, closed_unanswered: before.closed_unanswered + 1 })
  await browser.patch(`${CONVERSATIONS}/${id}`, { state: 'OPEN' })
  expect(await room.of(lead.id)).toMatchObject({ answer_due_at })
  expect((await read()).totals).toEqual(before)
  // What is null is the team's again.
  const none = { first_answer_min: null, next_answer_min: null, timezone: null, hours: null }
  expect((await browser.patch(`${MAILBOXES}/${mailbox_id}`, none)).body).toMatchObject(none)
  const wrong = { hours: [{ day: 1, from: '12:00', until: '12:00' }] }
  expect(await browser.patch(`${MAILBOXES}/${mailbox_id}`, wrong)).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'hours[0].until' }] },
  })
})

test('an answer that stays late is escalated once: the admins are notified, and workflows start', async () => {
  const { browser } = room.ada
  const settings = `${CONVERSATIONS}/settings`
  await browser.patch(settings, { first_answer_min: 60, hours: [], escalate_after_min: 30 })
  const nodes = [{ type: 'action', action: 'create_task', title: 'Call {{event.text}}' }]
  const trigger = 'conversation.escalated'
  const workflow = { name: 'Escalated', trigger, nodes, status: 'ACTIVE' }
  expect((await browser.post('/api/crm/workflows', workflow)).status).toBe(201)
  const lead = await room.lead({ owner_id: bob.user_id })
  await room.hears(lead.email, 'Where are you?')
  const { id, answer_due_at } = await room.of(lead.id)
  const escalated = () =>
    room.app.database.query(`select data from events where type = $1 and subject_id = $2`, [trigger, id])
  await room.pass(60 * MINUTE_MS)
  expect(await room.of(lead.id)).toMatchObject({ overdue_at: answer_due_at })
  const late = (await browser.get(`${CONVERSATIONS}?late=true`)).body.data as { id: string }[]
  expect(late.map(row => row.id)).toContain(id)
  const others = (await browser.get(`${CONVERSATIONS}?late=false`)).body.data as { id: string }[]
  expect(others.map(row => row.id)).not.toContain(id)
  await room.pass(29 * MINUTE_MS)
  expect(await escalated()).toEqual([])
  await room.pass(MINUTE_MS)
  expect(await escalated()).toMatchObject([{ data: { due_at: answer_due_at, assignee_id: bob.user_id } }])
  const titles = async (person: Person) =>
    ((await person.browser.get('/api/notifications')).body.data as { title: string }[]).map(
      ({ title }) => title,
    )
  expect((await titles(room.ada)).filter(title => title.includes('still waiting'))).toHaveLength(1)
  expect((await titles(bob)).filter(title => title.includes('still waiting'))).toEqual([])
  const tasks = (await browser.get(`/api/crm/tasks?lead_id=${lead.id}`)).body.data
  expect(tasks).toMatchObject([{ title: 'Call Where are you?' }])
  // Its reply bounces: it is late as before, and nobody is told again.
  const reply = await browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', text: 'Here' })
  await room.ada.ctx.transaction(async ctx => void (await undo(ctx, reply.body.id)))
  await room.pass(2 * HOUR_MS)
  expect(await escalated()).toHaveLength(1)
})

test('a span ends after it begins, and has at most a year', async () => {
  const from = '2026-01-01T00:00:00.000Z'
  const end = (ms: number) => new Date(Date.parse(from) + ms).toISOString()
  const most = ANSWER_TIMES_DAYS_MAX * DAY_MS
  expect((await read(`?by=week&from=${from}&until=${end(most)}`)).rows).toHaveLength(53)
  for (const until of [end(most + 1), from])
    expect(await room.ada.browser.get(`${TIMES}?from=${from}&until=${until}`)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'until' }] },
    })
  const csv = await room.ada.browser.raw('GET', `${TIMES}/export?by=channel`, undefined)
  expect(csv.status).toBe(200)
})
