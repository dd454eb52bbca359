import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChainTerms } from '#platform/ports/chain.ts'
import token from './development-token.json' with { type: 'json' }
import { findProgram, launchNode } from './program.ts'

const CALL_TIMEOUT_MS = 5_000
const RECEIPT_POLL_MS = 20
const CHAIN_ID = 31_337
const STATE_INTERVAL_S = 60

/** The first accounts of every development chain; the whole world knows their keys, so that nothing on it is worth anything. */
const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const DEMO_WALLET = {
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  key: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
}
/** Address of the deployer's first contract on any chain. */
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
/** mint(address,uint256), and a million. */
const MINT = '0x40c10f19'
const MONEY_UNITS = 10n ** 12n

export type DevelopmentChain = {
  settings: ChainTerms & { rpcUrls: readonly string[] }
  close(): Promise<void>
}

/**
 * A chain of this machine alone, to try payments with: a stablecoin, a wallet that is paid, and one with money. Its state
 * lies in the folder. Undefined where the program that runs it is not installed.
 */
export async function startDevelopmentChain(folder: string): Promise<DevelopmentChain | undefined> {
  const program = findProgram()
  if (program === undefined) return undefined
  await mkdir(folder, { recursive: true })
  const state = ['--state', join(folder, 'state.json'), '--state-interval', String(STATE_INTERVAL_S)]
  const node = await launchNode(program, ['--chain-id', String(CHAIN_ID), ...state])
  try {
    await furnish(node.url)
  } catch (error) {
    await node.close()
    throw error
  }
  const network = `eip155:${CHAIN_ID}`
  return {
    settings: {
      rpcUrls: [node.url],
      network,
      token: `${network}/erc20:${TOKEN}`,
      recipient: RECIPIENT,
      decimals: 6,
      confirmations: 1,
      currency: 'USD',
    },
    close: node.close,
  }
}

/** The first time: the token, and money for the wallet of the demo. */
async function furnish(url: string): Promise<void> {
  if ((await call(url, 'eth_getCode', [TOKEN, 'latest'])) !== '0x') return
  await send(url, { from: DEPLOYER, data: token.bytecode })
  const words = [BigInt(DEMO_WALLET.address), MONEY_UNITS].map(word => word.toString(16).padStart(64, '0'))
  await send(url, { from: DEPLOYER, to: TOKEN, data: MINT + words.join('') })
}

/** Until it is in a block: what the next one needs must be there when its price is estimated. */
async function send(url: string, transaction: object): Promise<void> {
  const hash = await call(url, 'eth_sendTransaction', [transaction])
  const until = performance.now() + CALL_TIMEOUT_MS
  for (;;) {
    const receipt = (await call(url, 'eth_getTransactionReceipt', [hash])) as { status: string } | null
    if (receipt?.status === '0x1') return
    if (receipt || performance.now() > until)
      throw new Error('the development chain does not accept transactions')
    await pause(RECEIPT_POLL_MS)
  }
}

async function call(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
