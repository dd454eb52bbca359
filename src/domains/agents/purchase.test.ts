import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { ChainUnavailable, WrongChain } from '#platform/ports/chain.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client, type Client, type Reply } from '#test/client.ts'
import { memoryChain } from '#test/memory-chain.ts'
import { expectProblem } from '#test/problem.ts'
import { watchWrites, type Writes } from '#test/writes.ts'
import { buyer, challengeIn, listedAgent, newWallet, purchasePath } from './agents.harness.ts'

const MINUTE_MS = 60_000
const agents = '/api/voice/agents'

let app: TestApp
let ada: Person
let key: Client
let writes: Writes
const clock = new FakeClock()
const chain = memoryChain()

beforeAll(async () => {
  app = await startApp({ clock, role: 'api', ports: { chain } })
  ada = await app.person()
  key = await ada.key()
  writes = await watchWrites(app.database)
})
afterAll(() => app.close())

/** Four fields, a fresh challenge, and the reason where no body tells it. */
function expectChallenge(reply: Reply, code: string): void {
  expect(reply.status, reply.text).toBe(402)
  const { recipient, network, token } = chain.terms
  expect(reply.body).toEqual({ recipient, amount: expect.any(String), network, token })
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  expect(reply.headers.get('payment-error')).toBe(code)
  expect(reply.headers.get('payment-receipt')).toBeNull()
  expect(Object.keys(challengeIn(reply))).toEqual([
    'id',
    'realm',
    'method',
    'intent',
    'request',
    'expires',
    'opaque',
  ])
}

describe('without a proof', () => {
  test('it is a 402 with the four fields and a challenge; nothing is written and no chain is asked', async () => {
    const agent = await listedAgent(key)
    await writes.forget()
    const before = chain.asked
    const reply = await buyer(app, chain).ask(agent)
    expectChallenge(reply, 'payment_required')
    expect(reply.body.amount).toBe('25.00')
    expect(await writes.made()).toEqual([])
    expect(chain.asked).toBe(before)
  })

  test('those who ask in the same second are told the same, and later ones a newer challenge', async () => {
    const agent = await listedAgent(key)
    const idNow = async () => challengeIn(await buyer(app, chain).ask(agent)).id
    const first = await idNow()
    clock.advance(999)
    expect(await idNow()).toBe(first)
    clock.advance(1)
    expect(await idNow()).not.toBe(first)
  })

  test('what is told again from memory says the same in every header, and is counted', async () => {
    const limited = await startApp({ clock, role: 'api', ports: { chain }, config: { rateLimit: true } })
    try {
      const agent = await listedAgent(await (await limited.person()).key())
      const { ask, stranger } = buyer(limited, chain)
      const [first, again] = [await ask(agent), await ask(agent)]
      for (const reply of [first, again]) expectChallenge(reply, 'payment_required')
      // Who is no page of another site needs no leave to read it, and what is not logged has no id.
      const besides = ['date', 'x-request-id', 'ratelimit', 'access-control-allow-origin']
      const said = ({ headers }: Reply) =>
        Object.fromEntries([...headers].filter(([name]) => !besides.includes(name)))
      expect(said(again)).toEqual(said(first))
      expect(again.text).toBe(first.text)
      const left = ({ headers }: Reply) => Number(/;r=(\d+)/.exec(headers.get('ratelimit')!)![1])
      expect(left(again)).toBe(left(first) - 1)
      // Whatever is not plain goes the usual way.
      expectProblem(await stranger.get(`${purchasePath(agent)}?surprise=1`), 400, 'unknown_parameter')
      let last = again
      for (let n = left(again); n >= 0; n--) last = await ask(agent)
      expectProblem(last, 429, 'rate_limited')
      expect(last.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/)
      const { text } = await stranger.get('/metrics')
      expect(text).toMatch(/ready_answers_total\{route="\/api\/v1\/agent\/purchase\/:agent_id"\} [1-9]/)
    } finally {
      await limited.close()
    }
  })

  test('another scheme, and only looking, prove nothing', async () => {
    const agent = await listedAgent(key)
    for (const authorization of ['Bearer rpk_x', 'Basic YTpi', 'Paymentx abc'])
      expectChallenge(await client(app.url).get(purchasePath(agent), { authorization }), 'payment_required')
    const { proof } = await buyer(app, chain).buy(agent)
    const looked = await client(app.url).raw('HEAD', purchasePath(agent), undefined, { authorization: proof })
    expect(looked.status).toBe(402)
  })

  test('there is nothing to buy where no agent is, whatever stands in its place', async () => {
    const ids = ['f'.repeat(24), 'x', 'F'.repeat(24), `${'0'.repeat(24)}'`, '%00', '..%2f', 'a'.repeat(5_000)]
    for (const id of ids) expectProblem(await client(app.url).get(purchasePath({ id })), 404)
  })

  test('an agent that is not listed is not for sale, whoever asks', async () => {
    const { body } = await key.post(agents, { name: 'Own', instructions: 'Work.' })
    expectProblem(await key.get(purchasePath(body)), 404)
    const agent = await listedAgent(key)
    await key.patch(`${agents}/${agent.id}`, { listed: false })
    expectProblem(await buyer(app, chain).ask(agent), 404)
  })

  test('pages of other sites may read the headers', async () => {
    const path = purchasePath(await listedAgent(key))
    const { headers } = await client(app.url).get(path, { origin: 'https://buyer.example' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
    expect((await client(app.url).get(path)).headers.get('access-control-expose-headers')).toBeNull()
  })
})

describe('with a proof', () => {
  test('it is a 200 with the resource, a receipt and nothing else; an invoice is paid and people are told', async () => {
    const agent = await listedAgent(key, { name: 'Sold desk' })
    const { reply, hash } = await buyer(app, chain).buy(agent)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toEqual({
      success: true,
      resource: expect.stringMatching(`^${app.url}/api/agents/deployments/[0-9a-f]{24}$`),
    })
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('payment-receipt')).toMatch(/^[\w-]+$/)

    const { data: sales } = (await key.get('/api/agents/sales')).body
    expect(sales[0]).toMatchObject({ agent_id: agent.id, tx_hash: hash, amount: '25.00', state: 'WATCHED' })
    const invoice = (await key.get(`/api/crm/invoices/${sales[0].invoice_id}`)).body
    expect(invoice).toMatchObject({ status: 'PAID', amount: '25.00', currency: 'USD', due: '0.00' })
    expect(invoice.payments).toMatchObject([{ method: 'chain', tx_hash: hash, amount: '25.00', issue: null }])
    const notices = (await ada.browser.get('/api/notifications')).body.data
    expect(notices.map(({ title }: { title: string }) => title)).toContain('Sold: Sold desk')
    const events = (await ada.browser.get('/api/team/audit?type=agent.sold')).body.data
    expect(events[0]).toMatchObject({ subject: { kind: 'agent', id: agent.id }, data: { tx_hash: hash } })
  })

  test('the same proof again is the same 200, to the byte, also after the agent was withdrawn and trashed', async () => {
    const agent = await listedAgent(key)
    const who = buyer(app, chain)
    const { reply, proof } = await who.buy(agent)
    const again = async () => {
      const next = await who.show(agent, proof)
      expect([next.status, next.text, next.headers.get('payment-receipt')]).toEqual([
        200,
        reply.text,
        reply.headers.get('payment-receipt'),
      ])
    }
    await again()
    await key.patch(`${agents}/${agent.id}`, { price: { amount: '99', currency: 'USD' } })
    await again()
    await key.patch(`${agents}/${agent.id}`, { listed: false })
    await again()
    await key.delete(`${agents}/${agent.id}`)
    await again()
    clock.advance(2 * 86_400_000)
    await again()
  })

  test('twenty who show one proof at once get one deployment and one invoice', async () => {
    const agent = await listedAgent(key)
    const who = buyer(app, chain)
    const asked = await who.ask(agent)
    const hash = chain.pay({ from: who.wallet, amount: 25_000_000n, at: new Date(clock.now()).toISOString() })
    const proof = who.proofFor(asked, hash)
    const replies = await Promise.all(Array.from({ length: 20 }, () => who.show(agent, proof)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(new Set(replies.map(({ headers }) => headers.get('payment-receipt'))).size).toBe(1)
    const [count] = await app.database.query(
      `select (select count(*)::int from deployments where agent_id = $1) as deployments,
        (select count(*)::int from invoice_payments where tx_hash = $2) as payments`,
      [agent.id, hash],
    )
    expect(count).toEqual({ deployments: 1, payments: 1 })
  })

  test('who pays the price that was asked gets the agent, although it was raised or withdrawn meanwhile', async () => {
    for (const change of [{ price: { amount: '80', currency: 'USD' } }, { listed: false }]) {
      const agent = await listedAgent(key)
      const who = buyer(app, chain)
      const asked = await who.ask(agent)
      await key.patch(`${agents}/${agent.id}`, change)
      const hash = chain.pay({
        from: who.wallet,
        amount: 25_000_000n,
        at: new Date(clock.now()).toISOString(),
      })
      expect((await who.show(agent, who.proofFor(asked, hash))).status).toBe(200)
    }
  })

  test('two purchases of one agent are two deployments', async () => {
    const agent = await listedAgent(key)
    const [first, second] = [await buyer(app, chain).buy(agent), await buyer(app, chain).buy(agent)]
    expect(first.reply.body.resource).not.toBe(second.reply.body.resource)
  })

  test('what is paid too much is kept on the invoice for a person to decide about', async () => {
    const { reply } = await buyer(app, chain).buy(await listedAgent(key), 30_000_000n)
    expect(reply.status).toBe(200)
    const [sale] = (await key.get('/api/agents/sales')).body.data
    const invoice = (await key.get(`/api/crm/invoices/${sale.invoice_id}`)).body
    expect(invoice).toMatchObject({ status: 'PAID', payments: [{ amount: '30.00', issue: 'overpaid' }] })
  })
})

describe('a proof that does not hold', () => {
  type Twist = (who: ReturnType<typeof buyer>, agent: { id: string }) => Promise<string>
  const paid = (who: { wallet: string }, more: object = {}) =>
    chain.pay({ from: who.wallet, amount: 25_000_000n, at: new Date(clock.now()).toISOString(), ...more })
  const withPayment =
    (more: object): Twist =>
    async (who, agent) =>
      who.proofFor(await who.ask(agent), paid(who, more))

  const refusals: Record<string, Twist> = {
    malformed_proof: async () => 'Payment nonsense',
    unknown_challenge: async (who, agent) => {
      const asked = await who.ask(agent)
      const forged = asked.headers
        .get('www-authenticate')!
        .replace(/expires="[^"]*"/, 'expires="2999-01-01T00:00:00.000Z"')
      return who.proofFor({ ...asked, headers: new Headers({ 'www-authenticate': forged }) }, paid(who))
    },
    wrong_agent: async who => {
      const other = await listedAgent(key)
      return who.proofFor(await who.ask(other), paid(who))
    },
    wrong_network: async (who, agent) => {
      const proof = who.proofFor(await who.ask(agent), paid(who)).slice('Payment '.length)
      const text = Buffer.from(proof, 'base64url').toString().replace('eip155:31337:', 'eip155:1:')
      return `Payment ${Buffer.from(text).toString('base64url')}`
    },
    challenge_expired: async (who, agent) => {
      const asked = await who.ask(agent)
      const hash = paid(who)
      clock.advance(2 * 86_400_000)
      return who.proofFor(asked, hash)
    },
    paid_too_late: async (who, agent) => {
      const asked = await who.ask(agent)
      clock.advance(20 * MINUTE_MS)
      return who.proofFor(asked, paid(who))
    },
    tx_reverted: withPayment({ succeeded: false }),
    no_transfer: async (who, agent) => {
      const hash = paid(who)
      chain.transactions.set(hash, { ...chain.transactions.get(hash)!, transfers: [] })
      return who.proofFor(await who.ask(agent), hash)
    },
    wrong_token: withPayment({ token: newWallet() }),
    wrong_recipient: withPayment({ to: newWallet() }),
    wrong_payer: withPayment({ from: newWallet() }),
    underpaid: withPayment({ amount: 24_999_999n }),
    bad_signature: async (who, agent) =>
      who.proofFor(await who.ask(agent), paid(who), { signature: `0x${'ab'.repeat(65)}` }),
    proof_used: async who => {
      const other = await listedAgent(key)
      const { hash } = await who.buy(other)
      return who.proofFor(await who.ask(agentUnderTest), hash)
    },
  }
  let agentUnderTest: { id: string; name: string }

  test.for(Object.entries(refusals))(
    '%s is a 402 with a fresh challenge, and nothing is granted',
    async ([code, twist]) => {
      agentUnderTest = await listedAgent(key)
      const proof = await twist(buyer(app, chain), agentUnderTest)
      await writes.forget()
      const reply = await client(app.url).get(purchasePath(agentUnderTest), { authorization: proof })
      expectChallenge(reply, code)
      expect(await writes.made()).toEqual([])
    },
  )

  test.for<[string, Twist]>([
    [
      'tx_not_found',
      async (who, agent) => {
        const hash = paid(who)
        chain.transactions.delete(hash)
        return who.proofFor(await who.ask(agent), hash)
      },
    ],
    [
      'awaiting_confirmations',
      async (who, agent) => {
        chain.terms.confirmations = 20
        return who.proofFor(await who.ask(agent), paid(who))
      },
    ],
    ['reorged', withPayment({ depth: 0 })],
  ])('%s says to wait: a 409 without a challenge', async ([code, twist]) => {
    const agent = await listedAgent(key)
    const proof = await twist(buyer(app, chain), agent)
    const reply = await client(app.url).get(purchasePath(agent), { authorization: proof })
    chain.terms.confirmations = 1
    expectWait(reply, 409, code)
  })

  test.for<[string, Error]>([
    ['chain_unavailable', new ChainUnavailable('gone')],
    ['wrong_rpc_chain', new WrongChain('other')],
  ])('%s is a 503 without a challenge', async ([code, fault]) => {
    const agent = await listedAgent(key)
    const who = buyer(app, chain)
    const proof = who.proofFor(await who.ask(agent), paid(who))
    chain.faults.push(fault)
    expectWait(await who.show(agent, proof), 503, code)
    expect((await who.show(agent, proof)).status).toBe(200)
  })

  test('of an agent that was withdrawn is a 404: nobody is asked to pay for it again', async () => {
    const agent = await listedAgent(key)
    const who = buyer(app, chain)
    const proof = who.proofFor(await who.ask(agent), paid(who, { amount: 1n }))
    await key.patch(`${agents}/${agent.id}`, { listed: false })
    expectProblem(await who.show(agent, proof), 404)
  })

  test('where no chain is configured it is a 503, with a proof and without', async () => {
    const bare = await startApp({ role: 'api' })
    try {
      const agent = await listedAgent(await (await bare.person()).key())
      expectWait(await client(bare.url).get(purchasePath(agent)), 503, 'chain_not_configured')
      const shown = await client(bare.url).get(purchasePath(agent), { authorization: 'Payment abc' })
      expectWait(shown, 503, 'chain_not_configured')
    } finally {
      await bare.close()
    }
  })

  test('where the token cannot express the price it is a 503, with a proof and without', async () => {
    const agent = await listedAgent(key, { price: { amount: '25.50', currency: 'USD' } })
    chain.terms.decimals = 0
    try {
      for (const authorization of ['', 'Payment nonsense'])
        expectWait(
          await client(app.url).get(purchasePath(agent), { authorization }),
          503,
          'chain_not_configured',
        )
    } finally {
      chain.terms.decimals = 6
    }
  })

  function expectWait(reply: Reply, status: number, code: string): void {
    expectProblem(reply, status, code)
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(reply.headers.get('www-authenticate')).toBeNull()
    expect(reply.headers.get('payment-error')).toBe(code)
  }
})
