import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PASS_PAUSE_MS } from '#domains/erasures/jobs.ts'
import { FakeClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import type { Storage } from '#platform/ports/storage.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { waitingForLocks } from '#test/locks.ts'
import { settle } from '#test/settle.ts'
import { sweeps } from './jobs.ts'
import { findFiles, insertFiles, keepFiles, takeFiles, type KeptFile } from './service.ts'
import { UNUSED_FOR_HOURS } from './values.ts'

const HOUR_MS = 3_600_000
const UNUSED_MS = UNUSED_FOR_HOURS * HOUR_MS

const clock = new FakeClock('2026-03-02T09:00:00.000Z')
let app: TestApp
let ada: Person
let storage: Storage
beforeAll(async () => {
  app = await startApp({ clock })
  storage = app.runtime.ports.storage
})
afterAll(() => app?.close())
beforeEach(async () => {
  ada = await app.person()
  app.runtime.ports.storage = storage
})

const sweep = () => sweeps[0]!.run(ada.ctx)
const isStored = async ({ id }: KeptFile) => {
  const bytes = await storage.get(`${ada.team_id}/${id}`)
  bytes?.destroy()
  return bytes !== undefined
}
const rowOf = async ({ id }: KeptFile) =>
  (await app.database.query<Record<string, unknown>>('select * from files where id = $1', [id]))[0]

async function kept(id?: string): Promise<KeptFile> {
  const file = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('Hello'), private_to: null }
  const [row] = await keepFiles(ada.ctx, [{ ...file, ...(id && { id }) }])
  return row!
}

const take = (file: KeptFile) => ada.ctx.transaction(ctx => takeFiles(ctx, [file.id]))

test('a file that is not sent in time is nowhere any more, and one that is stays', async () => {
  const [unused, sent] = [await kept(), await kept()]
  await take(sent)
  clock.advance(UNUSED_MS - 1)
  expect(await sweep()).toBe(0)
  expect(await findFiles(ada.ctx, [unused.id])).toHaveLength(1)
  clock.advance(1)
  // Its time is over, whether the sweep has come by or not.
  expect(await findFiles(ada.ctx, [unused.id])).toEqual([])
  await expect(take(unused)).rejects.toMatchObject({ kind: 'invalid' })
  expect(await sweep()).toBe(1)
  expect([await isStored(unused), await rowOf(unused)]).toEqual([false, undefined])
  expect(await isStored(sent)).toBe(true)
  clock.advance(365 * UNUSED_MS)
  expect(await sweep()).toBe(0)
  expect(await isStored(sent)).toBe(true)
})

test('the housekeeping does it', async () => {
  const unused = await kept()
  clock.advance(UNUSED_MS)
  const cron = client(app.url, { authorization: `Bearer ${app.runtime.settings.cronSecret}` })
  const reply = await cron.post('/api/cron/housekeeping')
  expect(reply.status, reply.text).toBe(200)
  expect(await isStored(unused)).toBe(false)
})

test('a crash between bytes and row leaves both to the next run', async () => {
  const unused = await kept()
  clock.advance(UNUSED_MS)
  app.runtime.ports.storage = {
    ...storage,
    async remove(key) {
      await storage.remove(key)
      throw new Error('the process is gone')
    },
  }
  expect(await sweep()).toBe(0)
  expect([await isStored(unused), (await rowOf(unused)) !== undefined]).toEqual([false, true])
  app.runtime.ports.storage = storage
  expect(await sweep()).toBe(1)
  expect(await rowOf(unused)).toBeUndefined()
})

test('a crash before, in the middle of or after the bytes of an upload leaves nothing for ever', async () => {
  app.runtime.ports.storage = { ...storage, put: () => Promise.reject(new Error('the process is gone')) }
  await expect(kept()).rejects.toThrow()
  app.runtime.ports.storage = {
    ...storage,
    async put(key, bytes) {
      await storage.put(key, bytes)
      throw new Error('the process is gone')
    },
  }
  await expect(kept()).rejects.toThrow()
  app.runtime.ports.storage = storage
  clock.advance(UNUSED_MS)
  const rows = await app.database.query<KeptFile>('select * from files where team_id = $1', [ada.team_id])
  expect(await Promise.all(rows.map(isStored))).toContain(true)
  expect(await sweep()).toBe(2)
  expect(await Promise.all(rows.map(isStored))).toEqual([false, false])
})

test('a storage that is away keeps the rest of the housekeeping waiting for one file alone', async () => {
  const unused = [await kept(), await kept(), await kept()]
  clock.advance(UNUSED_MS)
  let asked = 0
  app.runtime.ports.storage = { ...storage, remove: () => Promise.reject(new Error(`away ${++asked}`)) }
  expect(await sweep()).toBe(0)
  expect(asked).toBe(1)
  app.runtime.ports.storage = storage
  expect(await sweep()).toBe(3)
  expect(await Promise.all(unused.map(isStored))).toEqual([false, false, false])
})

test('what is being removed can be kept again a moment later, and not in between', async () => {
  const id = newId()
  const file = await kept(id)
  clock.advance(UNUSED_MS)
  app.runtime.ports.storage = {
    ...storage,
    async remove(key) {
      await expect(kept(id)).rejects.toThrow('is being removed')
      await expect(ada.ctx.transaction(ctx => insertFiles(ctx, [file]))).rejects.toThrow('is being removed')
      await expect(take(file)).rejects.toMatchObject({ kind: 'invalid' })
      await storage.remove(key)
    },
  }
  expect(await sweep()).toBe(1)
  app.runtime.ports.storage = storage
  const again = await kept(id)
  await ada.ctx.transaction(ctx => insertFiles(ctx, [again]))
  expect([await isStored(again), await sweep()]).toEqual([true, 0])
})

test('a file that is kept again before it is used has its whole time once more', async () => {
  const id = newId()
  await kept(id)
  clock.advance(UNUSED_MS)
  const again = await kept(id)
  expect(await sweep()).toBe(0)
  await take(again)
  expect(await isStored(again)).toBe(true)
})

test('one that is sent while the sweep comes by is sent', async () => {
  const file = await kept()
  let swept: Promise<number> | undefined
  await ada.ctx.transaction(async ctx => {
    await takeFiles(ctx, [file.id])
    // Its mark is not committed, and its time is over.
    clock.advance(UNUSED_MS)
    swept = sweep()
    await eventually(async () => expect(await waitingForLocks(app.database)).toBe(1))
  })
  expect(await swept).toBe(0)
  expect(await isStored(file)).toBe(true)
  expect((await rowOf(file))!.used_at).not.toBeNull()
})

test('erasing a person takes the files of their conversation, their names at once', async () => {
  const email = 'grace@erased.example.test'
  const lead = (await ada.browser.post('/api/crm/leads', { email, first_name: 'Grace' })).body
  const [theirs, other] = [await kept(), await kept()]
  await ada.ctx.transaction(ctx => insertFiles(ctx, [theirs, other]))
  const conversation = newId()
  await app.database.query(
    `with conversation as (insert into conversations (team_id, id, lead_id, address, channel, state, last_message_at,
        last_direction, last_text, created_at, updated_at)
      values ($1, $2, $3, $4, 'email', 'OPEN', now(), 'in', '', now(), now()))
     insert into conversation_files (team_id, conversation_id, part_of, position, file_id) values ($1, $2, $5, 0, $6)`,
    [ada.team_id, conversation, lead.id, email, newId(), theirs.id],
  )
  const reply = await ada.browser.post(`/api/crm/leads/${lead.id}/erase`, { confirm: email })
  expect(reply.status, reply.text).toBe(202)
  await settle(app)
  expect(await rowOf(theirs)).toMatchObject({ name: 'erased', used_at: null })
  expect((await ada.browser.get(`/api/files/${theirs.id}`)).status).toBe(404)
  clock.advance(PASS_PAUSE_MS)
  await settle(app)
  expect((await ada.browser.get(`/api/team/erasures/${reply.body.erasure_id}`)).body.status).toBe('DONE')
  expect(await sweep()).toBe(1)
  expect([await isStored(theirs), await rowOf(theirs)]).toEqual([false, undefined])
  expect([await isStored(other), (await rowOf(other))!.name]).toEqual([true, 'a.txt'])
})
