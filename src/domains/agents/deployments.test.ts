import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomBytes } from 'node:crypto'
import { Receipt } from 'mppx'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client, type Client } from '#test/client.ts'
import { hold, waitingForLocks } from '#test/locks.ts'
import { memoryChain } from '#test/memory-chain.ts'
import { expectProblem } from '#test/problem.ts'
import { buyer, keyIn, listedAgent } from './agents.harness.ts'
import { DEFAULT_LIMITS, DEFAULT_OUTBOUND } from './values.ts'

let app: TestApp
let ada: Person
let key: Client
let stranger: Client
const clock = new FakeClock()
const chain = memoryChain()

beforeAll(async () => {
  app = await startApp({ clock, role: 'api', ports: { chain } })
  ada = await app.person()
  key = await ada.key()
  stranger = client(app.url)
})
afterAll(() => app.close())

async function bought(more: object = {}) {
  const agent = await listedAgent(key, { description: 'Takes calls.', tools: ['hang_up'], ...more })
  const { reply, hash, proof } = await buyer(app, chain).buy(agent)
  const receipt = reply.headers.get('payment-receipt')!
  const path = new URL(reply.body.resource as string).pathname
  return { agent, hash, proof, receipt, path, id: path.split('/').at(-1)!, secret: keyIn(receipt) }
}

const withReceipt = (receipt: string) => ({ 'payment-receipt': receipt })
const withKey = (secret: string) => ({ authorization: `Bearer ${secret}` })

describe('what was bought', () => {
  test('is opened by its receipt, and by the key in it', async () => {
    const { agent, path, id, hash, receipt, secret } = await bought()
    const reply = await stranger.get(path, withReceipt(receipt))
    expect(reply.body).toEqual({
      id,
      agent_id: agent.id,
      agent: {
        name: 'Front desk',
        kind: 'voice',
        description: 'Takes calls.',
        instructions: 'Answer kindly.',
        model: null,
        voice: null,
        greeting: null,
        tools: ['hang_up'],
        outbound: DEFAULT_OUTBOUND,
      },
      limits: DEFAULT_LIMITS,
      payer: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      network: 'eip155:31337',
      tx_hash: hash,
      amount: '25.00',
      state: 'WATCHED',
      invoice_id: expect.any(String),
      claimed: false,
      claimed_agent_id: null,
      created_at: expect.any(String),
    })
    expect((await stranger.get(path, withKey(secret))).body).toEqual(reply.body)
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })

  test('has a receipt as the scheme has it', async () => {
    const { receipt, hash, secret } = await bought()
    expect(Receipt.deserialize(receipt)).toMatchObject({
      method: 'evm',
      reference: hash,
      status: 'success',
      externalId: secret,
    })
    expect(secret).toMatch(/^rpd_[\w-]{43}$/)
  })

  test('keeps its key nowhere but as a hash', async () => {
    const { secret } = await bought()
    const rows = await app.database.query<{ row: string }>('select deployments::text as row from deployments')
    expect(rows.filter(({ row }) => row.includes(secret.slice(4)))).toEqual([])
  })

  test('stays as it was sold, whatever becomes of the agent', async () => {
    const { agent, path, secret } = await bought()
    await key.patch(`/api/voice/agents/${agent.id}`, { instructions: 'Be rude.', listed: false })
    await key.delete(`/api/voice/agents/${agent.id}`)
    expect((await stranger.get(path, withKey(secret))).body.agent.instructions).toBe('Answer kindly.')
  })

  test('greets and keeps its rules as it was sold; numbers and what the seller answers stay with the seller', async () => {
    const outbound = { ...DEFAULT_OUTBOUND, attempts_max: 1 }
    const own = {
      name: 'stock',
      description: 'Says what is there.',
      parameters: [],
      url: 'https://shop.example.test/',
    }
    const { path, secret, id } = await bought({
      greeting: 'Hello!',
      outbound,
      tools: ['end_call', own, 'transfer'],
      transfer_to: '+4930111111',
    })
    const { body } = await stranger.get(path, withKey(secret))
    expect(body.agent).toMatchObject({ greeting: 'Hello!', outbound, tools: ['end_call', 'transfer'] })
    expect(JSON.stringify(body)).not.toMatch(/shop\.example|\+4930/)
    const grace = await (await app.person()).key()
    const claimed = await grace.post(`/api/agents/deployments/${id}/claim`, { key: secret })
    const agent = await grace.get(`/api/voice/agents/${claimed.body.claimed_agent_id}`)
    // To whom it hands over is for its new team to say.
    expect(agent.body).toMatchObject({
      greeting: 'Hello!',
      outbound,
      tools: ['end_call'],
      transfer_to: null,
      version: 1,
    })
  })

  test('says what it always was, where it was sold before agents had a greeting', async () => {
    const { path, secret, id } = await bought()
    await app.database.query(`update deployments set agent = agent - 'greeting' - 'outbound' where id = $1`, [
      id,
    ])
    const { status, body } = await stranger.get(path, withKey(secret))
    expect(status).toBe(200)
    expect(body.agent).toMatchObject({ greeting: null, outbound: DEFAULT_OUTBOUND })
  })

  test('is nothing to who has no key, a wrong one or that of another: all of it looks the same', async () => {
    const { path, secret, receipt } = await bought()
    const other = await bought()
    const nowhere = `/api/agents/deployments/${'f'.repeat(24)}`
    const tries = [
      await stranger.get(path, withKey(other.secret)),
      await stranger.get(path, withReceipt(other.receipt)),
      await stranger.get(path, withKey(`rpd_${'A'.repeat(43)}`)),
      await stranger.get(path, withKey(`${secret}x`)),
      await stranger.get(path, withReceipt('nonsense')),
      await stranger.get(path, withReceipt(Buffer.from('{"externalId":5}').toString('base64url'))),
      await stranger.get(path, withReceipt('x'.repeat(5_000))),
      await stranger.get(nowhere, withKey(secret)),
      await stranger.get(nowhere, withReceipt(receipt)),
      await stranger.get('/api/agents/deployments/x', withKey(secret)),
    ]
    const seen = tries.map(reply => ({ ...expectProblem(reply, 404, 'not_found'), request_id: '' }))
    expect(new Set(seen.map(body => JSON.stringify(body))).size).toBe(1)
    for (const path of [other.path, nowhere]) {
      const bare = await stranger.get(path)
      expectProblem(bare, 401)
      expect(bare.headers.get('www-authenticate')).toBe('Bearer')
    }
    // Its seller is no owner of it.
    expectProblem(await key.get(path), 401)
  })

  test('takes as many requests a minute as its limits say; tries with another key do not count', async () => {
    const { path, secret } = await bought()
    for (let n = 0; n < 70; n++) await stranger.get(path, withKey(`rpd_${'B'.repeat(43)}`))
    const statuses = []
    for (let n = 0; n < DEFAULT_LIMITS.requests_per_minute; n++)
      statuses.push((await stranger.get(path, withKey(secret))).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const over = await stranger.get(path, withKey(secret))
    expectProblem(over, 429, 'rate_limited')
    expect(over.headers.get('retry-after')).toBe('60')
    clock.advance(60_000)
    expect((await stranger.get(path, withKey(secret))).status).toBe(200)
  })

  test('is refused while the chain has taken its payment back', async () => {
    const { path, secret, hash, id } = await bought()
    const setState = (state: string) =>
      app.database.query('update settlements set state = $2 where tx_hash = $1', [hash, state])
    await setState('REORGED')
    const problem = expectProblem(await stranger.get(path, withKey(secret)), 402, 'payment_reorged')
    expect(problem.detail).toContain('was reverted by a chain')
    const claim = await key.post(`/api/agents/deployments/${id}/claim`, { key: secret })
    expectProblem(claim, 402, 'payment_reorged')
    await setState('FINAL')
    expect((await stranger.get(path, withKey(secret))).body.state).toBe('FINAL')
  })

  test('is opened by the key given out before the secret was changed; when that is gone, the proof brings a new key', async () => {
    const database = app.database
    const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
    const starting = (sessionSecrets: Buffer[]) =>
      startApp({
        clock,
        role: 'api',
        ports: { chain },
        database,
        config: { sessionSecrets, baseUrl: app.url },
      })
    const before = await starting([first])
    const seller = await (await before.person()).key()
    const agent = await listedAgent(seller)
    const who = buyer(before, chain)
    const { reply, hash } = await who.buy(agent)
    const receipt = reply.headers.get('payment-receipt')!
    const path = new URL(reply.body.resource as string).pathname
    await before.close()

    const rotated = await starting([second, first])
    const fresh = buyer(rotated, chain, who.wallet)
    const again = await fresh.show(agent, fresh.proofFor(await fresh.ask(agent), hash))
    expect(again.headers.get('payment-receipt')).toBe(receipt)
    await rotated.close()

    const changed = await starting([third])
    const later = buyer(changed, chain, who.wallet)
    expect((await later.stranger.get(path, withReceipt(receipt))).status).toBe(200)
    const newest = await later.show(agent, later.proofFor(await later.ask(agent), hash))
    const replaced = newest.headers.get('payment-receipt')!
    expect(replaced).not.toBe(receipt)
    expect((await later.stranger.get(path, withReceipt(replaced))).status).toBe(200)
    expect((await later.stranger.get(path, withReceipt(receipt))).status).toBe(404)
    await changed.close()
  })
})

describe('claiming', () => {
  const claim = (who: Client, id: string, secret: string) =>
    who.post(`/api/agents/deployments/${id}/claim`, { key: secret })

  test('makes an agent of the team, once, and says so', async () => {
    const { id, path, secret } = await bought({ name: 'Claimed desk' })
    const grace = await app.person()
    const own = await grace.key()
    const reply = await claim(own, id, secret)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({ id, claimed: true, claimed_agent_id: expect.any(String) })
    const agent = (await own.get(`/api/voice/agents/${reply.body.claimed_agent_id}`)).body
    expect(agent).toMatchObject({
      name: 'Claimed desk',
      instructions: 'Answer kindly.',
      price: null,
      listed: false,
    })
    expectProblem(await claim(own, id, secret), 409, 'already_claimed')
    expect((await own.get('/api/agents/deployments')).body.data).toEqual([reply.body])
    expect((await stranger.get(path, withKey(secret))).body.claimed).toBe(true)
    const events = (await grace.browser.get('/api/team/audit?type=agent.claimed')).body.data
    expect(events[0].data).toEqual({ name: 'Claimed desk', deployment_id: id })
  })

  test('needs the key: to everybody else it is nothing', async () => {
    const { id } = await bought()
    const other = await bought()
    for (const who of [key, await (await app.person()).key()]) {
      expectProblem(await claim(who, id, other.secret), 404)
      expectProblem(await claim(who, id, `rpd_${'A'.repeat(43)}`), 404)
      expectProblem(await claim(who, id, 'x'), 422)
    }
    expectProblem(await claim(key, 'f'.repeat(24), other.secret), 404)
    expectProblem(await claim(stranger, id, other.secret), 401)
  })

  test('of twenty teams and tries at once one wins, and there is one agent', async () => {
    const { id, secret } = await bought({ name: 'Contested desk' })
    const teams = await Promise.all(Array.from({ length: 4 }, async () => (await app.person()).key()))
    await using row = await hold(app.database, `select from deployments where id = '${id}' for update`)
    const tries = Array.from({ length: 20 }, (_, n) => claim(teams[n % 4]!, id, secret))
    await expect.poll(() => waitingForLocks(app.database)).toBeGreaterThan(1)
    await row.letGo()
    const replies = await Promise.all(tries)
    const statuses = replies.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    const made = await app.database.query(
      `select from agents where name = 'Contested desk' and team_id <> $1`,
      [ada.team_id],
    )
    expect(made).toHaveLength(1)
  })
})

describe('the lists', () => {
  test('show sales to who sold and deployments to who claimed, and nothing to anybody else', async () => {
    const { id, secret } = await bought()
    const [grace, eve] = [await (await app.person()).key(), await (await app.person()).key()]
    await grace.post(`/api/agents/deployments/${id}/claim`, { key: secret })
    const ids = async (who: Client, path: string) =>
      (await who.get(path)).body.data.map((row: { id: string }) => row.id)
    expect(await ids(key, '/api/agents/sales?limit=1')).toEqual([id])
    expect(await ids(key, '/api/agents/deployments')).toEqual([])
    expect(await ids(grace, '/api/agents/deployments')).toEqual([id])
    expect(await ids(grace, '/api/agents/sales')).toEqual([])
    expect(await ids(eve, '/api/agents/sales')).toEqual([])
    expect(await ids(eve, '/api/agents/deployments')).toEqual([])
  })
})
