import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { domains } from '#app'
import { t } from '#platform/contract.ts'
import { defineEvent, record } from '#platform/events.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { connect, makeClient } from '#test/oauth.ts'
import { HEARTBEAT_MS } from './api.ts'

const paid = defineEvent('test.paid', t.Object({ n: t.Integer() }), { live: 'billing:read' })
const noted = defineEvent('test.noted', t.Object({ n: t.Integer() }), { live: 'leads:read' })
const quiet = defineEvent('test.quiet', t.Object({ n: t.Integer() }))

let app: TestApp
let ada: Person

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
})
afterAll(() => app.close())

type Message = { id?: string; event?: string; data?: any; comment?: string; retry?: string }

/** An open stream; what came in so far is in `messages`. */
async function open(headers: Record<string, string>, { url = app.url, query = '' } = {}) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await fetch(`${url}/api/live${query}`, { headers, signal: leaving.signal })
  const messages: Message[] = []
  const ended = readMessages(response, messages).catch((error: Error) => error)
  return {
    response,
    messages,
    ended,
    changes: () => messages.filter(({ event }) => event === 'change'),
    leave: () => leaving.abort(),
  }
}

async function readMessages(response: Response, messages: Message[]): Promise<void> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    messages.push(...blocks.map(parseMessage))
  }
}

function parseMessage(block: string): Message {
  const message: Record<string, unknown> = {}
  for (const line of block.split('\n')) {
    const [, field, value] = /^(\w*): ?(.*)$/.exec(line)!
    message[field || 'comment'] = field === 'data' ? JSON.parse(value!) : value
  }
  return message
}

async function say(person: Person, event: typeof noted | typeof paid | typeof quiet, n: number) {
  return person.ctx.transaction(async ctx =>
    record(ctx, event as typeof noted, { kind: 'thing', id: ctx.newId() }, { n }),
  )
}

/** Once something was heard, nothing that follows is missed. */
async function settle(stream: Awaited<ReturnType<typeof open>>, person = ada): Promise<void> {
  await eventually(async () => {
    await say(person, noted, -1)
    expect(stream.changes()).not.toEqual([])
  })
  await say(person, noted, -2)
  await eventually(() => expect(stream.changes().at(-1)!.data.data.n).toBe(-2))
  stream.messages.length = 0
}

const numbers = (stream: { changes(): Message[] }) => stream.changes().map(message => message.data.data.n)

test('a change is told as it happened, with the place to resume from', async () => {
  const stream = await open(ada.browser.headers)
  expect(stream.response.status).toBe(200)
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  expect(stream.response.headers.get('cache-control')).toBe('no-store')
  await eventually(() => expect(stream.messages[0]).toEqual({ retry: '1000' }))
  await settle(stream)
  const event = await say(ada, noted, 1)
  await eventually(() => expect(stream.changes()).toHaveLength(1))
  expect(stream.messages).toEqual([
    {
      id: expect.stringMatching(/^\d+-[0-9a-f]{24}$/),
      event: 'change',
      data: {
        type: 'test.noted',
        id: event.id,
        subject: { kind: 'thing', id: event.subject_id },
        at: event.at,
        actor_id: ada.user_id,
        data: { n: 1 },
      },
    },
  ])
})

test('a lead that is created over the API shows up in the stream', async () => {
  const key = await ada.key()
  const stream = await open(key.headers)
  await settle(stream)
  const created = await key.post('/api/crm/leads', { first_name: 'Grace' })
  await eventually(() => expect(stream.changes().map(({ data }) => data.type)).toContain('lead.created'))
  expect(stream.changes()[0]!.data.subject).toEqual({ kind: 'lead', id: created.body.id })
})

test('without a key or a session there is no stream, and without the scope neither', async () => {
  expect((await open({})).response.status).toBe(401)
  const key = await ada.key(['billing:read'])
  expect((await open(key.headers)).response.status).toBe(403)
})

test('each stream carries what its scopes allow, and nothing that is only written down', async () => {
  const narrow = await open((await ada.key(['leads:read'])).headers)
  const wide = await open((await ada.key(['leads:read', 'billing:read'])).headers)
  await settle(narrow)
  await settle(wide)
  await say(ada, paid, 1)
  await say(ada, quiet, 2)
  await say(ada, noted, 3)
  await eventually(() => expect(numbers(wide)).toContain(3))
  await eventually(() => expect(numbers(narrow)).toContain(3))
  expect(numbers(wide).filter(n => n > 0)).toEqual([1, 3])
  expect(numbers(narrow).filter(n => n > 0)).toEqual([3])
})

test("another team's changes are never told", async () => {
  const eve = await app.person()
  const [ours, theirs] = [await open(ada.browser.headers), await open(eve.browser.headers)]
  await settle(ours)
  await settle(theirs, eve)
  for (let n = 1; n <= 10; n++) await say(n % 2 ? ada : eve, noted, n)
  await eventually(() => expect(numbers(ours)).toContain(9))
  await eventually(() => expect(numbers(theirs)).toContain(10))
  expect(numbers(ours)).toEqual([1, 3, 5, 7, 9])
  expect(numbers(theirs)).toEqual([2, 4, 6, 8, 10])
})

test('who reconnects with Last-Event-ID, to another process, hears exactly what was missed', async () => {
  const other = await startApp({
    database: app.database,
    config: { sessionSecrets: app.runtime.settings.sessionSecrets },
  })
  onTestFinished(() => other.close())
  const first = await open(ada.browser.headers)
  await settle(first)
  for (let n = 1; n <= 3; n++) await say(ada, noted, n)
  await eventually(() => expect(numbers(first)).toEqual([1, 2, 3]))
  first.leave()
  const last = first.changes()[1]!.id!
  await say(ada, noted, 4)
  const byHeader = await open({ ...ada.browser.headers, 'last-event-id': last }, { url: other.url })
  const byQuery = await open(ada.browser.headers, { query: `?last_event_id=${last}` })
  await say(ada, noted, 5)
  for (const stream of [byHeader, byQuery]) {
    await eventually(() => expect(numbers(stream)).toContain(5))
    expect(numbers(stream)).toEqual([3, 4, 5])
  }
})

test('who has just loaded its page hears what happened while it did, of its own team, and nothing older', async () => {
  const eve = await app.person()
  const bob = await app.person()
  const key = await eve.key()
  await app.database.query(
    `insert into changes (event_id, team_id, scope, at, message)
     values ('aaaaaaaaaaaaaaaaaaaaaaaa', $1, 'leads:read', now() - interval '1 minute', '{"data": {"n": 0}}')`,
    [eve.team_id],
  )
  // Whoever listens has heard of it by then.
  await settle(await open(key.headers), eve)
  await say(eve, noted, 1)
  await say(bob, noted, 2)
  await say(eve, noted, 3)
  const stream = await open(key.headers, { query: '?recent_s=30' })
  const heard = () => stream.changes().flatMap(({ data }) => (data.data.n >= 0 ? data.data.n : []))
  await eventually(() => expect(heard()).toEqual([1, 3]))
  await say(eve, noted, 4)
  await eventually(() => expect(heard()).toEqual([1, 3, 4]))
  const later = await open(key.headers)
  await settle(later, eve)
  expect(later.changes().map(({ data }) => data.data.n)).not.toContain(1)
})

test('who comes back too late is told to read everything afresh', async () => {
  const old = '1-65e2f00000000000000000aa'
  const stream = await open({ ...ada.browser.headers, 'last-event-id': old })
  await eventually(() => expect(stream.messages).toContainEqual({ event: 'reset', data: {} }))
  await settle(stream)
})

test('a stream says that it is still there while nothing happens', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const stream = await open(ada.browser.headers)
  await settle(stream)
  vi.advanceTimersByTime(HEARTBEAT_MS)
  await eventually(() => expect(stream.messages).toEqual([{ comment: 'still here' }]))
  vi.advanceTimersByTime(HEARTBEAT_MS)
  await eventually(() => expect(stream.messages).toHaveLength(2))
})

describe('a stream ends as soon as its listener', () => {
  type Listener = { headers: Record<string, string>; end(): Promise<unknown> }
  const rows: Record<string, (boss: Person) => Promise<Listener>> = {
    'is no member any more': async boss => {
      const { browser, user_id } = await colleagueOf(app, boss, 'MEMBER')
      return { headers: browser.headers, end: () => boss.browser.delete(`/api/team/members/${user_id}`) }
    },
    'has left the team': async boss => {
      const { browser } = await colleagueOf(app, boss, 'MEMBER')
      return { headers: browser.headers, end: () => browser.post('/api/team/leave') }
    },
    'has another role': async boss => {
      const { browser, user_id } = await colleagueOf(app, boss, 'ADMIN')
      const end = () => boss.browser.patch(`/api/team/members/${user_id}`, { role: 'VIEWER' })
      return { headers: browser.headers, end }
    },
    'has signed out': async boss => {
      const { browser } = await colleagueOf(app, boss, 'MEMBER')
      return { headers: browser.headers, end: () => browser.post('/api/auth/signout') }
    },
    'is a key that was revoked': async boss => {
      const { body } = await boss.browser.post('/api/keys', { name: 'Zap', scopes: ['leads:read'] })
      const headers = { authorization: `Bearer ${body.key}` }
      return { headers, end: () => boss.browser.delete(`/api/keys/${body.id}`) }
    },
    'is an app that was disconnected': async boss => {
      const { api } = await connect(app, boss, await makeClient(boss))
      const { body } = await boss.browser.get('/api/oauth/grants')
      return { headers: api.headers, end: () => boss.browser.delete(`/api/oauth/grants/${body.data[0].id}`) }
    },
    'is an app that is no more': async boss => {
      const zap = await makeClient(boss)
      const { api } = await connect(app, boss, zap)
      return { headers: api.headers, end: () => boss.browser.delete(`/api/oauth/clients/${zap.id}`) }
    },
  }
  test.for(Object.entries(rows))('%s', async ([, make]) => {
    // No heartbeat comes.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const boss = await app.person()
    const { headers, end } = await make(boss)
    const [stream, own] = [await open(headers), await open(boss.browser.headers)]
    await settle(stream, boss)
    await settle(own, boss)
    expect(await end()).toMatchObject({ status: expect.toSatisfy(status => status < 300) })
    let isOver = false
    void stream.ended.then(() => (isOver = true))
    await eventually(() => expect(isOver).toBe(true))
    expect(await stream.ended).toBe(undefined)
    await say(boss, noted, 7)
    // Whoever may listen still does.
    await eventually(() => expect(numbers(own)).toContain(7))
    expect(numbers(stream)).not.toContain(7)
    expect(own.messages.every(({ data }) => !data || data.type.startsWith('test.'))).toBe(true)
  })

  test('is found at a heartbeat to have gone without a word', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const boss = await app.person()
    const { browser, user_id } = await colleagueOf(app, boss, 'MEMBER')
    const stream = await open(browser.headers)
    await settle(stream, boss)
    await app.database.query('delete from memberships where user_id = $1', [user_id])
    vi.advanceTimersByTime(HEARTBEAT_MS)
    expect(await stream.ended).toBe(undefined)
  })
})

test('the server stops cleanly while streams are open', async () => {
  const stopping = await startApp({ domains })
  const eve = await stopping.person()
  const streams = await Promise.all([1, 2, 3].map(() => open(eve.browser.headers, { url: stopping.url })))
  for (const stream of streams) await settle(stream, eve)
  await stopping.close()
  // Ended as a whole answer ends, not torn off.
  for (const stream of streams) expect(await stream.ended).toBe(undefined)
})
