import {
  createTestClient,
  http,
  parseAbi,
  publicActions,
  walletActions,
  type Hex,
  type HttpTransport,
  type LocalAccount,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { anvil as anvilChain } from 'viem/chains'
import { findProgram, launchNode } from '#adapters/chain/program.ts'
import { eventually } from './eventually.ts'
import contracts from './token/contracts.json' with { type: 'json' }

const RECEIPT_WAIT_MS = 20_000

export type Anvil = Awaited<ReturnType<typeof startAnvil>>

export const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function mint(address to, uint256 amount)',
  'function balanceOf(address who) view returns (uint256)',
  'function transferTwice(address first, uint256 amount, address second, uint256 rest)',
  'function transferAndTakeBack(address to, uint256 amount, uint256 back)',
])
export const walletAbi = parseAbi(['function execute(address target, bytes data)'])

/** A chain of its own, which mines a block for each transaction. */
export async function startAnvil({ chainId = 31_337 }: { chainId?: number } = {}) {
  const node = await launchNode(findProgram()!, ['--chain-id', String(chainId)])
  const client = createTestClient({
    chain: { ...anvilChain, id: chainId },
    mode: 'anvil',
    transport: http(node.url) as HttpTransport,
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)

  /** A wallet with a key of its own, and enough to pay for transactions. */
  async function account(): Promise<LocalAccount> {
    const made = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: made.address, value: 10n ** 20n })
    return made
  }

  /** Asked for until it is there: a block is counted a moment before what it holds can be read, and no other may follow it. */
  const receipt = (hash: Hex) => eventually(() => client.getTransactionReceipt({ hash }), RECEIPT_WAIT_MS)

  async function deploy(name: keyof typeof contracts, by: LocalAccount, args: unknown[] = []): Promise<Hex> {
    const { abi, bytecode } = contracts[name]
    const hash = await client.deployContract({ abi, bytecode: bytecode as Hex, args, account: by } as never)
    const { contractAddress } = await receipt(hash)
    return contractAddress!
  }

  /** Sends it and waits until it is in a block; the hash, whether it succeeded or not. */
  async function send(
    by: LocalAccount,
    to: Hex,
    functionName: string,
    args: unknown[],
    abi: unknown = tokenAbi,
  ) {
    const hash = await client.writeContract({
      address: to,
      abi,
      functionName,
      args,
      account: by,
      gas: 500_000n,
    } as never)
    await receipt(hash)
    return hash
  }
  /** The last blocks are gone, with all that was in them, and as many empty ones in their place. */
  const reorg = (depth: number) => client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
  const mine = (blocks = 1) => client.mine({ blocks })
  return { url: node.url, stop: node.close, chainId, client, account, deploy, send, receipt, mine, reorg }
}
