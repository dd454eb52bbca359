import { Challenge, Credential } from 'mppx'
import type { Hex } from 'viem'
import { findProgram } from '#adapters/chain/program.ts'
import { claimText } from '#domains/settlements/service.ts'
import { startAnvil } from '#test/anvil.ts'
import { openWire, type Wire } from './wire.ts'

export const PRICE = '12.50'
const PRICE_UNITS = 12_500_000n
const DECIMALS = 6
const CONFIRMATIONS = 2
const RECIPIENT = '0x5E11E200000000000000000000000000000000ee'
const MONEY_UNITS = 10n ** 15n
/** A challenge of a server whose clock is off is not paid: its own expiry would be over, or far away. */
const EXPIRES_WITHIN_MS = 16 * 60_000
const EXPIRES_AFTER_MS = 10 * 60_000

type Offer = Parameters<typeof claimText>[0]

/** A chain with a stablecoin behind a wire, and a buyer with a wallet. */
export type Shop = {
  wire: Wire
  /** What the product has to know of the chain. */
  env: Record<string, string>
  /** Pays what a 402 asks for, on the chain itself. Undefined where the challenge is not to be trusted. */
  pay(offer: Response, agent_id: string): Promise<Payment | undefined>
  close(): Promise<void>
}

export type Payment = { hash: string; authorization: string }

/** A reason where this machine has no chain. */
export async function openShop(): Promise<Shop | string> {
  if (!findProgram()) return 'Anvil is not installed'
  const anvil = await startAnvil()
  const buyer = await anvil.account()
  const token = await anvil.deploy('Stablecoin', buyer)
  await anvil.send(buyer, token, 'mint', [buyer.address, MONEY_UNITS])
  const { hostname: host, port } = new URL(anvil.url)
  const wire = await openWire(() => ({ host, port: Number(port) }))
  const network = `eip155:${anvil.chainId}`
  // Transactions of one wallet have an order.
  let last: Promise<unknown> = Promise.resolve()

  async function transfer(): Promise<Hex> {
    const hash = await anvil.send(buyer, token, 'transfer', [RECIPIENT, PRICE_UNITS])
    await anvil.mine(CONFIRMATIONS)
    return hash
  }

  return {
    wire,
    env: {
      CHAIN_RPC_URL: `http://127.0.0.1:${wire.port}`,
      CHAIN_NETWORK: network,
      CHAIN_TOKEN: `${network}/erc20:${token}`,
      CHAIN_RECIPIENT: RECIPIENT,
      CHAIN_DECIMALS: String(DECIMALS),
      CHAIN_CONFIRMATIONS: String(CONFIRMATIONS),
      CHAIN_CURRENCY: 'USD',
    },
    async pay(offer, agent_id) {
      const challenge = Challenge.fromResponse(offer)
      const leftMs = Date.parse(challenge.expires ?? '') - Date.now()
      if (!(leftMs > EXPIRES_AFTER_MS && leftMs < EXPIRES_WITHIN_MS)) return undefined
      const body = (await offer.json()) as Offer['body']
      const paying = last.then(transfer)
      last = paying.catch(() => {})
      const hash = await paying
      const message = claimText({ ...challenge, body }, { purpose: 'agent', subject_id: agent_id }, hash)
      const payload = { type: 'hash', hash, signature: await buyer.signMessage({ message }) }
      const source = `did:pkh:${network}:${buyer.address}`
      return { hash, authorization: Credential.serialize(Credential.from({ challenge, payload, source })) }
    },
    async close() {
      await wire.close()
      await anvil.stop()
    },
  }
}
