import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client, type Client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { hostileTexts } from '#test/hostile.ts'
import { memoryChain } from '#test/memory-chain.ts'
import { everyPage } from '#test/pages.ts'
import { expectProblem } from '#test/problem.ts'
import { inOrder } from '#test/in-order.ts'
import { listedAgent, PRICE, purchasePath } from './agents.harness.ts'
import { purgeAgents } from './service.ts'
import { DEFAULT_OUTBOUND, DEFAULT_TEXT } from './values.ts'

inOrder()

const DAY_MS = 86_400_000

let app: TestApp
let ada: Person
let key: Client
let stranger: Client
const clock = new FakeClock()

beforeAll(async () => {
  app = await startApp({ clock, ports: { chain: memoryChain() } })
  ada = await app.person()
  key = await ada.key()
  stranger = client(app.url)
})
afterAll(() => app.close())

const agents = '/api/voice/agents'
const bare = { name: 'Front desk', instructions: 'Answer kindly.' }
const catalogue = () => everyPage(stranger, '/api/v1/agents')
const entryOf = async (id: string) => (await catalogue()).find(entry => entry.id === id)

describe('an agent', () => {
  test('needs a name and what it is to do; everything else can wait', async () => {
    const { status, body } = await key.post(agents, bare)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...bare,
      id: expect.any(String),
      kind: 'voice',
      description: null,
      model: null,
      voice: null,
      greeting: null,
      tools: [],
      phone_number: null,
      transfer_to: null,
      outbound: DEFAULT_OUTBOUND,
      text: DEFAULT_TEXT,
      price: null,
      listed: false,
      version: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      deleted_at: null,
    })
    expect((await key.get(`${agents}/${body.id}`)).body).toEqual(body)
  })

  test('names each tool once, and is found by its name', async () => {
    const body = { ...bare, name: 'Zebra', tools: ['schedule_meeting', 'hang_up', 'schedule_meeting'] }
    const made = await key.post(agents, body)
    expect(made.body.tools).toEqual(['schedule_meeting', 'hang_up'])
    const found = await key.get(`${agents}?q=zebra`)
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([made.body.id])
  })

  test('is nothing to another team', async () => {
    const { body } = await key.post(agents, bare)
    const other = await (await app.person()).key()
    expectProblem(await other.get(`${agents}/${body.id}`), 404)
    expectProblem(await other.patch(`${agents}/${body.id}`, { name: 'Mine' }), 404)
    expect((await other.get(agents)).body.data).toEqual([])
  })
})

describe('to be listed', () => {
  const faultsOf = async (fields: object) => {
    const reply = await key.post(agents, { ...bare, ...fields })
    return expectProblem(reply, 422, 'validation_failed').errors!.map(({ path }) => path)
  }

  test('an agent needs a price, of more than nothing, in what the chain settles in', async () => {
    expect(await faultsOf({ listed: true })).toEqual(['price'])
    expect(await faultsOf({ listed: true, price: { amount: '0.00', currency: 'USD' } })).toEqual([
      'price.amount',
    ])
    expect(await faultsOf({ listed: true, price: { amount: '5', currency: 'EUR' } })).toEqual([
      'price.currency',
    ])
    expect((await key.post(agents, { ...bare, listed: true, price: PRICE })).status).toBe(201)
  })

  test('a price has no more decimals than the currency, because its invoice has not', async () => {
    expect(await faultsOf({ price: { amount: '1.001', currency: 'USD' } })).toEqual(['price.amount'])
    expect(await faultsOf({ price: { amount: '1.5', currency: 'JPY' } })).toEqual(['price.amount'])
    const zeros = await key.post(agents, {
      ...bare,
      listed: true,
      price: { amount: '1.0100', currency: 'USD' },
    })
    expect(zeros.status).toBe(201)
  })

  test('a listed agent cannot lose its price, but for being taken out of the catalogue', async () => {
    const { id } = await listedAgent(key)
    expectProblem(await key.patch(`${agents}/${id}`, { price: null }), 422)
    expect((await key.patch(`${agents}/${id}`, { price: null, listed: false })).status).toBe(200)
    expect(await entryOf(id)).toBeUndefined()
  })
})

describe('the catalogue', () => {
  test('shows what strangers may know, and where it is bought', async () => {
    const { id } = await listedAgent(key, { description: 'Takes calls.', phone_number: '+4930123456' })
    expect(await entryOf(id)).toEqual({
      id,
      name: 'Front desk',
      kind: 'voice',
      description: 'Takes calls.',
      seller: (await ada.browser.get('/api/team')).body.name,
      price: PRICE,
      purchase: `${app.url}${purchasePath({ id })}`,
    })
  })

  test('follows the agent: renamed, repriced, taken out, put back, trashed and restored', async () => {
    const { id } = await listedAgent(key)
    await key.patch(`${agents}/${id}`, { name: 'Night desk', price: { amount: '30', currency: 'USD' } })
    expect(await entryOf(id)).toMatchObject({ name: 'Night desk', price: { amount: '30' } })
    const steps: [() => Promise<unknown>, boolean][] = [
      [() => key.patch(`${agents}/${id}`, { listed: false }), false],
      [() => key.patch(`${agents}/${id}`, { listed: true }), true],
      [() => key.delete(`${agents}/${id}`), false],
      [() => key.post(`${agents}/${id}/restore`), false],
      [() => key.patch(`${agents}/${id}`, { listed: true }), true],
    ]
    for (const [step, shown] of steps) {
      await step()
      expect(Boolean(await entryOf(id)), step.toString()).toBe(shown)
      expect((await stranger.get(purchasePath({ id }))).status).toBe(shown ? 402 : 404)
    }
  })

  test('is told of a new price at once by the process that changed it, and by others within two seconds', async () => {
    const { id } = await listedAgent(key)
    const asked = async () => (await stranger.get(purchasePath({ id }))).body.amount
    expect(await asked()).toBe('25.00')
    await key.patch(`${agents}/${id}`, { price: { amount: '26', currency: 'USD' } })
    expect(await asked()).toBe('26')
    // As another process would.
    await app.database.query('update agent_listings set amount = 27 where agent_id = $1', [id])
    clock.advance(2_000)
    expect(await asked()).toBe('27')
  })

  test('names the seller as the team is called by now', async () => {
    const seller = await app.person()
    const { id } = await listedAgent(await seller.key())
    expect((await seller.browser.patch('/api/team', { name: 'Desks & Co' })).status).toBe(200)
    await eventually(async () => expect(await entryOf(id)).toMatchObject({ seller: 'Desks & Co' }))
  })

  test('goes on where a page ended, the newest first', async () => {
    const made = []
    for (let n = 0; n < 5; n++) {
      clock.advance(1_000)
      made.push((await listedAgent(key, { name: `Agent ${n}` })).id)
    }
    const ids = (await everyPage(stranger, '/api/v1/agents?limit=2')).map(({ id }) => id)
    expect(ids.slice(0, 5)).toEqual(made.toReversed())
    expect(new Set(ids).size).toBe(ids.length)
    expectProblem(await stranger.get('/api/v1/agents?cursor=nonsense'), 400, 'invalid_cursor')
  })

  test('leaves out what is priced in another currency than the chain settles in, and nobody is asked to pay it', async () => {
    const { id } = await listedAgent(key)
    await app.database.query(`update agent_listings set currency = 'JPY' where agent_id = $1`, [id])
    clock.advance(2_000)
    expect(await entryOf(id)).toBeUndefined()
    expectProblem(await stranger.get(purchasePath({ id })), 404)
  })

  test('keeps nothing of an agent that is gone, unless it was sold', async () => {
    const { id } = await listedAgent(key)
    await key.delete(`${agents}/${id}`)
    const rows = () => app.database.query('select from agent_listings where agent_id = $1', [id])
    await purgeAgents(ada.ctx)
    expect(await rows()).toHaveLength(1)
    clock.advance(31 * DAY_MS)
    await purgeAgents(ada.ctx)
    expect(await rows()).toHaveLength(0)
  })
})

describe('the page of the catalogue', () => {
  const page = '/agents/catalogue'

  test('says what each agent does, what it costs, and how it is bought, without a script', async () => {
    const { id } = await listedAgent(key, { name: 'Page desk', description: 'Takes calls\nday and night.' })
    const { status, headers, text } = await stranger.get(page)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(text).toContain(`<h2 id="agent-${id}">Page desk</h2>`)
    expect(text).toContain('Takes calls\nday and night.')
    expect(text).toContain('25.00 USD')
    expect(text).toContain(`curl -i ${app.url}${purchasePath({ id })}`)
    expect(text).toContain('402 Payment Required')
    expect(text).not.toMatch(/<script| style=| on\w+=/)
  })

  test('shows hostile names, descriptions and sellers as text and nothing else', async () => {
    const seller = await app.person()
    const wicked = hostileTexts.filter(text => /^\P{Cc}{1,400}$/u.test(text) && text.isWellFormed())
    expect(wicked.length).toBeGreaterThan(30)
    await seller.browser.patch('/api/team', { name: '<img src=x onerror=alert(1)>' })
    const own = await seller.key()
    for (const text of wicked.slice(0, 45)) await listedAgent(own, { name: text, description: text })
    const { text } = await stranger.get(page)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toMatch(/<(?:script|img|svg|iframe|object)/i)
    expect(text).not.toMatch(/<[^>]* on\w+=/i)
  })

  test('goes on page by page', async () => {
    for (let n = 0; n < 10; n++) await listedAgent(key, { name: `More ${n}` })
    const { text } = await stranger.get(page)
    const [, next] = /<a href="(\/agents\/catalogue\?cursor=[^"]+)">More agents/.exec(text)!
    const second = await stranger.get(next!)
    expect(second.status).toBe(200)
    expect(second.text).toContain('<h2 id="agent-')
  })

  test('has words for an empty catalogue', async () => {
    const empty = await startApp({ role: 'api' })
    try {
      const { status, text } = await client(empty.url).get(page)
      expect(status).toBe(200)
      expect(text).toContain('No agents are for sale right now.')
    } finally {
      await empty.close()
    }
  })
})
