import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { atOnce } from '../database/at-once.ts'
import { raw } from '../database/tables.ts'
import { t } from '../contract.ts'
import type { Context } from '../context.ts'
import { defineEvent, record } from '../events.ts'
import { automationOn, jobForMany, on } from '../registry.ts'
import { add, addMany, makeGate, openStage, teams, until } from './jobs.harness.ts'
import { INLINE_MAX, INLINE_ROUNDS_MAX } from './limits.ts'
import type { Job } from './queue.ts'

const arrived = defineEvent('test.arrived', t.Object({ n: t.Integer() }))
const passedOn = defineEvent('test.passed_on', t.Object({ n: t.Integer() }))

/** Records an event for each number in its data. */
const arriving = jobForMany('arriving', { inlineReactions: true }, async (ctx, jobs) => {
  for (const job of jobs) for (const n of job.data as number[]) arrive(ctx, n)
})

function arrive(ctx: Context, n: number): void {
  record(ctx, arrived, { kind: 'thing', id: String(n) }, { n })
}

const write = atOnce<{ id: string; note: string }, void>(async (ctx, rows) => {
  const [ids, notes] = [rows.map(({ id }) => id), rows.map(({ note }) => note)]
  ctx.later(raw(sql`insert into effects select * from unnest(${ids}::text[], ${notes}::text[])`))
  return []
})

/** A reaction for many at once, that leaves an effect with the number. */
function noting(run: (ctx: Context, n: number) => Promise<void> | void = () => {}) {
  return on(
    arrived,
    'noting',
    async (ctx, event) => {
      await write(ctx, { id: event.id, note: String(event.data.n) })
      await run(ctx, event.data.n)
    },
    { sideBySide: event => [event.subject_id] },
  )
}

type Effect = { note: string; xmin: string; event: string | null }

/** Effects in order, with their transaction and that of their event. */
async function effectsOf({ database }: Awaited<ReturnType<typeof openStage>>) {
  return database.query<Effect>(
    `select note, effects.xmin::text, events.xmin::text as event from effects left join events on events.id = job_id
     order by length(note), note`,
  )
}

test('a reaction for many runs in the transaction of its event, and is no job', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([arriving], { reactions: [noting()] })
  await add(runtime, { kind: 'arriving', data: [1, 2, 3] })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 1)
  const effects = await effectsOf(stage)
  expect(effects.map(({ note }) => note)).toEqual(['1', '2', '3'])
  for (const { xmin, event } of effects) expect(xmin).toBe(event)
  expect(await stage.jobs()).toEqual([])
  expect(worker.taken()).toBe(1)
})

test('a reaction that fails takes nothing with it: it is tried again on its own, and the others happen once', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([arriving], {
    reactions: [
      noting((_, n) => {
        if (n === 7) throw new Error('poison')
      }),
    ],
  })
  const numbers = Array.from({ length: 40 }, (_, n) => n)
  for (let at = 0; at < 40; at += 10)
    await add(runtime, { kind: 'arriving', data: numbers.slice(at, at + 10) })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().failed === 1 && worker.stats().inHand === 0)
  const good = numbers.filter(n => n !== 7).map(String)
  await until(async () => (await effectsOf(stage)).length === good.length)
  expect((await effectsOf(stage)).map(({ note }) => note)).toEqual(good)
  expect((await stage.jobs()).map(({ kind, attempts }) => [kind, attempts])).toEqual([
    ['noting@test.arrived', 1],
  ])
  expect(await stage.database.query('select from events')).toHaveLength(40)
})

test('events about the same thing do not share a transaction', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([arriving], { reactions: [noting()] })
  await add(runtime, { kind: 'arriving', data: [1, 1, 2] })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 2)
  const effects = await effectsOf(stage)
  expect(effects.map(({ note }) => note)).toEqual(['1', '1', '2'])
  expect(new Set(effects.slice(0, 2).map(({ xmin }) => xmin)).size).toBe(2)
})

test('what another transaction of the process has in hand is left to the queue', async () => {
  const stage = await openStage()
  const gate = makeGate()
  let waiting = 0
  const runtime = stage.runtime([arriving], {
    reactions: [
      noting(async (_, n) => {
        if (n !== 1 || waiting++ > 0) return
        await gate.passed
      }),
    ],
  })
  stage.worker(runtime)
  await add(runtime, { kind: 'arriving', data: [1] })
  await until(() => waiting === 1)
  await add(runtime, { kind: 'arriving', data: [1, 2] })
  await until(async () => (await effectsOf(stage)).length >= 1)
  expect((await effectsOf(stage)).map(({ note }) => note)).toContain('2')
  gate.open()
  await until(async () => (await effectsOf(stage)).length === 3)
  const effects = await effectsOf(stage)
  // The one that was left found its event in the table, and not in its own transaction.
  expect(effects.filter(({ xmin, event }) => xmin !== event).map(({ note }) => note)).toEqual(['1'])
})

test(`more than ${INLINE_MAX} reactions of a kind are left to the queue`, async () => {
  const stage = await openStage()
  const runtime = stage.runtime([arriving], { reactions: [noting()] })
  await add(runtime, { kind: 'arriving', data: Array.from({ length: INLINE_MAX + 1 }, (_, n) => n) })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 2)
  const effects = await effectsOf(stage)
  expect(effects).toHaveLength(INLINE_MAX + 1)
  expect(effects.filter(({ xmin, event }) => xmin === event)).toHaveLength(INLINE_MAX)
})

test(`reactions to reactions run for ${INLINE_ROUNDS_MAX} rounds, and then become jobs`, async () => {
  const stage = await openStage()
  const passing = on(
    passedOn,
    'passing',
    async (ctx, event) => {
      await write(ctx, { id: event.id, note: String(event.data.n) })
      if (event.data.n < INLINE_ROUNDS_MAX + 1)
        record(ctx, passedOn, { kind: 'thing', id: 'next' }, { n: event.data.n + 1 })
    },
    { sideBySide: event => [event.id] },
  )
  const first = jobForMany('first', { inlineReactions: true }, async ctx => {
    record(ctx, passedOn, { kind: 'thing', id: 'first' }, { n: 1 })
  })
  const runtime = stage.runtime([first], { reactions: [passing] })
  await add(runtime, { kind: 'first' })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 2)
  const effects = await effectsOf(stage)
  const inline = effects.filter(({ xmin, event }) => xmin === event).map(({ note }) => note)
  expect(inline).toEqual(Array.from({ length: INLINE_ROUNDS_MAX }, (_, n) => String(n + 1)))
  expect(effects).toHaveLength(INLINE_ROUNDS_MAX + 1)
})

test('a reaction for one at a time stays a job', async () => {
  const stage = await openStage()
  const single = on(arrived, 'single', async (ctx, event) => {
    ctx.later(raw(sql`insert into effects values (${event.id}, 'single')`))
  })
  const runtime = stage.runtime([arriving], { reactions: [single] })
  await add(runtime, { kind: 'arriving', data: [1] })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 2)
  const [effect] = await effectsOf(stage)
  expect(effect!.xmin).not.toBe(effect!.event)
})

test('automations run inline where the team listens, and nowhere else', async () => {
  const stage = await openStage()
  await stage.database.query('delete from automation_listeners')
  await stage.database.query('insert into automation_listeners (team_id, type) values ($1, $2)', [
    teams[0],
    arrived.type,
  ])
  const automation = automationOn(arrived.type, 'automation', async (ctx, events) => {
    for (const { event } of events) await write(ctx, { id: event.id, note: ctx.team_id })
  })
  const runtime = stage.runtime([arriving], { reactions: [automation] })
  for (const team of [teams[0], teams[1]]) await add(runtime, { kind: 'arriving', data: [1, 2] }, team)
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 2)
  const effects = await effectsOf(stage)
  expect(effects.map(({ note }) => note)).toEqual([teams[0], teams[0]])
  for (const { xmin, event } of effects) expect(xmin).toBe(event)
  expect(await stage.jobs()).toEqual([])
})

test('a group holds as many jobs as their weight allows', async () => {
  const stage = await openStage()
  const sizes: number[] = []
  const weighing = jobForMany(
    'weighing',
    { groupMax: 10, weight: (job: Job) => job.data as number },
    async (_, jobs) => void sizes.push(jobs.length),
  )
  const runtime = stage.runtime([weighing])
  await addMany(runtime, 12, { kind: 'weighing', data: 5 })
  await addMany(runtime, 1, { kind: 'weighing', data: 11 })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 13)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(13)
  expect(Math.max(...sizes)).toBe(2)
})
