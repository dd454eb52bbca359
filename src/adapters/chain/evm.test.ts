import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LocalAccount } from 'viem'
import { ChainUnavailable, WrongChain } from '#platform/ports/chain.ts'
import { startAnvil, type Anvil } from '#test/anvil.ts'
import { startHttp, type Answered } from '#test/http-server.ts'
import { openEvm } from './evm.ts'

let anvil: Anvil
let ada: LocalAccount
let token: string

beforeAll(async () => {
  anvil = await startAnvil()
  ada = await anvil.account()
  token = await anvil.deploy('Stablecoin', ada)
})
afterAll(() => anvil.stop())

const HASH = `0x${'ab'.repeat(32)}`
const RECIPIENT = '0x5E11E200000000000000000000000000000000ee'

function opened(rpcUrls: string[], more: Partial<Parameters<typeof openEvm>[0]> = {}) {
  return openEvm({
    rpcUrls,
    network: 'eip155:31337',
    token: `eip155:31337/erc20:${token}`,
    recipient: RECIPIENT,
    decimals: 6,
    confirmations: 1,
    currency: 'USD',
    callTimeoutMs: 1_500,
    ...more,
  })
}

/** A node that is right about its chain, and answers the rest as told. */
async function nodeThat(answer: (method: string) => Answered) {
  return startHttp(({ body }) => {
    const { method } = JSON.parse(body) as { method: string }
    return method === 'eth_chainId' ? { body: { jsonrpc: '2.0', id: 1, result: '0x7a69' } } : answer(method)
  })
}

test('a transaction is told as it stands on the chain', async () => {
  const { client } = anvil
  await anvil.send(ada, token as `0x${string}`, 'mint', [ada.address, 1_000n])
  const hash = await anvil.send(ada, token as `0x${string}`, 'transfer', [RECIPIENT, 7n])
  const chain = opened([anvil.url])
  const receipt = await client.getTransactionReceipt({ hash })
  const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash })
  const block = {
    number: receipt.blockNumber,
    hash: receipt.blockHash,
    time: new Date(Number(timestamp) * 1_000).toISOString(),
  }
  const told = {
    hash,
    succeeded: true,
    block,
    depth: 1,
    transfers: [
      {
        token: token.toLowerCase(),
        from: ada.address.toLowerCase(),
        to: RECIPIENT.toLowerCase(),
        amount: 7n,
      },
    ],
  }
  expect(await chain.transaction(hash)).toEqual(told)
  await anvil.mine(3)
  expect(await chain.transaction(hash)).toEqual({ ...told, depth: 4 })
  expect(await chain.depth(block)).toBe(4)
  expect(await chain.depth({ ...block, hash: HASH })).toBe(0)
  // A node that lags behind knows nothing of it.
  await expect(chain.depth({ ...block, number: 10_000n })).rejects.toThrow(ChainUnavailable)
  expect(await chain.transaction(HASH)).toBeUndefined()
  expect(await chain.decimals()).toBe(6)
})

test('a signature of an own key needs no node', async () => {
  const chain = opened(['http://127.0.0.1:9'])
  const signature = await ada.signMessage({ message: 'a text\nof two lines' })
  expect(await chain.isSigned('a text\nof two lines', signature, ada.address.toLowerCase())).toBe(true)
  // Whether the wallet is a contract that would say yes, nobody can tell without one.
  await expect(chain.isSigned('another text', signature, ada.address.toLowerCase())).rejects.toThrow(
    ChainUnavailable,
  )
  expect(await opened([anvil.url]).isSigned('another text', signature, ada.address.toLowerCase())).toBe(false)
})

test('nobody signs for the address that new coins come from', async () => {
  const nobody = `0x${'0'.repeat(40)}`
  const invalid = `0x${'0'.repeat(128)}1b`
  expect(await opened([anvil.url]).isSigned('a text', invalid, nobody)).toBe(false)
})

describe('a node', () => {
  test.for<[string, (method: string) => Answered]>([
    ['that answers 500', () => ({ status: 500, body: 'no' })],
    ['that has had enough of us', () => ({ status: 429, body: {} })],
    ['that answers a page', () => ({ body: '<html></html>' })],
    ['that answers nothing', () => ({ body: { jsonrpc: '2.0', id: 1 } })],
    ['that refuses', () => ({ body: { error: { code: -32_005, message: 'limit exceeded' } } })],
    ['that never answers', () => undefined],
    [
      'that answers nonsense',
      method => ({ body: { result: method === 'eth_blockNumber' ? 'soon' : { logs: 'many' } } }),
    ],
    [
      'that answers with half a log',
      method => ({
        body: {
          result:
            method === 'eth_blockNumber'
              ? '0x5'
              : {
                  transactionHash: HASH,
                  status: '0x1',
                  blockNumber: '0x1',
                  blockHash: HASH,
                  logs: [{ address: RECIPIENT }],
                },
        },
      }),
    ],
    [
      'that tells of another transaction',
      method => ({
        body: {
          result:
            method === 'eth_blockNumber'
              ? '0x5'
              : {
                  transactionHash: `0x${'cd'.repeat(32)}`,
                  status: '0x1',
                  blockNumber: '0x1',
                  blockHash: HASH,
                  logs: [],
                },
        },
      }),
    ],
  ])('%s is one that cannot tell, and the next is asked', async ([, answer]) => {
    const node = await nodeThat(answer)
    try {
      await expect(opened([node.url]).transaction(HASH)).rejects.toThrow(ChainUnavailable)
      expect(await opened([node.url, anvil.url]).transaction(HASH)).toBeUndefined()
      const signature = await ada.signMessage({ message: 'a text' })
      await expect(opened([node.url]).isSigned('a text', signature, RECIPIENT)).rejects.toThrow(
        ChainUnavailable,
      )
    } finally {
      await node.close()
    }
  })

  test('whose contract refuses says no, in whichever words', async () => {
    for (const error of [
      { code: 3, message: 'execution failed' },
      { code: -32_000, message: 'execution reverted: not the owner' },
      { code: -32_015, message: 'VM execution error.' },
    ]) {
      const node = await nodeThat(() => ({ body: { error } }))
      expect(await opened([node.url]).isSigned('a text', '0x00', RECIPIENT.toLowerCase())).toBe(false)
      await node.close()
    }
  })

  test('on another chain is told apart, and what it says is worth nothing: not even a no', async () => {
    const elsewhere = await startHttp(({ body }) =>
      body.includes('eth_chainId')
        ? { body: { result: '0x1' } }
        : { body: { error: { code: 3, message: 'reverted' } } },
    )
    const chain = opened([elsewhere.url])
    await expect(chain.isSigned('a text', '0x00', RECIPIENT.toLowerCase())).rejects.toThrow(WrongChain)
    await expect(chain.transaction(HASH)).rejects.toThrow(/is on chain 1, not 31337/)
    await elsewhere.close()
  })

  test('that fails is left alone while another answers', async () => {
    const broken = await nodeThat(() => ({ status: 500, body: 'no' }))
    const chain = opened([broken.url, anvil.url])
    await chain.transaction(HASH)
    const before = broken.heard.length
    await chain.transaction(HASH)
    expect(broken.heard.length).toBe(before)
    await broken.close()
  })

  test('that leads elsewhere is not followed, and its key is told to nobody', async () => {
    const node = await startHttp((_, response) => {
      response.writeHead(307, { location: anvil.url }).end()
      return undefined
    })
    const failure = await opened([`${node.url}/v2/canary`])
      .transaction(HASH)
      .catch((error: Error) => error)
    expect(failure).toBeInstanceOf(ChainUnavailable)
    expect((failure as Error).message).toContain(new URL(node.url).host)
    expect((failure as Error).message).not.toContain('canary')
    await node.close()
  })
})

describe('the check', () => {
  test('is content with what is right', async () => {
    await opened([anvil.url]).check()
  })

  test('finds a wrong digit, a missing token, other decimals and a node that is away', async () => {
    const wrong = '0x5e11E200000000000000000000000000000000ee'
    await expect(opened([anvil.url], { recipient: wrong }).check()).rejects.toThrow(/has a typo/)
    await expect(opened([anvil.url], { recipient: wrong.toLowerCase() }).check()).resolves.toBeUndefined()
    await expect(opened([anvil.url], { token: `eip155:31337/erc20:${RECIPIENT}` }).check()).rejects.toThrow(
      /no token at CHAIN_TOKEN/,
    )
    await expect(opened([anvil.url], { decimals: 18 }).check()).rejects.toThrow(/has 6 decimals/)
    await expect(opened(['http://127.0.0.1:9']).check()).rejects.toThrow(/127\.0\.0\.1:9 did not answer/)
  })
})
