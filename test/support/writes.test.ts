import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { inOrder } from './in-order.ts'
import { startApp } from './app.ts'
import { watchWrites } from './writes.ts'

inOrder()

const app = await startApp({ role: 'api' })
const [ours, theirs] = [await app.person(), await app.person()]
const writes = await watchWrites(app.database)
const lead = (await ours.browser.post('/api/crm/leads', { first_name: 'Ada' })).body.id as string

afterAll(() => app.close())
beforeEach(() => writes.forget())

describe('a test that asks what was written is told', () => {
  test('nothing where nothing was, however much was read', async () => {
    await ours.browser.get('/api/crm/leads')
    await ours.browser.get(`/api/crm/leads/${lead}`)
    expect(await writes.made()).toEqual([])
  })

  test('of a record that the application made, in its own team and in no other', async () => {
    await ours.browser.post('/api/crm/leads', { first_name: 'Grace' })
    expect(await writes.made()).toContain('leads INSERT')
    expect(await writes.made(ours.team_id)).toContain('leads INSERT')
    expect(await writes.made(theirs.team_id)).toEqual([])
  })

  test('of a change, also of one to the same content, and of what is taken out', async () => {
    await app.database.query('update leads set first_name = first_name where id = $1', [lead])
    expect(await writes.made()).toEqual(['leads UPDATE'])
    await app.database.query('delete from leads where id = $1', [lead])
    expect(await writes.made(ours.team_id)).toContain('leads DELETE')
    await writes.forget()
    expect(await writes.made()).toEqual([])
  })

  test('of nothing that was taken back', async () => {
    await app.database.query('begin; delete from leads; rollback')
    expect(await writes.made()).toEqual([])
  })

  test('of a row that changes teams, on both sides', async () => {
    await app.database.query('update sessions set team_id = $1 where team_id = $2', [
      theirs.team_id,
      ours.team_id,
    ])
    expect(await writes.made(ours.team_id)).toEqual(['sessions UPDATE'])
    expect(await writes.made(theirs.team_id)).toEqual(['sessions UPDATE'])
  })

  test('of a team and of its people, who name no team themselves', async () => {
    await app.database.query('update teams set name = name where id = $1', [ours.team_id])
    await app.database.query('update users set name = name where id = $1', [ours.user_id])
    expect(await writes.made(ours.team_id)).toEqual(['teams UPDATE', 'users UPDATE'])
    expect(await writes.made(theirs.team_id)).toEqual([])
  })

  test('of a table that was emptied at once, which concerns everybody', async () => {
    await app.database.query('truncate signin_links')
    for (const team of [undefined, ours.team_id, theirs.team_id])
      expect(await writes.made(team)).toEqual(['signin_links TRUNCATE'])
  })

  test('of every table there is', async () => {
    const [unwatched] = await app.database.query<{ count: number }>(
      `select count(*)::int from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
       and (select count(*) from pg_trigger where tgrelid = c.oid and tgname in ('watch', 'watch_truncation') and tgenabled = 'O') < 2`,
    )
    expect(unwatched).toEqual({ count: 0 })
  })
})
