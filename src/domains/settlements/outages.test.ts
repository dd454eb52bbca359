import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '#platform/context.ts'
import { startAnvil, tokenAbi, walletAbi, type Anvil } from '#test/anvil.ts'
import type { Charge } from './charge.ts'
import { isChainConfigured } from './service.ts'
import { credentialBy, openShop, PRICE_UNITS, RECIPIENT, refusal, type Shop } from './settlements.harness.ts'

/** Nobody listens here. */
const DOWN = 'http://127.0.0.1:9'

let shop: Shop
let elsewhere: Anvil
let hanging: Server
let hangingUrl: string

beforeAll(async () => {
  shop = await openShop({ role: 'api' })
  elsewhere = await startAnvil({ chainId: 4_242 })
  // Takes every call and answers none.
  hanging = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  hangingUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
})
afterAll(async () => {
  hanging.close()
  await elsewhere.stop()
  await shop.close()
})

async function paid(): Promise<{ charge: Charge; credential: string }> {
  const charge = shop.chargeFor()
  const credential = await credentialBy(shop.ada, charge, shop.issue(charge), await shop.pay())
  return { charge, credential }
}

describe('a node that cannot tell', () => {
  test.for([
    ['is down', () => [DOWN], 'chain_unavailable'],
    ['hangs', () => [hangingUrl], 'chain_unavailable'],
    ['is on another chain', () => [elsewhere.url], 'wrong_rpc_chain'],
  ] as const)('that %s settles nothing and asks nobody to pay again', async ([, urls, code]) => {
    const { charge, credential } = await paid()
    const fault = await refusal(shop.claim(charge, credential, shop.seenBy([...urls()])))
    expect(fault).toMatchObject({ code, status: 503, retryAfterS: 30 })
    expect(await shop.grants(charge)).toBe(0)
    expect(await shop.claim(charge, credential)).toMatchObject({ isNew: true })
  })

  test('is passed over where another can: down, hanging and on another chain', async () => {
    for (const first of [DOWN, hangingUrl, elsewhere.url]) {
      const { charge, credential } = await paid()
      const ctx = shop.seenBy([first, shop.anvil.url])
      expect(await shop.claim(charge, credential, ctx)).toMatchObject({ isNew: true })
    }
  })

  test('is not needed for the answer that was given before', async () => {
    const { charge, credential } = await paid()
    const { settlement } = await shop.claim(charge, credential)
    expect(await shop.claim(charge, credential, shop.seenBy([DOWN]))).toEqual({ settlement, isNew: false })
  })

  test('says nothing of a smart wallet’s signature: neither yes nor no', async () => {
    const { anvil, ada, token } = shop
    const wallet = await anvil.deploy('Wallet', ada, [ada.address])
    await anvil.send(ada, token, 'mint', [wallet, PRICE_UNITS])
    const data = encodeFunctionData({
      abi: tokenAbi,
      functionName: 'transfer',
      args: [RECIPIENT, PRICE_UNITS],
    })
    const hash = await anvil.send(ada, wallet, 'execute', [token, data], walletAbi)
    await anvil.mine()
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const honest = await credentialBy(ada, charge, challenge, hash, { source: wallet })
    for (const [url, code] of [
      [DOWN, 'chain_unavailable'],
      [hangingUrl, 'chain_unavailable'],
      [elsewhere.url, 'wrong_rpc_chain'],
    ] as const)
      expect(await refusal(shop.claim(charge, honest, shop.seenBy([url])))).toMatchObject({
        code,
        status: 503,
      })
    expect(await shop.claim(charge, honest)).toMatchObject({ isNew: true })
  })

  test('or has another token there than was configured, settles nothing', async () => {
    const { charge, credential } = await paid()
    const chain = shop.seenBy([shop.anvil.url]).runtime.ports.chain!
    const ports = { ...shop.app.ports, chain: { ...chain, decimals: async () => 18 } }
    const ctx = systemContext({ ...shop.app.runtime, ports }, shop.seller.team_id)
    expect(await refusal(shop.claim(charge, credential, ctx))).toMatchObject({ status: 503 })
    expect(await shop.grants(charge)).toBe(0)
  })
})

test('a challenge needs no node, and without a chain there is none', async () => {
  const charge = shop.chargeFor()
  expect(shop.issue(charge, shop.seenBy([DOWN])).body.amount).toBe('12.50')
  const ports = { ...shop.app.ports, chain: undefined }
  const ctx = systemContext({ ...shop.app.runtime, ports }, shop.seller.team_id)
  expect([isChainConfigured(shop.seller.ctx), isChainConfigured(ctx)]).toEqual([true, false])
  expect(() => shop.issue(charge, ctx)).toThrow(
    expect.objectContaining({ code: 'chain_not_configured', status: 503 }),
  )
  const fault = await refusal(shop.claim(charge, 'anything', ctx))
  expect(fault.code).toBe('chain_not_configured')
})
