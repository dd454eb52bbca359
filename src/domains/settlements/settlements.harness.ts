import { randomBytes } from 'node:crypto'
import { Challenge, Credential } from 'mppx'
import type { Hex, LocalAccount } from 'viem'
import { expect } from 'vitest'
import { openEvm } from '#adapters/chain/evm.ts'
import { createLead } from '#domains/leads/service.ts'
import { newId } from '#platform/ids.ts'
import { systemContext, type Context } from '#platform/context.ts'
import type { Chain } from '#platform/ports/chain.ts'
import { startAnvil } from '#test/anvil.ts'
import { startApp, type AppOptions } from '#test/app.ts'
import { PaymentFault, type Challenge as OurChallenge, type Charge } from './charge.ts'
import { claimText, issueChallenge, settle } from './service.ts'

export const PRICE = '12.50'
export const PRICE_UNITS = 12_500_000n
export const RECIPIENT = '0x5E11E200000000000000000000000000000000ee'
export const CONFIRMATIONS = 2
/** Enough for a node that answers, on a machine with much else to do. */
const IMPATIENT_MS = 1_500

/** The real time, which a test may move: blocks have the time of the machine. */
export class MovedClock {
  offsetMs = 0
  now(): number {
    return Date.now() + this.offsetMs
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>

/** A team that sells, on a chain of its own with a stablecoin, and somebody with money. */
export async function openShop(options: AppOptions = {}) {
  const anvil = await startAnvil()
  const ada = await anvil.account()
  const token = await anvil.deploy('Stablecoin', ada)
  const clock = new MovedClock()
  const chain = chainOf(anvil.chainId, token, [anvil.url])
  const settings = { sessionSecrets: [randomBytes(32)] }
  const app = await startApp({ clock, ...options, config: settings, ports: { chain } })
  const seller = await app.person()
  await anvil.send(ada, token, 'mint', [ada.address, 10n ** 12n])

  function chargeFor(purpose: Charge['purpose'] = 'agent', amount = PRICE): Charge {
    return { purpose, subject_id: newId(clock.now()), team_id: seller.team_id, amount }
  }

  /** Pays the price and lets it lie as deep as it must. */
  async function pay(by: LocalAccount = ada, units = PRICE_UNITS, to: string = RECIPIENT): Promise<Hex> {
    const hash = await anvil.send(by, token, 'transfer', [to, units])
    await anvil.mine(CONFIRMATIONS - 1)
    return hash
  }

  /** Another wallet with money. */
  async function rich(): Promise<LocalAccount> {
    const made = await anvil.account()
    await anvil.send(ada, token, 'mint', [made.address, 10n ** 12n])
    return made
  }

  const issue = (charge: Charge, ctx: Context = seller.ctx) => issueChallenge(ctx, charge)
  return {
    anvil,
    app,
    chain,
    clock,
    seller,
    token,
    ada,
    settings,
    chargeFor,
    pay,
    rich,
    issue,
    claim: (charge: Charge, credential: string, ctx: Context = seller.ctx) =>
      settle(ctx, credential, charge, ctx => grant(ctx, charge)),
    /** How often it was granted. */
    async grants({ subject_id }: Charge): Promise<number> {
      const [row] = await app.database.query<{ count: number }>(
        `select count(*)::int as count from leads where company = '${subject_id}'`,
      )
      return row!.count
    },
    /** The same shop by other nodes. */
    seenBy(rpcUrls: string[], coin: string = token): Context {
      const ports = { ...app.ports, chain: chainOf(anvil.chainId, coin, rpcUrls, IMPATIENT_MS) }
      return systemContext({ ...app.runtime, ports }, seller.team_id)
    },
    async close() {
      await app.close()
      await anvil.stop()
    },
  }
}

export function chainOf(chainId: number, token: string, rpcUrls: string[], callTimeoutMs?: number): Chain {
  const network = `eip155:${chainId}`
  return openEvm({
    rpcUrls,
    network,
    token: `${network}/erc20:${token}`,
    recipient: RECIPIENT,
    decimals: 6,
    confirmations: CONFIRMATIONS,
    currency: 'USD',
    ...(callTimeoutMs !== undefined && { callTimeoutMs }),
  })
}

/** Something that stays in the database exactly as often as it was granted. */
async function grant(ctx: Context, { subject_id }: Charge): Promise<void> {
  await createLead(ctx, { company: subject_id })
}

type Other = { text?: string; signature?: Hex; source?: string; chainId?: number }

/** What an honest client sends, made by another's codec; `other` is where it is not honest. */
export async function credentialBy(
  payer: LocalAccount,
  charge: Charge,
  challenge: OurChallenge,
  hash: string,
  { text, signature, source = payer.address, chainId = 31_337 }: Other = {},
): Promise<string> {
  const message = text ?? claimText(challenge, charge, hash)
  return Credential.serialize(
    Credential.from({
      challenge: Challenge.deserialize(challenge.header),
      payload: { type: 'hash', hash, signature: signature ?? (await payer.signMessage({ message })) },
      source: `did:pkh:eip155:${chainId}:${source}`,
    }),
  )
}

export async function refusal(work: Promise<unknown>): Promise<PaymentFault> {
  const outcome = await work.then(
    value => value,
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(PaymentFault)
  return outcome as PaymentFault
}
