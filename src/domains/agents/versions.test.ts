import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { everyPage } from '#test/pages.ts'
import { expectProblem } from '#test/problem.ts'
import { inOrder } from '#test/in-order.ts'
import { agentAtNumber } from './numbers.ts'
import { purgeAgents } from './service.ts'
import { DEFAULT_OUTBOUND, DEFAULT_TEXT } from './values.ts'

inOrder()

const DAY_MS = 86_400_000
const agents = '/api/voice/agents'
const bare = { name: 'Front desk', instructions: 'Answer kindly.' }

let app: TestApp
let ada: Person
let key: Client
const clock = new FakeClock()

beforeAll(async () => {
  app = await startApp({ clock, role: 'api' })
  ada = await app.person()
  key = await ada.key()
})
afterAll(() => app.close())

const made = async (more: object = {}) => (await key.post(agents, { ...bare, ...more })).body
const versionsOf = async (id: string) => (await key.get(`${agents}/${id}/versions`)).body.data

describe('versions of an agent', () => {
  test('there is one for what it was made, and one for each time it became somebody else', async () => {
    const { id } = await made()
    const outbound = { ...DEFAULT_OUTBOUND, consent: 'not_required' }
    await ada.browser.patch(`${agents}/${id}`, { instructions: 'Be brief.', greeting: 'Hello!' })
    const reply = await ada.browser.patch(`${agents}/${id}`, { outbound, description: 'For everybody' })
    expect(reply.body.version).toBe(3)
    const versions = await versionsOf(id)
    const seen = versions.map(({ version, changes }: any) => [version, changes])
    expect(seen).toEqual([
      [3, ['outbound']],
      [2, ['instructions', 'greeting']],
      [1, []],
    ])
    expect(versions[1]).toEqual({
      version: 2,
      agent: {
        name: 'Front desk',
        instructions: 'Be brief.',
        greeting: 'Hello!',
        model: null,
        voice: null,
        tools: [],
        transfer_to: null,
        outbound: DEFAULT_OUTBOUND,
        text: DEFAULT_TEXT,
      },
      changes: ['instructions', 'greeting'],
      changed_by: (await ada.browser.get('/api/auth/session')).body.user.name,
      created_at: expect.any(String),
    })
  })

  test('what it costs, where it is reached and what stays the same make none', async () => {
    const { id } = await made({ tools: ['end_call'] })
    await key.patch(`${agents}/${id}`, { description: 'New', price: { amount: '5', currency: 'USD' } })
    await key.patch(`${agents}/${id}`, { phone_number: '+4930200001' })
    await key.patch(`${agents}/${id}`, { ...bare, tools: ['end_call'], outbound: DEFAULT_OUTBOUND })
    expect((await key.get(`${agents}/${id}`)).body.version).toBe(1)
    expect(await versionsOf(id)).toHaveLength(1)
  })

  test('going back is a new version, is written down, and can be gone back from', async () => {
    const { id } = await made({ tools: ['end_call', 'transfer'], transfer_to: '+4930111111' })
    await key.patch(`${agents}/${id}`, { instructions: 'Be rude.', tools: [], transfer_to: null })
    const back = await key.post(`${agents}/${id}/versions/1/restore`)
    expect(back.status).toBe(200)
    expect(back.body).toMatchObject({ version: 3, tools: ['end_call', 'transfer'], ...bare })
    expect((await versionsOf(id))[0]).toMatchObject({
      version: 3,
      changes: ['instructions', 'tools', 'transfer_to'],
    })
    const events = await app.database.query(
      `select data from events where subject_id = $1 and type = 'agent.version_restored'`,
      [id],
    )
    expect(events).toEqual([{ data: { name: 'Front desk', from: 2, version: 1 } }])
    expect((await key.post(`${agents}/${id}/versions/2/restore`)).body).toMatchObject({
      version: 4,
      instructions: 'Be rude.',
      transfer_to: null,
    })
    // To what it is already there is nothing to do.
    expect((await key.post(`${agents}/${id}/versions/4/restore`)).body.version).toBe(4)
  })

  test('one that is none, one of another team, and one that somebody changed meanwhile are refused', async () => {
    const { id } = await made()
    const { headers } = await key.get(`${agents}/${id}`)
    await key.patch(`${agents}/${id}`, { instructions: 'Be brief.' })
    expectProblem(await key.post(`${agents}/${id}/versions/3/restore`), 404)
    expectProblem(await key.post(`${agents}/${id}/versions/0/restore`), 404)
    const stale = { 'if-match': headers.get('etag')! }
    expectProblem(await key.post(`${agents}/${id}/versions/1/restore`, undefined, stale), 412)
    const other = await (await app.person()).key()
    expectProblem(await other.get(`${agents}/${id}/versions`), 404)
    expectProblem(await other.post(`${agents}/${id}/versions/1/restore`), 404)
    expect((await key.get(`${agents}/${id}`)).body.version).toBe(2)
  })

  test('are listed page by page, each with what it changed', async () => {
    const { id } = await made()
    for (let n = 2; n <= 5; n++) await key.patch(`${agents}/${id}`, { voice: `voice ${n}` })
    const all = await everyPage(key, `${agents}/${id}/versions?limit=2`)
    expect(all.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
    expect(all.map(({ changes }) => changes)).toEqual([['voice'], ['voice'], ['voice'], ['voice'], []])
  })

  test('of changes made at the same moment, each has a version of its own', async () => {
    const { id } = await made()
    const voices = Array.from({ length: 10 }, (_, at) => `voice ${at}`)
    await Promise.all(voices.map(voice => key.patch(`${agents}/${id}`, { voice })))
    expect((await versionsOf(id)).map(({ version }: any) => version).toReversed()).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ])
  })

  test('go with the agent, when it is gone for good', async () => {
    const { id } = await made()
    await key.delete(`${agents}/${id}`)
    clock.advance(31 * DAY_MS)
    await purgeAgents(ada.ctx)
    expect(await app.database.query('select from agent_versions where agent_id = $1', [id])).toEqual([])
  })
})

describe('where several teams share an installation, the operator says whose a number is', () => {
  test('one that is listed for the team is taken, any other is refused, and one that is held is not given up', async () => {
    const phoneNumbers = new Map<string, string>()
    const shared = await startApp({ clock, role: 'api', config: { phoneNumbers } })
    try {
      const first = await shared.person()
      const post = (person: Person, phone_number: string) =>
        person.browser.post(agents, { ...bare, phone_number })
      // Alone, it takes what it likes.
      const own = await post(first, '+4930400001')
      expect(own.status).toBe(201)
      const second = await shared.person()
      phoneNumbers.set('+4930400002', second.team_id)
      expectProblem(await post(first, '+4930400002'), 409, 'number_not_assigned')
      expectProblem(await post(second, '+4930400003'), 409, 'number_not_assigned')
      const reply = await post(second, '+4930400001')
      expectProblem(reply, 409, 'number_taken')
      expect(reply.text).not.toContain(first.team_id)
      expect((await post(second, '+4930400002')).status).toBe(201)
      const path = `${agents}/${own.body.id}`
      expect((await first.browser.patch(path, { name: 'Desk' })).body.phone_number).toBe('+4930400001')
      await first.browser.delete(path)
      phoneNumbers.set('+4930400001', second.team_id)
      expect((await first.browser.post(`${path}/restore`)).body.phone_number).toBeNull()
      expect((await post(second, '+4930400001')).status).toBe(201)
    } finally {
      await shared.close()
    }
  })
})

describe('the number that an agent answers', () => {
  const taken = (reply: Parameters<typeof expectProblem>[0]) => expectProblem(reply, 409, 'number_taken')
  const at = async (phone: string) => (await agentAtNumber(ada.ctx, phone))?.agent_id

  test('leads to it, whichever team asks, for as long as it has it', async () => {
    const { id } = await made({ phone_number: '+4930300001' })
    const other = await app.person()
    expect(await agentAtNumber(other.ctx, '+4930300001')).toEqual({ team_id: ada.team_id, agent_id: id })
    await key.patch(`${agents}/${id}`, { phone_number: '+4930300002' })
    expect([await at('+4930300001'), await at('+4930300002')]).toEqual([undefined, id])
    await key.patch(`${agents}/${id}`, { phone_number: null })
    expect(await at('+4930300002')).toBeUndefined()
  })

  test('belongs to one agent of the whole installation, and who has it is not told', async () => {
    const { id } = await made({ phone_number: '+4930300003', name: 'Secret desk' })
    const own = await made()
    const other = await (await app.person()).key()
    const reply = await other.post(agents, { ...bare, phone_number: '+4930300003' })
    expect(taken(reply).errors).toEqual([{ path: 'phone_number', message: 'is used by another agent' }])
    for (const secret of ['Secret desk', id, ada.team_id]) expect(reply.text).not.toContain(secret)
    taken(await key.patch(`${agents}/${own.id}`, { phone_number: '+4930300003', name: 'Thief' }))
    expect((await key.get(`${agents}/${own.id}`)).body).toEqual(own)
    expect(await at('+4930300003')).toBe(id)
  })

  test('goes to exactly one of twenty who want it at once', async () => {
    const others = await Promise.all(
      Array.from({ length: 4 }, async () => (await app.person()).key() as Promise<Client>),
    )
    const wanted = { ...bare, phone_number: '+4930300004' }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => others[n % others.length]!.post(agents, wanted)),
    )
    const won = replies.filter(({ status }) => status === 201)
    expect(won).toHaveLength(1)
    for (const reply of replies.filter(reply => reply !== won[0])) taken(reply)
    expect(await at('+4930300004')).toBe(won[0]!.body.id)
    const rows = await app.database.query(`select from agents where phone_number = '+4930300004'`)
    expect(rows).toHaveLength(1)
  })

  test('is free while its agent is in the trash, and comes back with it', async () => {
    const { id } = await made({ phone_number: '+4930300005' })
    await key.delete(`${agents}/${id}`)
    expect(await at('+4930300005')).toBeUndefined()
    const back = await key.post(`${agents}/${id}/restore`)
    expect(back.body.phone_number).toBe('+4930300005')
    expect(await at('+4930300005')).toBe(id)
    // Restoring what is there already takes nothing away.
    expect((await key.post(`${agents}/${id}/restore`)).body.phone_number).toBe('+4930300005')
  })

  test('stays with who took it meanwhile; the agent comes back without one', async () => {
    const { id } = await made({ phone_number: '+4930300006' })
    await key.delete(`${agents}/${id}`)
    const taker = await made({ phone_number: '+4930300006' })
    expect((await key.post(`${agents}/${id}/restore`)).body.phone_number).toBeNull()
    expect(await at('+4930300006')).toBe(taker.id)
  })
})
