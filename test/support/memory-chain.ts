import { createHash, randomBytes } from 'node:crypto'
import type { Chain, ChainTransaction, Transfer } from '#platform/ports/chain.ts'

const TOKEN = '0x00000000000000000000000000000000000057ab'
const RECIPIENT = '0x00000000000000000000000000000000000000ee'

type Payment = {
  from: string
  amount: bigint
  to?: string
  token?: string
  at?: string
  succeeded?: boolean
  depth?: number
}

export type MemoryChain = Chain & {
  /** A payment that lies deep enough unless told: answers its hash. */
  pay(payment: Payment): string
  /** What a block holds, to be changed by a test. */
  transactions: Map<string, ChainTransaction>
  /** Thrown by the next questions, one each. */
  faults: Error[]
  /** How often anything was asked. */
  asked: number
  /** As the payer's wallet would. */
  sign(text: string, payer: string): string
}

/** A chain in memory: what a test pays is in a block at once. The real one is asked by the tests of the verifier. */
export function memoryChain(): MemoryChain {
  const transactions = new Map<string, ChainTransaction>()
  const faults: Error[] = []
  const ask = () => {
    chain.asked++
    const fault = faults.shift()
    if (fault) throw fault
  }
  const chain: MemoryChain = {
    terms: {
      network: 'eip155:31337',
      token: `eip155:31337/erc20:${TOKEN}`,
      recipient: RECIPIENT,
      decimals: 6,
      confirmations: 1,
      currency: 'USD',
    },
    transactions,
    faults,
    asked: 0,
    sign,
    pay({ from, amount, to = RECIPIENT, token = TOKEN, at, succeeded = true, depth = 12 }) {
      const hash = `0x${randomBytes(32).toString('hex')}`
      const transfer: Transfer = { token, from: from.toLowerCase(), to, amount }
      const number = BigInt(transactions.size + 1)
      const time = at ?? new Date().toISOString()
      const block = { number, hash: `0x${randomBytes(32).toString('hex')}`, time }
      transactions.set(hash, { hash, succeeded, block, depth, transfers: [transfer] })
      return hash
    },
    decimals: async () => 6,
    async transaction(hash) {
      ask()
      return transactions.get(hash)
    },
    async depth({ hash }) {
      ask()
      return [...transactions.values()].find(({ block }) => block.hash === hash)?.depth ?? 0
    },
    isSigned: async (text, signature, payer) => signature === sign(text, payer),
    check: async () => ask(),
    close: async () => {},
  }
  return chain
}

function sign(text: string, payer: string): string {
  return `0x${createHash('sha256').update(`${payer.toLowerCase()}\n${text}`).digest('hex')}`
}
