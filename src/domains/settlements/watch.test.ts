import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inOrder } from '#test/in-order.ts'
import type { Settlement } from './charge.ts'
import { credentialBy, openShop, refusal, type Shop } from './settlements.harness.ts'
import { watchSettlements } from './watch.ts'

inOrder()

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
afterEach(() => {
  shop.clock.offsetMs = 0
})

const HOUR_MS = 3_600_000

async function sold() {
  const charge = shop.chargeFor()
  const credential = await credentialBy(shop.ada, charge, shop.issue(charge), await shop.pay())
  const { settlement } = await shop.claim(charge, credential)
  return { charge, credential, settlement }
}

const stateOf = async ({ id }: Settlement) =>
  (await shop.app.database.query<{ state: string }>(`select state from settlements where id = '${id}'`))[0]!
    .state
const eventsOf = async ({ id }: Settlement) =>
  (
    await shop.app.database.query<{ type: string }>(
      `select type from events where subject_id = '${id}' order by id`,
    )
  ).map(({ type }) => type)

/** As the schedule runs it, by its route. */
async function watch() {
  const key = { authorization: 'Bearer cron-secret-of-the-tests' }
  const response = await fetch(`${shop.app.url}/api/cron/settlements`, { method: 'POST', headers: key })
  expect(response.status).toBe(200)
  return ((await response.json()) as { processed: Record<string, number> }).processed
}

test('a payment is watched until it lies 64 blocks deep, and is final then', async () => {
  const { settlement } = await sold()
  expect(await watch()).toMatchObject({ final: 0 })
  await shop.anvil.mine(61)
  expect(await watch()).toMatchObject({ final: 0 })
  expect(await stateOf(settlement)).toBe('WATCHED')
  await shop.anvil.mine(1)
  expect(await watch()).toMatchObject({ final: 1 })
  expect(await stateOf(settlement)).toBe('FINAL')
  expect(await watch()).toMatchObject({ checked: 0 })
})

test('a payment that the chain takes back is told, once, to the books and to people', async () => {
  const { charge, credential, settlement } = await sold()
  await shop.anvil.reorg(2)
  expect(await watch()).toMatchObject({ reorged: 0 })
  expect(await stateOf(settlement)).toBe('WATCHED')
  shop.clock.offsetMs = 61_000
  expect(await watch()).toMatchObject({ reorged: 1 })
  expect(await watch()).toMatchObject({ reorged: 0 })
  expect(await stateOf(settlement)).toBe('REORGED')
  expect(await eventsOf(settlement)).toEqual(['settlement.reorged'])
  const told = await shop.seller.browser.get('/api/notifications')
  expect(told.body.data).toEqual([expect.objectContaining({ title: 'A payment of 12.50 was reverted' })])
  expect(await refusal(shop.claim(charge, credential))).toMatchObject({ code: 'reorged', status: 409 })
  expect(await shop.grants(charge)).toBe(1)
})

test('one that stands in another block afterwards is still the same payment', async () => {
  const { settlement } = await sold()
  const raw = await rawOf(settlement)
  await shop.anvil.reorg(2)
  await again(raw)
  shop.clock.offsetMs = HOUR_MS
  expect(await watch()).toMatchObject({ reorged: 0 })
  const [row] = await shop.app.database.query<{ block_hash: string; state: string }>(
    `select block_hash, state from settlements where id = '${settlement.id}'`,
  )
  expect(row!.state).toBe('WATCHED')
  expect(row!.block_hash).not.toBe(settlement.block_hash)
  expect(await eventsOf(settlement)).toEqual([])
})

test('one that comes back after it was given up counts again: by the watch, or by who claims it', async () => {
  for (const comeBack of ['watch', 'claim']) {
    shop.clock.offsetMs = 0
    const { charge, credential, settlement } = await sold()
    const raw = await rawOf(settlement)
    await shop.anvil.reorg(2)
    shop.clock.offsetMs = 61_000
    await watch()
    expect(await stateOf(settlement)).toBe('REORGED')
    await again(raw)
    if (comeBack === 'watch') expect(await watch()).toMatchObject({ restored: 1 })
    else {
      await shop.anvil.mine(2)
      expect(await shop.claim(charge, credential)).toMatchObject({ isNew: false })
    }
    expect(await stateOf(settlement)).toBe('WATCHED')
    expect(await eventsOf(settlement)).toEqual(['settlement.reorged', 'settlement.restored'])
    expect(await shop.grants(charge)).toBe(1)
  }
})

test('a node that is away takes nothing back', async () => {
  const { settlement } = await sold()
  for (let more = 0; more < 2; more++) await sold()
  shop.clock.offsetMs = HOUR_MS
  await expect(watchSettlements(shop.seenBy(['http://127.0.0.1:9']))).rejects.toThrow(/did not answer/)
  expect(await stateOf(settlement)).toBe('WATCHED')
})

test('the team lists what was paid to it, and nobody else does', async () => {
  const { settlement } = await sold()
  const reply = await (await shop.seller.key(['billing:read'])).get('/api/crm/settlements?limit=1')
  expect(reply.body.data).toEqual([
    expect.objectContaining({ id: settlement.id, amount: '12.50', tx_hash: settlement.tx_hash }),
  ])
  const other = await (await shop.app.person()).key(['billing:read'])
  expect((await other.get('/api/crm/settlements')).body.data).toEqual([])
})

async function rawOf({ tx_hash }: Settlement) {
  const method = 'eth_getRawTransactionByHash'
  return (await shop.anvil.client.request({ method, params: [tx_hash] } as never)) as `0x${string}`
}

/** The same transaction in a new block, as deep as a payment must lie. */
async function again(serializedTransaction: `0x${string}`) {
  const hash = await shop.anvil.client.sendRawTransaction({ serializedTransaction })
  await shop.anvil.receipt(hash)
  await shop.anvil.mine()
}
