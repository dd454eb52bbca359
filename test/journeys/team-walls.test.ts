import { afterAll, expect, test } from 'vitest'
import { startApp, type Person } from '#test/app.ts'
import { expectNone, failuresOf } from '#test/attempts.ts'
import type { Client, Reply } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { readOperations, type Operation } from '#test/operations.ts'
import { fillTeam } from '#test/records.ts'
import { idPlaces, isId, withValue } from '#test/samples.ts'
import { shareOf } from '#test/tier.ts'
import { watchWrites } from '#test/writes.ts'
import { inOrder } from '#test/in-order.ts'

inOrder()

// Without a worker, so that only requests change rows.
const app = await startApp({ role: 'api' })
const operations = await readOperations(app.url)
const ours = await fillTeam(app, operations, await app.person())
const theirs = await fillTeam(app, operations, await app.person())
const writes = await watchWrites(app.database)
/** A SUPER_ADMIN of another team, and a key of it with every scope. */
const callers = [theirs.person.browser, await theirs.person.key()]
const NOBODYS_ID = 'f'.repeat(24)

afterAll(() => app.close())

/** Where an id can stand in an operation: `path:id`, `body:ids[]`, `query:owner_id`. */
type Place = { where: 'path' | 'body' | 'query'; name: string }
const targets = operations
  .map(operation => ({ operation, places: placesOf(operation) }))
  .filter(({ places }) => places.length > 0)

test('every operation that takes an id can be tried', () => {
  expect(targets.length).toBeGreaterThan(5)
  const gaps = [...ours.gaps.values(), ...theirs.gaps.values()]
  const unreached = targets.flatMap(({ operation, places }) =>
    places
      .filter(({ where, name }) => where === 'path' && !ours.idFor(operation, name))
      .map(
        ({ name }) =>
          `${operation.name}: the tests have no record for {${name}}. Add a seed to test/support/records.ts.`,
      ),
  )
  expect([...gaps, ...unreached]).toEqual([])
})

test.for(targets)(
  '$operation.name: the ids of a team are nothing to another, and its rows stay the same to the byte',
  async target => {
    const { operation } = target
    // In turns, but what is for people says no to a key before it looks at any id.
    const turn = isForPeople(operation) ? 0 : targets.indexOf(target)
    // The same request succeeds within the team right after: what was asked for stood there.
    const reply = await ours.withRecord(operation, async () => {
      for (const caller of shareOf(callers, turn, callers.length)) await expectWall(target, caller)
      const { path, body } = ours.request(operation)
      return send(ours.person.browser, operation, path, body)
    })
    expect(reply.status, reply.text).toBe(operation.success.status)
  },
)

test('whatever a team reads shows nothing of another', async () => {
  const attempt = async (operation: Operation) => {
    const reply = await theirs.withRecord(operation, () =>
      theirs.person.browser.get(theirs.request(operation).path),
    )
    expect(reply.status, reply.text).toBe(operation.success.status)
    expect(ours.all().filter(id => reply.text.includes(id))).toEqual([])
  }
  expectNone(await failuresOf(operations.filter(isReading), attempt))
})

test('a filter by an own id finds what a filter by a foreign one does not', async () => {
  const { operation } = targets.find(({ places }) =>
    places.some(({ where, name }) => where === 'query' && name === 'owner_id'),
  )!
  const path = `${operation.path}?owner_id=${ours.person.user_id}`
  expect((await ours.person.browser.get(path)).body.data).not.toEqual([])
  expect((await theirs.person.browser.get(path)).body.data).toEqual([])
})

test('a cursor of another team leads to nothing of it', async () => {
  const list = '/api/crm/leads?limit=1&sort=created_at'
  await ours.person.browser.post('/api/crm/leads', { first_name: 'Second' })
  const cursor = (await ours.person.browser.get(list)).body.next_cursor
  expect(cursor).toBeTypeOf('string')
  const reply = await theirs.person.browser.get(`${list}&cursor=${cursor}`)
  expect(reply.status).toBe(200)
  for (const lead of reply.body.data)
    expect((await theirs.person.browser.get(`/api/crm/leads/${lead.id}`)).status).toBe(200)
})

test('live updates of one team do not reach another', async () => {
  const [ourStream, theirStream] = [listen(ours.person), listen(theirs.person)]
  // Theirs hears of a later change of its own: then whatever was to come of ours has come.
  const secrets = await postUntilHeard(ours.person, ourStream)
  await postUntilHeard(theirs.person, theirStream)
  for (const secret of secrets) expect(theirStream.text()).not.toContain(secret)
  for (const stream of [ourStream, theirStream]) stream.leave()
})

function placesOf({ params, query, body }: Operation): Place[] {
  const places = (where: Place['where'], names: string[]) => names.map(name => ({ where, name }))
  return [
    ...places(
      'path',
      Object.keys(params).filter(name => isId(params[name]!)),
    ),
    ...places(
      'query',
      Object.keys(query).filter(name => idPlaces(query[name]!).length > 0),
    ),
    ...places('body', body ? idPlaces(body).filter(isNoFilter) : []),
  ]
}

/** The filter of a bulk change is kept in the caller's own words, and matches nothing: the tests of leads look at it. */
function isNoFilter(name: string): boolean {
  return !name.startsWith('filter.')
}

/** An id of the right kind where there is one; of any other kind where the collection does not exist yet. */
function foreignId(operation: Operation, { name }: Place): string {
  const field = name.replaceAll('[]', '').split('.').at(-1)!
  return ours.idFor(operation, field) ?? ours.all()[0]!
}

type Target = (typeof targets)[number]

/** A foreign id looks like one that does not exist, wherever it stands, and reaches nothing. */
async function expectWall({ operation, places }: Target, caller: Client): Promise<void> {
  // Where ids of their own remain in the request, these must be good.
  if (places.length > 1 || places.some(({ where }) => where === 'body')) await theirs.renew(operation)
  await writes.forget()
  for (const place of places) {
    const told = `${place.where} ${place.name}`
    const [foreign, absent] = await Promise.all([
      attack(caller, operation, place, foreignId(operation, place)),
      attack(caller, operation, place, NOBODYS_ID),
    ])
    expect(tellsOf(foreign), `${told}: a foreign id must look like one that does not exist`).toEqual(
      tellsOf(absent),
    )
    expectRefusal(foreign, operation, place, caller)
    const named = ours.all().filter(id => foreign.text.includes(id))
    expect(named, `${told}: the answer names what is not theirs`).toEqual([])
  }
  expect(await writes.made(ours.person.team_id), 'rows of the other team').toEqual([])
}

/** An otherwise right request of the other team with the id in this one place. */
async function attack(caller: Client, operation: Operation, place: Place, id: string): Promise<Reply> {
  const { path, body } = theirs.request(operation)
  switch (place.where) {
    case 'path':
      return send(caller, operation, path.replace(theirs.idFor(operation, place.name)!, id), body)
    case 'query':
      return send(caller, operation, `${path}?${place.name}=${id}`, body)
    case 'body':
      return send(caller, operation, path, withValue(body, place.name, id))
  }
}

function expectRefusal(reply: Reply, operation: Operation, { where, name }: Place, caller: Client): void {
  if (isForPeople(operation) && 'authorization' in caller.headers) {
    expect(reply.status, reply.text).toBe(403)
  } else if (where === 'query') {
    expect(reply.status, reply.text).toBe(200)
    if (operation.success.media === 'text/csv') expect(reply.text.trim().split('\r\n')).toHaveLength(1)
    else if ('data' in reply.body) expect(reply.body.data).toEqual([])
  } else if (where === 'body' && reply.status === 422) {
    expect(reply.body.errors.map((error: { path: string }) => error.path)).toContain(
      name.replaceAll('[]', '[0]'),
    )
  } else expect(reply.status, reply.text).toBe(404)
}

function isForPeople({ access }: Operation): boolean {
  return typeof access === 'object' && 'role' in access
}

/** What an answer gives away. */
function tellsOf({ status, body }: Reply) {
  return { status, body: body && { ...body, request_id: undefined } }
}

async function send(
  caller: Client,
  { method, body: schema }: Operation,
  path: string,
  body: unknown,
): Promise<Reply> {
  if (body instanceof Blob) return caller.raw(method, path, body)
  return schema === undefined
    ? caller.raw(method, path, undefined)
    : caller.raw(method, path, JSON.stringify(body), { 'content-type': 'application/json' })
}

function isReading({ method, access, success }: Operation): boolean {
  return method === 'GET' && access !== 'cron' && success.media !== 'text/event-stream'
}

/** Makes leads until the stream tells of one of them; answers all of them. */
async function postUntilHeard({ browser }: Person, stream: ReturnType<typeof listen>): Promise<string[]> {
  const made: string[] = []
  await eventually(async () => {
    made.push((await browser.post('/api/crm/leads', { first_name: 'Private' })).body.id)
    expect(made.some(id => stream.text().includes(id))).toBe(true)
  })
  return made
}

/** An open stream, and what has come so far. */
function listen({ browser }: Person) {
  const leaving = new AbortController()
  let text = ''
  void fetch(`${app.url}/api/live`, { headers: browser.headers, signal: leaving.signal })
    .then(async response => {
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) text += part
    })
    .catch(() => {
      // Left.
    })
  return { text: () => text, leave: () => leaving.abort() }
}
