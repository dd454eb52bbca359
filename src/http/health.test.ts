import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { startApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { expectProblem } from '#test/problem.ts'
import { ROOM_DOUBTED_MS } from '#platform/database/pool.ts'

const app = await startApp({ role: 'api' })
afterAll(() => app.close())

test('a database without room is a 503 that says when to come back, and no place for further requests', async () => {
  const ada = await app.person()
  const add = () => ada.browser.post('/api/crm/leads', { first_name: 'Grace', last_name: 'Hopper' })
  const ready = async () => (await ada.browser.get('/readyz')).status
  expect(await ready()).toBe(200)
  // The very words of a server whose disk is full.
  await app.database.query(`create function refuse_for_room() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/1/2": No space left on device' using errcode = 'disk_full';
  end $$`)
  await app.database.query('create trigger no_room before insert on leads execute function refuse_for_room()')
  const reply = await add()
  expectProblem(reply, 503, 'database_full')
  expect(reply.headers.get('retry-after')).toBe('30')
  expect(await ready()).toBe(503)
  expect((await ada.browser.get('/api/crm/leads')).status).toBe(200)

  await app.database.query('drop trigger no_room on leads')
  expect((await add()).status).toBe(201)
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + ROOM_DOUBTED_MS)
  onTestFinished(() => later.mockRestore())
  expect(await ready()).toBe(200)
})

test('metrics are open unless there is a token, and then only for who sends it', async () => {
  expect((await client(app.url).get('/metrics')).text).toContain('rapport_http_request_duration_seconds')
  const metricsToken = 'a-token-for-prometheus'
  const closed = await startApp({ role: 'api', config: { metricsToken } })
  onTestFinished(() => closed.close())
  const metrics = (authorization?: string) =>
    client(closed.url, authorization === undefined ? {} : { authorization }).get('/metrics')
  for (const wrong of [undefined, 'Bearer', `Bearer ${metricsToken}x`, `Basic ${metricsToken}`]) {
    const reply = await metrics(wrong)
    expectProblem(reply, 401, 'unauthenticated')
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  }
  expect((await metrics(`Bearer ${metricsToken}`)).status).toBe(200)
  expect((await client(closed.url).get('/readyz')).status).toBe(200)
})

test('each server of a process tells of the process once', async () => {
  const other = await startApp({ role: 'api', database: app.database })
  for (const { url } of [app, other]) {
    const { text } = await client(url).get('/metrics')
    for (const name of ['nodejs_gc_duration_seconds', 'rapport_database_connections'])
      expect(text.match(new RegExp(`^# TYPE ${name} `, 'gm'))).toHaveLength(1)
  }
  await other.close()
})
