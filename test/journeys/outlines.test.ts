import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { candidateSorts } from '#domains/candidates/values.ts'
import { invoiceSorts } from '#domains/invoices/values.ts'
import { accountSorts } from '#domains/accounts/values.ts'
import { opportunitySorts } from '#domains/opportunities/values.ts'

const MANY = 230
const ID = `lpad(to_hex(n), 24, '0')`

let app: TestApp
let api: Client
beforeAll(async () => {
  app = await startApp()
  const ada = await app.person()
  api = await ada.key()
  const rows = (columns: string, values: string, table: string) =>
    app.database.query(
      `insert into ${table} (team_id, id, created_at, updated_at, ${columns})
       select $1, ${ID}, now() - n * interval '1 second', now() + n * interval '1 second', ${values}
       from generate_series(1, ${MANY}) as n`,
      [ada.team_id],
    )
  await rows('name, custom', `'Account ' || n % 7, '{}'`, 'accounts')
  await rows(
    'name, stage, currency, amount, close_date',
    `'Deal ' || n % 7, 'prospecting', 'EUR', nullif(n % 5, 0) * 100.25, '2026-03-01'::date + n % 9`,
    'opportunities',
  )
})
afterAll(() => app.close())

describe('the outline of a list', () => {
  test.each([
    ['accounts', accountSorts],
    ['opportunities', opportunitySorts],
  ])('leads to the beginning of each block of %s, in every order', async (kind, sorts) => {
    const failed: string[] = []
    for (const sort of sorts.flatMap(each => [each, `-${each}`])) {
      const { body: outline } = await api.get(`/api/crm/${kind}/outline?sort=${sort}`)
      expect(outline).toMatchObject({ count: MANY, count_is_capped: false, from: 0, every: 100 })
      const ids: string[] = []
      for (const cursor of outline.cursors) {
        const from = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
        const { body } = await api.get(`/api/crm/${kind}?limit=100&sort=${sort}${from}`)
        ids.push(...body.data.map(({ id }: { id: string }) => id))
      }
      if (ids.length !== MANY || new Set(ids).size !== MANY) failed.push(`${sort}: ${ids.length}`)
    }
    expect(failed).toEqual([])
  })

  test('begins at any block, near the beginning or the end, and says nothing of what is behind it', async () => {
    const outline = async (from: number) =>
      (await api.get(`/api/crm/accounts/outline?sort=-name&from=${from}`)).body as {
        cursors: string[]
        from: number
      }
    const whole = await outline(0)
    expect(whole.cursors).toHaveLength(3)
    expect(await outline(100)).toMatchObject({ from: 100, cursors: whole.cursors.slice(1) })
    expect(await outline(199)).toMatchObject({ from: 100, cursors: whole.cursors.slice(1) })
    expect(await outline(200)).toMatchObject({ from: 200, cursors: whole.cursors.slice(2) })
    expect(await outline(300)).toMatchObject({ from: 300, cursors: [] })
    const found = (await api.get('/api/crm/accounts/outline?q=account&from=100')).body
    expect(found).toMatchObject({ count: MANY, from: 100 })
    expect(found.cursors).toHaveLength(2)
    expect((await api.get('/api/crm/accounts/outline?from=-1')).status).toBe(422)
  })

  test('counts what its filters let through, and an empty list too', async () => {
    const { body } = await api.get('/api/crm/opportunities/outline?stage=closed_won')
    expect(body).toEqual({ count: 0, count_is_capped: false, every: 100, from: 0, cursors: [null] })
    const found = await api.get('/api/crm/accounts/outline?q=account%203')
    expect(found.body.count).toBe(Math.floor((MANY - 3) / 7) + 1)
    for (const [kind, sorts] of [
      ['candidates', candidateSorts],
      ['invoices', invoiceSorts],
    ] as const)
      for (const sort of sorts)
        expect((await api.get(`/api/crm/${kind}/outline?sort=-${sort}`)).body).toMatchObject({ count: 0 })
  })
})
