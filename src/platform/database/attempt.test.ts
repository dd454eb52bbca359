import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { systemContext, type Context } from '../context.ts'
import { t } from '../contract.ts'
import { defineEvent, record } from '../events.ts'
import { raw } from './tables.ts'

const happened = defineEvent('test.happened', t.Object({ n: t.Integer() }))

let app: TestApp
let ada: Person
let ctx: Context
beforeAll(async () => {
  app = await startApp({ role: 'api' })
  ada = await app.person()
  ctx = systemContext(app.runtime, ada.team_id)
  await app.database.query('create table things (n integer primary key)')
  await app.database.query('grant all on things to rapport_app')
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.query('truncate things')
  await app.database.query(`delete from events where type = 'test.happened'`)
})

const insert = (n: number) => raw(sql`insert into things values (${n})`)
const tell = (ctx: Context, n: number) => void record(ctx, happened, { kind: 'thing', id: `${n}` }, { n })
const stored = async () =>
  (await app.database.query<{ n: number }>('select n from things order by n')).map(({ n }) => n)
const told = async () =>
  (
    await app.database.query<{ data: { n: number } }>(
      `select data from events where type = 'test.happened' order by id`,
    )
  ).map(({ data }) => data.n)

async function add(ctx: Context, n: number): Promise<void> {
  ctx.later(insert(n))
  tell(ctx, n)
}

describe('an attempt', () => {
  test('that succeeds is part of the transaction', async () => {
    const answer = await ctx.transaction(async ctx => {
      await add(ctx, 1)
      const answer = await ctx.attempt(async () => (await add(ctx, 2), 'well'))
      await add(ctx, 3)
      return answer
    })
    expect([answer, await stored(), await told()]).toEqual(['well', [1, 2, 3], [1, 2, 3]])
  })

  test('that fails leaves nothing behind, and what is around it stays', async () => {
    let after = 0
    await ctx.transaction(async ctx => {
      await add(ctx, 1)
      const attempt = ctx.attempt(async () => {
        await add(ctx, 2)
        ctx.afterCommit(() => after++)
        throw new Error('no')
      })
      await expect(attempt).rejects.toThrow('no')
      await add(ctx, 3)
    })
    expect([await stored(), await told(), after]).toEqual([[1, 3], [1, 3], 0])
  })

  test('whose first event is lost with it does not lose those of the transaction', async () => {
    await ctx.transaction(async ctx => {
      await ctx.attempt(async () => (tell(ctx, 1), Promise.reject(new Error('no')))).catch(() => {})
      tell(ctx, 2)
    })
    expect(await told()).toEqual([2])
  })

  test('fails by a write that nobody waited for, and not later', async () => {
    await ctx.transaction(async ctx => {
      await add(ctx, 1)
      await expect(ctx.attempt(() => add(ctx, 1))).rejects.toMatchObject({ code: '23505' })
      await add(ctx, 2)
    })
    expect([await stored(), await told()]).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  test('may follow another, whatever came of that', async () => {
    await ctx.transaction(async ctx => {
      for (const n of [1, 1, 2, 2, 3]) await ctx.attempt(() => add(ctx, n)).catch(() => {})
    })
    expect([await stored(), await told()]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  test('is undone with the transaction', async () => {
    const failing = ctx.transaction(async ctx => {
      await ctx.attempt(() => add(ctx, 1))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect([await stored(), await told()]).toEqual([[], []])
  })

  test('needs a transaction', async () => {
    await expect(ctx.attempt(async () => 1)).rejects.toThrow('needs ctx.transaction')
  })
})
