import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { removeOld } from '#domains/retention/removal.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { hostileTexts } from '#test/hostile.ts'
import { expectProblem } from '#test/problem.ts'
import { watchWrites } from '#test/writes.ts'
import { inOrder } from '#test/in-order.ts'
import { newBrowser, subscribe, tell } from './notifications.harness.ts'
import { notify, pruneNotifications } from './service.ts'
import { KEPT_MAX, SUBSCRIPTIONS_MAX, TEXT_LENGTH_MAX, TITLE_LENGTH_MAX } from './values.ts'

inOrder()

const PATH = '/api/notifications'
const DAY_MS = 86_400_000
const clock = new FakeClock()
let app: TestApp
let ada: Person
let bob: Person

beforeAll(async () => {
  // Without a worker, so that only what is asked for changes rows.
  app = await startApp({ clock, role: 'api' })
  ada = await app.person()
  bob = await colleagueOf(app, ada, 'VIEWER')
})
afterAll(() => app.close())

const titles = async (person: Person, query = '') =>
  (await person.browser.get(`${PATH}${query}`)).body.data.map(({ title }: { title: string }) => title)
const unread = async (person: Person) => (await person.browser.get(`${PATH}/count`)).body.unread

/** Somebody with nothing to read yet. */
async function newcomer(): Promise<Person> {
  return colleagueOf(app, ada, 'MEMBER')
}

test('who is told finds it in the list, with where it leads and what it comes of', async () => {
  const carol = await newcomer()
  const source = { kind: 'workflow', id: newId(), name: 'Hot leads' }
  const link = `/leads/${newId()}`
  const [id] = await tell(ada, {
    user_ids: [carol.user_id],
    title: 'Grace wants a call',
    text: 'Today\nplease',
    link,
    source,
  })
  const { body } = await carol.browser.get(PATH)
  expect(body).toEqual({
    data: [
      {
        id,
        title: 'Grace wants a call',
        text: 'Today\nplease',
        link,
        source_kind: 'workflow',
        source_id: source.id,
        source_name: 'Hot leads',
        created_at: new Date(clock.now()).toISOString(),
        read_at: null,
      },
    ],
    next_cursor: null,
  })
  expect(await unread(carol)).toBe(1)
})

test('each sees and marks only what is their own', async () => {
  const carol = await newcomer()
  const eve = await app.person()
  const [mine, theirs] = await tell(ada, { user_ids: [carol.user_id, bob.user_id], title: 'To two' })
  expect(await titles(carol)).toEqual(['To two'])
  expect(await titles(eve)).toEqual([])
  const writes = await watchWrites(app.database)
  for (const ids of [[theirs], [mine, theirs], [newId()]])
    expectProblem(await carol.browser.post(`${PATH}/read`, { ids }), 404, 'not_found')
  expectProblem(await eve.browser.post(`${PATH}/read`, { ids: [mine] }), 404, 'not_found')
  expect(await writes.made(ada.team_id)).toEqual([])
  expect((await carol.browser.post(`${PATH}/read`, { all: true })).body).toEqual({ unread: 0 })
  expect(await unread(bob)).toBe(1)
  expect((await bob.browser.post(`${PATH}/read`, { ids: [theirs, theirs] })).body).toEqual({ unread: 0 })
})

test('what was read stays read, and when', async () => {
  const carol = await newcomer()
  const [first] = await tell(ada, { user_ids: [carol.user_id], title: 'First' })
  await tell(ada, { user_ids: [carol.user_id], title: 'Second' })
  const at = new Date(clock.now()).toISOString()
  expect((await carol.browser.post(`${PATH}/read`, { ids: [first] })).body).toEqual({ unread: 1 })
  clock.advance(1_000)
  await carol.browser.post(`${PATH}/read`, { all: true })
  const { data } = (await carol.browser.get(PATH)).body
  const readAt = Object.fromEntries(
    data.map((row: { title: string; read_at: string }) => [row.title, row.read_at]),
  )
  expect(readAt).toEqual({ First: at, Second: new Date(clock.now()).toISOString() })
  for (const body of [{}, { all: false }, { ids: [first], all: true }])
    expectProblem(await carol.browser.post(`${PATH}/read`, body), 422, 'validation_failed')
})

test('the list goes page by page, the newest first, also of the unread alone', async () => {
  const carol = await newcomer()
  const ids: string[] = []
  for (let n = 1; n <= 5; n++) {
    // Two of the same moment are told apart by their id.
    if (n % 2) clock.advance(1)
    ids.push(...(await tell(ada, { user_ids: [carol.user_id], title: `No ${n}` })))
  }
  await carol.browser.post(`${PATH}/read`, { ids: [ids[2]] })
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await carol.browser.get(`${PATH}?limit=2&unread=true${cursor}`)
    seen.push(...body.data.map(({ title }: { title: string }) => title))
    cursor = body.next_cursor && `&cursor=${body.next_cursor}`
  } while (cursor)
  expect(seen).toEqual(['No 5', 'No 4', 'No 2', 'No 1'])
  expect(await titles(carol)).toEqual(['No 5', 'No 4', 'No 3', 'No 2', 'No 1'])
})

test('whoever is named twice is told once, and who is not of the team is passed over', async () => {
  const carol = await newcomer()
  const eve = await app.person()
  const user_ids = [eve.user_id, carol.user_id, carol.user_id, newId()]
  expect(await tell(ada, { user_ids })).toHaveLength(1)
  expect(await tell(ada, { user_ids: [eve.user_id] })).toEqual([])
  await tell(ada, { user_ids: [carol.user_id] })
  expect(await unread(carol)).toBe(2)
})

test('nothing is told when what caused it is undone', async () => {
  const carol = await newcomer()
  const failing = ada.ctx.transaction(async ctx => {
    await notify(ctx, {
      user_ids: [carol.user_id],
      title: 'Too early',
      source: { kind: 'workflow', id: null, name: null },
    })
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect(await unread(carol)).toBe(0)
})

test('the live stream says that there is something, and neither what nor for whom', async () => {
  const carol = await newcomer()
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  let heard = ''
  void fetch(`${app.url}/api/live?recent_s=0`, { headers: bob.browser.headers, signal: leaving.signal })
    .then(async response => {
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) heard += part
    })
    .catch(() => {
      // Left.
    })
  const [id] = await eventually(async () => {
    const ids = await tell(ada, { user_ids: [carol.user_id], title: 'For my eyes only', text: 'Secret' })
    expect(heard).toContain('notification.added')
    return ids
  })
  await eventually(() => expect(heard).toContain(id))
  expect(heard).not.toMatch(/my eyes|Secret|Hot leads/)
  expect(heard).not.toContain(carol.user_id)
  const change = JSON.parse(/^data: (.*notification\.added.*)$/m.exec(heard)![1]!)
  expect(change.data).toEqual({})
})

test('any text is taken, whatever a stranger typed: cut to size, and the title on one line', async () => {
  const carol = await newcomer()
  const long = `${'a'.repeat(TITLE_LENGTH_MAX - 2)}🐘🐘`
  for (const text of [...hostileTexts.filter(text => text.length < 10_000), long])
    await tell(ada, { user_ids: [carol.user_id], title: text, text })
  const { data } = (await carol.browser.get(`${PATH}?limit=200`)).body
  expect(data.length).toBeGreaterThan(100)
  for (const { title, text } of data) {
    expect(title).toMatch(/^[^\p{Cc}]{1,200}$/u)
    expect(title.isWellFormed()).toBe(true)
    if (text !== null) expect(text).not.toMatch(/[^\P{Cc}\n]/u)
  }
  expect(data[0].title).toBe(`${'a'.repeat(TITLE_LENGTH_MAX - 2)}…`)
  const edge = 'b'.repeat(TEXT_LENGTH_MAX)
  await tell(ada, { user_ids: [carol.user_id], title: 'x'.repeat(TITLE_LENGTH_MAX), text: edge })
  await tell(ada, { user_ids: [carol.user_id], text: `${edge}b` })
  const { data: edges } = (await carol.browser.get(`${PATH}?limit=2`)).body
  expect(edges[1]).toMatchObject({ title: 'x'.repeat(TITLE_LENGTH_MAX), text: edge })
  expect(edges[0].text).toBe(`${edge.slice(1)}…`)
})

test('a link leads to a page of our own and nowhere else', async () => {
  for (const link of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'leads',
    '/a b',
  ])
    await expect(tell(ada, { link })).rejects.toThrow('not a path in the app')
})

test('who leaves the team leaves notifications and browsers behind', async () => {
  const carol = await newcomer()
  await tell(ada, { user_ids: [carol.user_id] })
  await subscribe(carol, 'https://push.example.test/leaving')
  expect((await ada.browser.delete(`/api/team/members/${carol.user_id}`)).status).toBe(204)
  for (const table of ['notifications', 'push_subscriptions'])
    expect(await app.database.query(`select from ${table} where user_id = $1`, [carol.user_id])).toEqual([])
})

test('a browser that is signed out is told nothing more', async () => {
  const carol = await newcomer()
  await subscribe(carol, 'https://push.example.test/out')
  expect((await carol.browser.post('/api/auth/signout')).status).toBe(204)
  expect(
    await app.database.query('select from push_subscriptions where user_id = $1', [carol.user_id]),
  ).toEqual([])
})

test('a browser subscribes once however often it says so, and whoever signs in there takes it over', async () => {
  const carol = await newcomer()
  const endpoint = 'https://push.example.test/same'
  const { id } = await subscribe(carol, endpoint)
  clock.advance(1_000)
  expect((await subscribe(carol, endpoint)).id).toBe(id)
  const { body } = await carol.browser.get(`${PATH}/push`)
  expect(body.public_key).toMatch(/^B[\w-]{86}$/)
  expect(body.subscriptions).toEqual([
    { id, endpoint, created_at: expect.any(String), seen_at: new Date(clock.now()).toISOString() },
  ])
  const dan = await newcomer()
  expect((await subscribe(dan, endpoint)).id).not.toBe(id)
  expect((await carol.browser.get(`${PATH}/push`)).body.subscriptions).toEqual([])
  expect((await dan.browser.get(`${PATH}/push`)).body.public_key).toBe(body.public_key)
})

test("another's browser is not there for anybody else", async () => {
  const carol = await newcomer()
  const eve = await app.person()
  const { id } = await subscribe(carol, 'https://push.example.test/mine')
  for (const other of [ada, eve])
    expectProblem(await other.browser.delete(`${PATH}/push/${id}`), 404, 'not_found')
  expect((await carol.browser.get(`${PATH}/push`)).body.subscriptions).toHaveLength(1)
  expect((await carol.browser.delete(`${PATH}/push/${id}`)).status).toBe(204)
  expectProblem(await carol.browser.delete(`${PATH}/push/${id}`), 404, 'not_found')
})

test(`a person has ${SUBSCRIPTIONS_MAX} browsers: one more takes the place of the one seen least lately`, async () => {
  const carol = await newcomer()
  const address = (n: number) => `https://push.example.test/b${n}`
  for (let n = 1; n <= SUBSCRIPTIONS_MAX; n++) {
    clock.advance(1_000)
    await subscribe(carol, address(n))
  }
  const known = async () =>
    (await carol.browser.get(`${PATH}/push`)).body.subscriptions.map(
      (each: { endpoint: string }) => each.endpoint,
    )
  expect(await known()).toHaveLength(SUBSCRIPTIONS_MAX)
  clock.advance(1_000)
  await subscribe(carol, address(1))
  await Promise.all([11, 12, 13].map(n => subscribe(carol, address(n))))
  const left = await known()
  expect(left).toHaveLength(SUBSCRIPTIONS_MAX)
  expect(left).toContain(address(1))
  for (const n of [2, 3, 4]) expect(left).not.toContain(address(n))
})

test('only an https address and keys that fit make a subscription', async () => {
  const { keys } = await newBrowser()
  const endpoint = 'https://push.example.test/x'
  const wrong: [string, unknown][] = [
    ['endpoint', { endpoint: 'http://push.example.test/x', keys }],
    ['endpoint', { endpoint: 'https://user:pass@push.example.test/x', keys }],
    ['endpoint', { endpoint: 'https://[::1', keys }],
    ['endpoint', { endpoint: `https://push.example.test/${'x'.repeat(1_000)}`, keys }],
    ['keys.p256dh', { endpoint, keys: { ...keys, p256dh: `B${'A'.repeat(86)}` } }],
    ['keys.auth', { endpoint, keys: { ...keys, auth: 'short' } }],
  ]
  for (const [path, body] of wrong) {
    const { errors } = expectProblem(await ada.browser.post(`${PATH}/push`, body), 422, 'validation_failed')
    expect(errors!.map(error => error.path)).toEqual([path])
  }
})

test('a key of the API is nobody who could be told', async () => {
  const key = await ada.key()
  for (const path of ['', '/count', '/push']) expectProblem(await key.get(PATH + path), 403)
})

test(`the newest ${KEPT_MAX} of each person are kept, and those for ninety days`, async () => {
  const [carol, dan] = [await newcomer(), await newcomer()]
  await tell(ada, { user_ids: [dan.user_id], title: 'Kept' })
  await tell(ada, { user_ids: [carol.user_id], title: 'One too many' })
  clock.advance(1)
  const source = { kind: 'workflow', id: null, name: null }
  await ada.ctx.transaction(async ctx => {
    for (let n = 1; n <= KEPT_MAX; n++)
      await notify(ctx, { user_ids: [carol.user_id], title: `No ${n}`, source })
  })
  // The count stops where the list will.
  expect(await unread(carol)).toBe(KEPT_MAX)
  expect(await pruneNotifications(ada.ctx)).toBe(1)
  expect(await unread(carol)).toBe(KEPT_MAX)
  expect(await pruneNotifications(ada.ctx)).toBe(0)
  // By then nobody is signed in any more: the table is asked.
  const left = async ({ user_id }: Person) =>
    (await app.database.query('select from notifications where user_id = $1', [user_id])).length
  clock.advance(90 * DAY_MS - 1)
  await removeOld(systemContext(app.runtime))
  expect([await left(dan), await left(carol)]).toEqual([1, KEPT_MAX])
  clock.advance(1)
  await removeOld(systemContext(app.runtime))
  expect([await left(dan), await left(carol)]).toEqual([0, KEPT_MAX])
})
