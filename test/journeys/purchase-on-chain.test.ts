import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Challenge, Credential, Receipt } from 'mppx'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { claimText } from '#domains/settlements/service.ts'
import { openShop, PRICE, PRICE_UNITS, type Shop } from '#domains/settlements/settlements.harness.ts'
import type { Client } from '#test/client.ts'
import { startRapport, type RunningRapport } from '#test/command-line.ts'
import { eventually } from '#test/eventually.ts'

const folder = await mkdtemp(join(tmpdir(), 'rapport-purchase-'))
let shop: Shop
/** A process of its own, on the same database. */
let second: RunningRapport
let key: Client

beforeAll(async () => {
  shop = await openShop()
  const { app, settings, chain, anvil } = shop
  second = await startRapport({
    DATA_DIR: folder,
    DATABASE_URL: app.database.url,
    BASE_URL: app.url,
    SESSION_SECRET: settings.sessionSecrets[0]!.toString('hex'),
    SCHEDULER: 'off',
    CHAIN_RPC_URL: anvil.url,
    CHAIN_NETWORK: chain.terms.network,
    CHAIN_TOKEN: chain.terms.token,
    CHAIN_RECIPIENT: chain.terms.recipient,
    CHAIN_CONFIRMATIONS: String(chain.terms.confirmations),
  })
  key = await shop.seller.key()
})
afterAll(async () => {
  await second.stop()
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => {
  shop.clock.offsetMs = 0
})

async function listed(): Promise<string> {
  const price = { amount: PRICE, currency: 'USD' }
  const made = await key.post('/api/voice/agents', {
    name: 'Scout',
    instructions: 'Be kind.',
    price,
    listed: true,
  })
  expect(made.status, made.text).toBe(201)
  return made.body.id as string
}

const purchase = (agent_id: string, headers: Record<string, string> = {}, url = shop.app.url) =>
  fetch(`${url}/api/v1/agent/purchase/${agent_id}`, { headers })

/** As a client of the scheme does it, with its own codecs. */
async function paid(agent_id: string) {
  const asked = await purchase(agent_id)
  expect(asked.status).toBe(402)
  const challenge = Challenge.fromResponse(asked)
  const body = (await asked.json()) as Record<'recipient' | 'amount' | 'network' | 'token', string>
  expect(Object.keys(body).toSorted()).toEqual(['amount', 'network', 'recipient', 'token'])
  expect(challenge.request).toMatchObject({ amount: String(PRICE_UNITS), recipient: body.recipient })
  const hash = await shop.pay()
  const message = claimText({ ...challenge, body }, { purpose: 'agent', subject_id: agent_id }, hash)
  const payload = { type: 'hash', hash, signature: await shop.ada.signMessage({ message }) }
  const source = `did:pkh:eip155:31337:${shop.ada.address}`
  const authorization = Credential.serialize(Credential.from({ challenge, payload, source }))
  return { hash, authorization }
}

test('an agent is bought on the chain, and 20 who show the proof at two processes get one and the same', async () => {
  const agent_id = await listed()
  const { hash, authorization } = await paid(agent_id)
  // On a busy machine some get no connection in time: they are told to try again.
  const claim = (url: string) =>
    eventually(async () => {
      const answer = await purchase(agent_id, { authorization }, url)
      expect(answer.status).not.toBe(503)
      return answer
    })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => claim(at % 2 ? second.url : shop.app.url)),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  const receipts = answers.map(answer => Receipt.fromResponse(answer))
  expect(new Set(receipts.map(({ externalId }) => externalId)).size).toBe(1)
  expect(receipts[0]).toMatchObject({ method: 'evm', status: 'success', reference: hash })
  const { body: sales } = await key.get('/api/agents/sales')
  const [sale, ...more] = sales.data.filter((sale: { agent_id: string }) => sale.agent_id === agent_id)
  expect(more).toEqual([])
  expect(sale).toMatchObject({ tx_hash: hash, amount: PRICE })
  const invoice = await key.get(`/api/crm/invoices/${sale.invoice_id}`)
  expect(invoice.body).toMatchObject({ status: 'PAID', amount: PRICE, currency: 'USD' })
})

test('what the chain takes back is unpaid again and rests, until the chain has it again', async () => {
  const agent_id = await listed()
  const { hash, authorization } = await paid(agent_id)
  const bought = await purchase(agent_id, { authorization })
  const { resource } = (await bought.json()) as { resource: string }
  const opened = () =>
    fetch(`${shop.app.url}${new URL(resource).pathname}`, {
      headers: { 'payment-receipt': bought.headers.get('payment-receipt')! },
    })
  expect((await opened()).status).toBe(200)
  const { body: sales } = await key.get('/api/agents/sales')
  const invoice = `/api/crm/invoices/${sales.data[0].invoice_id}`

  const { client, reorg, mine } = shop.anvil
  const raw = await client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never)
  await reorg(2)
  shop.clock.offsetMs = 61_000
  await watched()
  await eventually(async () => expect((await key.get(invoice)).body.status).toBe('OPEN'))
  expect((await opened()).status).toBe(402)
  expect((await purchase(agent_id, { authorization })).status).toBe(409)
  const home = await shop.seller.browser.get('/api/crm/home')
  expect(home.body.failures.payments).toBe(1)
  const told = await shop.seller.browser.get('/api/notifications')
  expect(told.text).toContain('was reverted')

  await client.sendRawTransaction({ serializedTransaction: raw as never })
  await mine(2)
  await watched()
  await eventually(async () => expect((await key.get(invoice)).body.status).toBe('PAID'))
  expect((await opened()).status).toBe(200)
  expect((await purchase(agent_id, { authorization })).status).toBe(200)
})

/** As the schedule does every minute. */
async function watched(): Promise<void> {
  const headers = { authorization: 'Bearer cron-secret-of-the-tests' }
  const response = await fetch(`${shop.app.url}/api/cron/settlements`, { method: 'POST', headers })
  expect(response.status).toBe(200)
}
