import { Credential, Method, Receipt, z } from 'mppx'
import { Mppx } from 'mppx/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex, LocalAccount } from 'viem'
import { openEvm } from '#adapters/chain/evm.ts'
import { startAnvil, type Anvil } from '#test/anvil.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client, type Client } from '#test/client.ts'

// An agent is bought as strangers buy it: by a stock client of the Payment scheme, with a real token on a real chain.
const PRICE = { amount: '25.00', currency: 'USD' }
const CONFIRMATIONS = 2

let anvil: Anvil
let app: TestApp
let ada: Person
let key: Client
let token: Hex

beforeAll(async () => {
  anvil = await startAnvil()
  const owner = await anvil.account()
  token = await anvil.deploy('Stablecoin', owner)
  const network = `eip155:${anvil.chainId}`
  const chain = openEvm({
    rpcUrls: [anvil.url],
    network,
    token: `${network}/erc20:${token}`,
    recipient: owner.address,
    decimals: 6,
    confirmations: CONFIRMATIONS,
    currency: 'USD',
  })
  app = await startApp({ ports: { chain } })
  ada = await app.person()
  key = await ada.key()
})
afterAll(async () => {
  await app?.close()
  await anvil?.stop()
})

async function listedAgent(name: string): Promise<string> {
  const body = { name, instructions: 'Answer kindly.', price: PRICE, listed: true }
  const reply = await key.post('/api/voice/agents', body)
  expect(reply.status, reply.text).toBe(201)
  return `/api/v1/agent/purchase/${reply.body.id}`
}

async function wallet(): Promise<LocalAccount> {
  const made = await anvil.account()
  await anvil.send(made, token, 'mint', [made.address, 1_000_000_000n])
  return made
}

const hash = z.object({ type: z.literal('hash'), hash: z.string(), signature: z.string() })
const request = z.object({ amount: z.string(), currency: z.string(), recipient: z.string() })
const charge = Method.from({
  name: 'evm',
  intent: 'charge',
  schema: { credential: { payload: hash }, request },
})

/** What a wallet does when it is asked to pay: it sends the token, waits for a few blocks and signs what it paid for. */
function paysWith(account: LocalAccount, body: Body, agent_id: string, pay = transfer) {
  return Method.toClient(charge, {
    async createCredential({ challenge }) {
      const tx = await pay(account, challenge.request.recipient as Hex, BigInt(challenge.request.amount))
      const claim = [
        'I paid for this agent purchase and claim it.',
        `realm: ${challenge.realm}`,
        `agent: ${agent_id}`,
        `challenge: ${challenge.id}`,
        `network: ${body.network}`,
        `token: ${body.token}`,
        `recipient: ${body.recipient}`,
        `amount: ${body.amount}`,
        `tx: ${tx.toLowerCase()}`,
      ].join('\n')
      const payload = { type: 'hash', hash: tx, signature: await account.signMessage({ message: claim }) }
      const source = `did:pkh:eip155:${anvil.chainId}:${account.address}`
      return Credential.serialize(Credential.from({ challenge, payload, source }))
    },
  })
}

type Body = { recipient: string; amount: string; network: string; token: string }

async function transfer(account: LocalAccount, to: Hex, amount: bigint): Promise<Hex> {
  const tx = await anvil.send(account, token, 'transfer', [to, amount])
  await anvil.mine(CONFIRMATIONS)
  return tx
}

const idIn = (path: string) => path.split('/').at(-1)!

async function asked(path: string): Promise<Body> {
  const reply = await client(app.url).get(path)
  expect(reply.status).toBe(402)
  return reply.body as Body
}

/** The credential that the client made of the answer to this path. */
async function proofFor(path: string, account: LocalAccount, pay = transfer): Promise<string> {
  const method = paysWith(account, await asked(path), idIn(path), pay)
  const mppx = Mppx.create({ polyfill: false, methods: [method] })
  return mppx.createCredential(await fetch(app.url + path))
}

test("mppx's own client sees the 402, pays, and has the agent; its receipt opens it", async () => {
  const path = await listedAgent('Front desk')
  const account = await wallet()
  const method = paysWith(account, await asked(path), idIn(path))
  const { fetch: paying } = Mppx.create({ polyfill: false, methods: [method] })
  const response = await paying(app.url + path)
  expect(response.status).toBe(200)
  const { success, resource } = (await response.json()) as { success: true; resource: string }
  expect(success).toBe(true)
  const receipt = Receipt.fromResponse(response)
  expect(receipt).toMatchObject({ method: 'evm', status: 'success', reference: expect.stringMatching(/^0x/) })

  const header = { 'payment-receipt': Receipt.serialize(receipt) }
  const bought = await (await fetch(resource, { headers: header })).json()
  expect(bought).toMatchObject({
    agent: { name: 'Front desk', instructions: 'Answer kindly.' },
    payer: account.address.toLowerCase(),
    tx_hash: receipt.reference,
    amount: '25.00',
  })
  expect((await fetch(resource)).status).toBe(401)
})

test('twenty claims at once with one proof are one deployment, one invoice and one sale', async () => {
  const path = await listedAgent('Night desk')
  const authorization = await proofFor(path, await wallet())
  const stranger = client(app.url)
  const replies = await Promise.all(Array.from({ length: 20 }, () => stranger.get(path, { authorization })))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  const sales = (await key.get('/api/agents/sales')).body.data
  const ofThis = sales.filter((sale: { agent_id: string }) => sale.agent_id === idIn(path))
  expect(ofThis).toHaveLength(1)
  const invoice = (await key.get(`/api/crm/invoices/${ofThis[0].invoice_id}`)).body
  expect(invoice).toMatchObject({
    status: 'PAID',
    payments: [{ method: 'chain', tx_hash: ofThis[0].tx_hash }],
  })
  const [count] = await app.database.query(
    `select (select count(*)::int from invoices where lines->0->>'description' = 'Night desk') as invoices,
       (select count(*)::int from events where type = 'agent.sold' and subject_id = $1) as sold`,
    [idIn(path)],
  )
  expect(count).toEqual({ invoices: 1, sold: 1 })
})

test('a payment that bought one agent buys no other', async () => {
  const [first, second] = [await listedAgent('First desk'), await listedAgent('Second desk')]
  const account = await wallet()
  let spent: Hex
  const authorization = await proofFor(
    first,
    account,
    async (...payment) => (spent = await transfer(...payment)),
  )
  expect((await client(app.url).get(first, { authorization })).status).toBe(200)
  const replayed = await proofFor(second, account, async () => spent)
  const reply = await client(app.url).get(second, { authorization: replayed })
  expect([reply.status, reply.headers.get('payment-error')]).toEqual([402, 'proof_used'])
  // Nor does the proof itself, which names the agent that it was for.
  const moved = await client(app.url).get(second, { authorization })
  expect([moved.status, moved.headers.get('payment-error')]).toEqual([402, 'wrong_agent'])
})

test('who comes before the payment lies deep enough is told to wait, not to pay again', async () => {
  const path = await listedAgent('Patient desk')
  const account = await wallet()
  const authorization = await proofFor(path, account, (by, to, amount) =>
    anvil.send(by, token, 'transfer', [to, amount]),
  )
  const early = await client(app.url).get(path, { authorization })
  expect([early.status, early.body.code]).toEqual([409, 'awaiting_confirmations'])
  expect(early.headers.get('www-authenticate')).toBeNull()
  await anvil.mine(CONFIRMATIONS)
  expect((await client(app.url).get(path, { authorization })).status).toBe(200)
})
