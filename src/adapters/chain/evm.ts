import type { Hex } from 'viem'
import { ChainUnavailable, type Chain, type ChainTerms, type Transfer } from '#platform/ports/chain.ts'
import { isQuantity, openNodes, Reverted, type Call } from './nodes.ts'
import { isSignedBy } from './signature.ts'

export type EvmOptions = ChainTerms & { rpcUrls: readonly string[]; callTimeoutMs?: number }

/** keccak256 of Transfer(address,address,uint256), and the beginning of that of decimals(). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const DECIMALS = '0x313ce567'

/** A date has no more. */
const SECONDS_MAX = 8_640_000_000_000n

/** A chain that speaks Ethereum's JSON-RPC. */
export function openEvm({ rpcUrls, callTimeoutMs, ...terms }: EvmOptions): Chain {
  const chainId = BigInt(terms.network.slice('eip155:'.length))
  const nodes = openNodes(rpcUrls, chainId, callTimeoutMs === undefined ? {} : { callTimeoutMs })
  const token = terms.token.slice(terms.token.lastIndexOf(':') + 1)
  let known: number | undefined
  async function decimals(): Promise<number> {
    known ??= await nodes.ask(call => readDecimals(call, token))
    return known
  }
  return {
    terms,
    decimals,
    transaction: hash => nodes.ask(call => readTransaction(call, hash)),
    depth: ({ number, hash }) => nodes.ask(call => readDepth(call, number, hash)),
    isSigned: (text, signature, payer) => isSignedBy(nodes, text, signature as Hex, payer as Hex),
    async check() {
      await checkAddresses([token, terms.recipient])
      const actual = await nodes.ask(call => readDecimals(call, token))
      if (actual !== terms.decimals)
        throw new Error(`the token has ${actual} decimals, CHAIN_DECIMALS says ${terms.decimals}`)
    },
    close: async () => {},
  }
}

type Log = { address: string; topics: string[]; data: string; removed?: boolean }
type Receipt = {
  transactionHash: string
  status: string
  blockNumber: string
  blockHash: string
  logs: Log[]
}
type Block = { hash: string; timestamp: string }

async function readTransaction(call: Call, hash: string) {
  const [receipt, head] = await Promise.all([
    call<Receipt | null>('eth_getTransactionReceipt', [hash]),
    readHead(call),
  ])
  if (receipt === null) return undefined
  if (!isReceipt(receipt) || receipt.transactionHash.toLowerCase() !== hash)
    throw new ChainUnavailable('a node returned an invalid receipt')
  const block = await readBlock(call, receipt.blockNumber)
  // Between the two questions the chain went back: nobody knows it, for now.
  if (!block) return undefined
  const number = BigInt(receipt.blockNumber)
  const stands = block.hash.toLowerCase() === receipt.blockHash.toLowerCase()
  return {
    hash,
    succeeded: BigInt(receipt.status) === 1n,
    block: {
      number,
      hash: receipt.blockHash.toLowerCase(),
      time: new Date(Number(BigInt(block.timestamp)) * 1_000).toISOString(),
    },
    depth: stands ? depthBelow(head, number) : 0,
    transfers: receipt.logs.flatMap(transferOf),
  }
}

async function readDepth(call: Call, number: bigint, hash: string): Promise<number> {
  const [block, head] = await Promise.all([readBlock(call, `0x${number.toString(16)}`), readHead(call)])
  // A node that is behind cannot say anything about this block.
  if (!block) throw new ChainUnavailable(`a node is at block ${head}, before ${number}`)
  return block.hash.toLowerCase() === hash.toLowerCase() ? depthBelow(head, number) : 0
}

async function readDecimals(call: Call, token: string): Promise<number> {
  try {
    const answer = await call<string>('eth_call', [{ to: token, data: DECIMALS }, 'latest'])
    if (/^0x0{62}[0-9a-f]{2}$/i.test(answer)) return Number(BigInt(answer))
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
  }
  throw new ChainUnavailable('there is no token at CHAIN_TOKEN')
}

/** The question for the head may have been answered before the block was made. */
function depthBelow(head: bigint, number: bigint): number {
  return Math.max(1, Number(head - number) + 1)
}

async function readHead(call: Call): Promise<bigint> {
  const head = await call<string>('eth_blockNumber', [])
  if (!isQuantity(head)) throw new ChainUnavailable('a node returned an invalid block number')
  return BigInt(head)
}

async function readBlock(call: Call, number: string): Promise<Block | undefined> {
  const block = await call<Block | null>('eth_getBlockByNumber', [number, false])
  if (block === null) return undefined
  if (isHash(block.hash) && isQuantity(block.timestamp) && BigInt(block.timestamp) < SECONDS_MAX) return block
  throw new ChainUnavailable('a node returned an invalid block')
}

function isReceipt({ transactionHash, status, blockNumber, blockHash, logs }: Receipt): boolean {
  return (
    isHash(transactionHash) &&
    isHash(blockHash) &&
    isQuantity(status) &&
    isQuantity(blockNumber) &&
    Array.isArray(logs) &&
    logs.every(log => typeof log?.address === 'string' && Array.isArray(log.topics))
  )
}

/** Those of an ERC-20: with a fourth topic it is a thing that was moved, and no amount. */
function transferOf({ address, topics, data, removed }: Log): Transfer[] {
  const [name, from, to, ...more] = topics
  if (removed || name?.toLowerCase() !== TRANSFER || !from || !to || more.length > 0) return []
  if (!isHash(from) || !isHash(to) || !isHash(data)) return []
  return [{ token: address.toLowerCase(), from: addressIn(from), to: addressIn(to), amount: BigInt(data) }]
}

function addressIn(topic: string): string {
  return `0x${topic.slice(-40).toLowerCase()}`
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}

/** Letters of both kinds are a checksum (EIP-55): one wrong digit would send money to nobody. */
async function checkAddresses(addresses: readonly string[]): Promise<void> {
  const { isAddress } = await import('viem/utils')
  const wrong = addresses.find(address => !isAddress(address))
  if (wrong !== undefined) throw new Error(`${wrong} has a typo: its checksum does not match`)
}
