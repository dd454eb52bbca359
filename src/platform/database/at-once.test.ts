import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app.ts'
import { systemContext, type Context } from '../context.ts'
import { atOnce, inTurn } from './at-once.ts'
import { raw } from './tables.ts'

let app: TestApp
let ctx: Context
beforeAll(async () => {
  app = await startApp({ role: 'api' })
  ctx = systemContext(app.runtime, (await app.person()).team_id)
})
afterAll(() => app.close())

let asked: number[][]
beforeEach(() => void (asked = []))

/** A question to the database, as those of the domains are. */
const doubled = atOnce<number, number>(async (ctx, numbers) => {
  asked.push([...numbers])
  const rows = await ctx.all(
    raw<{ doubled: number }>(
      sql`select 10 / n * 2 as doubled from unnest(${numbers}::integer[]) with ordinality as asked (n, at) order by at`,
    ),
  )
  return rows.map(({ doubled }) => doubled)
})
const nothing = raw(sql`select`)

describe('what is asked at once', () => {
  test('in one moment of a transaction is asked together, and each has its own answer', async () => {
    const answers = await ctx.transaction(ctx => Promise.all([1, 2, 5, 2].map(n => doubled(ctx, n))))
    expect([answers, asked]).toEqual([[20, 10, 4, 10], [[1, 2, 5, 2]]])
  })

  test('waits for those who come to it by another way in the same moment', async () => {
    const late = async (ctx: Context, n: number) => {
      for (let turn = 0; turn < n; turn++) await Promise.resolve()
      return doubled(ctx, n)
    }
    const answers = await ctx.transaction(ctx => Promise.all([1, 5, 10].map(n => late(ctx, n))))
    expect([answers, asked]).toEqual([[20, 4, 2], [[1, 5, 10]]])
  })

  test('later, or elsewhere, is asked for itself', async () => {
    await ctx.transaction(async ctx => {
      await Promise.all([doubled(ctx, 1), ctx.all(nothing).then(() => doubled(ctx, 2))])
    })
    await Promise.all([5, 10].map(n => ctx.transaction(ctx => doubled(ctx, n))))
    await Promise.all([1, 2].map(n => doubled(ctx, n)))
    expect(asked.toSorted()).toEqual([[1], [1], [10], [2], [2], [5]])
  })

  test('fails for all who asked, and is asked again by the next', async () => {
    const failing = ctx.transaction(ctx => Promise.all([1, 0].map(n => doubled(ctx, n))))
    await expect(failing).rejects.toThrow('division by zero')
    expect(await ctx.transaction(ctx => doubled(ctx, 1))).toBe(20)
  })
})

describe('what takes turns in a transaction', () => {
  async function overlaps(names: readonly string[]): Promise<number> {
    let [now, most] = [0, 0]
    await ctx.transaction(async ctx => {
      const work = async () => {
        most = Math.max(most, ++now)
        await ctx.all(nothing)
        now--
      }
      await Promise.all(names.map(name => inTurn(ctx, name, work)))
    })
    return most
  }

  test('by one name never overlaps, by different names it does', async () => {
    expect([await overlaps(['a', 'a', 'a']), await overlaps(['a', 'b', 'a'])]).toEqual([1, 2])
  })

  test('goes on after one that failed', async () => {
    const answers = await ctx.transaction(ctx =>
      Promise.allSettled([
        inTurn(ctx, 'a', () => Promise.reject(new Error('no'))),
        inTurn(ctx, 'a', async () => 'well'),
      ]),
    )
    expect(answers).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'well' }])
  })

  test('needs a transaction', async () => {
    await expect(inTurn(ctx, 'a', async () => 1)).rejects.toThrow('needs ctx.transaction')
  })
})
