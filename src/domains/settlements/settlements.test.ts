import { Receipt } from 'mppx'
import { encodeFunctionData, serializeErc6492Signature, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '#platform/context.ts'
import { tokenAbi, walletAbi } from '#test/anvil.ts'
import { startApp } from '#test/app.ts'
import { claimText, paymentReceipt, reserve, settle } from './service.ts'
import {
  chainOf,
  CONFIRMATIONS,
  credentialBy,
  openShop,
  PRICE_UNITS,
  RECIPIENT,
  refusal,
  type Shop,
} from './settlements.harness.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop({ role: 'api' })
})
afterAll(() => shop.close())
afterEach(() => {
  shop.clock.offsetMs = 0
})

const nobody = `0x${'ab'.repeat(32)}`
const stranger = '0x00000000000000000000000000000000000000ab'

async function codeOf(charge: ReturnType<Shop['chargeFor']>, credential: string): Promise<string> {
  const fault = await refusal(shop.claim(charge, credential))
  expect(await shop.grants(charge)).toBe(0)
  return `${fault.status} ${fault.code}`
}

describe('who pays and says so', () => {
  test('gets what was asked for, once, and the same answer again', async () => {
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const hash = await shop.pay()
    const credential = await credentialBy(shop.ada, charge, challenge, hash)
    const { settlement, isNew } = await shop.claim(charge, credential)
    expect(isNew).toBe(true)
    expect(settlement).toMatchObject({
      network: 'eip155:31337',
      tx_hash: hash,
      team_id: shop.seller.team_id,
      purpose: 'agent',
      subject_id: charge.subject_id,
      challenge_id: challenge.id,
      payer: shop.ada.address.toLowerCase(),
      recipient: RECIPIENT,
      asked: '12.50',
      amount: '12.50',
      state: 'WATCHED',
    })
    const again = await shop.claim(charge, credential)
    expect(again).toEqual({ settlement, isNew: false })
    expect(await shop.grants(charge)).toBe(1)
    const read = Receipt.deserialize(paymentReceipt(settlement, 'what was bought'))
    expect(read).toMatchObject({
      method: 'evm',
      reference: hash,
      status: 'success',
      externalId: 'what was bought',
    })
  })

  test('signs these nine lines', () => {
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const invoice = shop.chargeFor('invoice')
    expect(claimText(challenge, charge, nobody.toUpperCase().replace('0X', '0x')).split('\n')).toEqual([
      'I paid for this agent purchase and claim it.',
      `realm: ${new URL(shop.app.url).host}`,
      `agent: ${charge.subject_id}`,
      `challenge: ${challenge.id}`,
      'network: eip155:31337',
      `token: eip155:31337/erc20:${shop.token}`,
      `recipient: ${RECIPIENT}`,
      'amount: 12.50',
      `tx: ${nobody}`,
    ])
    const lines = claimText(shop.issue(invoice), invoice, nobody).split('\n')
    expect([lines[0], lines[2]]).toEqual([
      'I paid this invoice and claim it.',
      `invoice: ${invoice.subject_id}`,
    ])
  })

  test('may write the hash in capitals and pay more', async () => {
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const hash = await shop.pay(shop.ada, PRICE_UNITS + 1n)
    const loud = `0x${hash.slice(2).toUpperCase()}`
    const { settlement } = await shop.claim(charge, await credentialBy(shop.ada, charge, challenge, loud))
    expect(settlement).toMatchObject({ tx_hash: hash, asked: '12.50', amount: '12.500001' })
    const quiet = await credentialBy(shop.ada, charge, challenge, hash)
    expect(await shop.claim(charge, quiet)).toMatchObject({ isNew: false })
    expect(await shop.grants(charge)).toBe(1)
  })

  test('may come hours later, as long as the payment was in time', async () => {
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const credential = await credentialBy(shop.ada, charge, challenge, await shop.pay())
    shop.clock.offsetMs = 20 * 3_600_000
    expect(await shop.claim(charge, credential)).toMatchObject({ isNew: true })
  })

  test('keeps the price of the challenge, whatever it costs by now', async () => {
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const credential = await credentialBy(shop.ada, charge, challenge, await shop.pay())
    expect(await shop.claim({ ...charge, amount: '99.00' }, credential)).toMatchObject({ isNew: true })
  })

  test('is granted nothing when the grant fails, and may come again', async () => {
    const charge = shop.chargeFor()
    const credential = await credentialBy(shop.ada, charge, shop.issue(charge), await shop.pay())
    const failing = settle(shop.seller.ctx, credential, charge, () => Promise.reject(new Error('no room')))
    await expect(failing).rejects.toThrow('no room')
    expect(await shop.claim(charge, credential)).toMatchObject({ isNew: true })
    expect(await shop.grants(charge)).toBe(1)
  })
})

describe('a proof that does not hold', () => {
  test('malformed_proof, unknown_challenge: what is no credential, and what is none of ours', async () => {
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    for (const text of ['', 'x', nobody, Buffer.from('{}').toString('base64url')])
      expect(await codeOf(charge, text)).toBe('402 malformed_proof')
    const cheaper = shop.issue({ ...charge, amount: '0.01' })
    const mixed = { ...challenge, header: challenge.header.replace(challenge.id, cheaper.id) }
    expect(await codeOf(charge, await credentialBy(shop.ada, charge, mixed, nobody))).toBe(
      '402 unknown_challenge',
    )
  })

  test('wrong_agent: a payment for another agent, and for an invoice', async () => {
    const [charge, other] = [shop.chargeFor(), shop.chargeFor()]
    const credential = await credentialBy(shop.ada, charge, shop.issue(charge), await shop.pay())
    expect(await codeOf(other, credential)).toBe('402 wrong_agent')
    expect(await codeOf({ ...charge, purpose: 'invoice' }, credential)).toBe('402 wrong_agent')
  })

  test('wrong_network: a wallet of another chain', async () => {
    const charge = shop.chargeFor()
    const hash = await shop.pay()
    const credential = await credentialBy(shop.ada, charge, shop.issue(charge), hash, { chainId: 1 })
    expect(await codeOf(charge, credential)).toBe('402 wrong_network')
  })

  test('challenge_expired: a challenge of yesterday, and one that is over while nobody knows the transaction', async () => {
    const charge = shop.chargeFor()
    shop.clock.offsetMs = -25 * 3_600_000
    const old = shop.issue(charge)
    shop.clock.offsetMs = -26 * 60_000
    const over = shop.issue(charge)
    shop.clock.offsetMs = 0
    expect(await codeOf(charge, await credentialBy(shop.ada, charge, old, await shop.pay()))).toBe(
      '402 challenge_expired',
    )
    expect(await codeOf(charge, await credentialBy(shop.ada, charge, over, nobody))).toBe(
      '402 challenge_expired',
    )
  })

  test('paid_too_late: after the life of the challenge, and before it, with half a minute of grace', async () => {
    const charge = shop.chargeFor()
    const MINUTE_MS = 60_000
    const outcomes: string[] = []
    const hash = await shop.pay()
    for (const offsetMs of [-15.8 * MINUTE_MS, 0.8 * MINUTE_MS]) {
      shop.clock.offsetMs = offsetMs
      const challenge = shop.issue(charge)
      shop.clock.offsetMs = 0
      outcomes.push(await codeOf(charge, await credentialBy(shop.ada, charge, challenge, hash)))
    }
    expect(outcomes).toEqual(['402 paid_too_late', '402 paid_too_late'])
    for (const offsetMs of [-15.2 * MINUTE_MS, 0.2 * MINUTE_MS]) {
      const charge = shop.chargeFor()
      const hash = await shop.pay()
      shop.clock.offsetMs = offsetMs
      const challenge = shop.issue(charge)
      shop.clock.offsetMs = 0
      const credential = await credentialBy(shop.ada, charge, challenge, hash)
      expect(await shop.claim(charge, credential)).toMatchObject({ isNew: true })
    }
  })

  test('tx_reverted: a payment that failed', async () => {
    const charge = shop.chargeFor()
    const poor = await shop.anvil.account()
    const hash = await shop.pay(poor)
    expect(await codeOf(charge, await credentialBy(poor, charge, shop.issue(charge), hash))).toBe(
      '402 tx_reverted',
    )
  })

  test('no_transfer: coins of the chain itself', async () => {
    const charge = shop.chargeFor()
    const { client } = shop.anvil
    const hash = await client.sendTransaction({ account: shop.ada, to: RECIPIENT, value: 10n ** 18n })
    await shop.anvil.receipt(hash)
    await shop.anvil.mine(CONFIRMATIONS)
    expect(await codeOf(charge, await credentialBy(shop.ada, charge, shop.issue(charge), hash))).toBe(
      '402 no_transfer',
    )
  })

  test('wrong_token, wrong_recipient, wrong_payer, underpaid: another coin, another receiver, another payer, too little', async () => {
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const { anvil, ada } = shop
    const fake = await anvil.deploy('Stablecoin', ada)
    await anvil.send(ada, fake, 'mint', [ada.address, PRICE_UNITS])
    const eve = await shop.rich()
    const proofOf = (hash: string, by = ada) => credentialBy(by, charge, challenge, hash)
    const inFake = await anvil.send(ada, fake, 'transfer', [RECIPIENT, PRICE_UNITS])
    expect(await codeOf(charge, await proofOf(inFake))).toBe('402 wrong_token')
    expect(await codeOf(charge, await proofOf(await shop.pay(ada, PRICE_UNITS, stranger)))).toBe(
      '402 wrong_recipient',
    )
    expect(await codeOf(charge, await proofOf(await shop.pay(ada), eve))).toBe('402 wrong_payer')
    expect(await codeOf(charge, await proofOf(await shop.pay(ada, PRICE_UNITS - 1n)))).toBe('402 underpaid')
    expect(await codeOf(charge, await proofOf(await shop.pay(ada, 0n)))).toBe('402 underpaid')
  })

  test('bad_signature: no signature of the payer, or of something else', async () => {
    const [charge, other] = [shop.chargeFor(), shop.chargeFor()]
    const challenge = shop.issue(charge)
    const hash = await shop.pay()
    const eve = await shop.anvil.account()
    const stolen = await shop.ada.signMessage({ message: claimText(shop.issue(other), other, hash) })
    const proofs = [
      credentialBy(shop.ada, charge, challenge, hash, { text: hash }),
      credentialBy(shop.ada, charge, challenge, hash, { signature: stolen }),
      credentialBy(shop.ada, charge, challenge, hash, { signature: '0x00' }),
      credentialBy(eve, charge, challenge, hash, { source: shop.ada.address }),
    ]
    for (const proof of proofs) expect(await codeOf(charge, await proof)).toBe('402 bad_signature')
  })
})

describe('a thief', () => {
  test('with the hash of a payment gets nothing, before and after the payer has claimed it', async () => {
    const charge = shop.chargeFor()
    const hash = await shop.pay()
    const eve = await shop.rich()
    const mine = shop.chargeFor()
    const theft = await credentialBy(eve, mine, shop.issue(mine), hash)
    expect(await codeOf(mine, theft)).toBe('402 wrong_payer')
    await shop.claim(charge, await credentialBy(shop.ada, charge, shop.issue(charge), hash))
    expect(await codeOf(mine, theft)).toBe('402 proof_used')
  })

  test('with the payer’s signature gets nothing under another name or for anything else', async () => {
    const [charge, other] = [shop.chargeFor(), shop.chargeFor()]
    const challenge = shop.issue(charge)
    const hash = await shop.pay()
    const eve = await shop.anvil.account()
    const signature = await shop.ada.signMessage({ message: claimText(challenge, charge, hash) })
    const renamed = await credentialBy(eve, charge, challenge, hash, { signature })
    expect(await codeOf(charge, renamed)).toBe('402 bad_signature')
    const moved = await credentialBy(shop.ada, other, shop.issue(other), hash, { signature })
    expect(await codeOf(other, moved)).toBe('402 bad_signature')
  })

  test('who is the payer buys one thing with one payment: no second agent, no invoice', async () => {
    const charge = shop.chargeFor()
    const hash = await shop.pay()
    await shop.claim(charge, await credentialBy(shop.ada, charge, shop.issue(charge), hash))
    for (const purpose of ['agent', 'invoice'] as const) {
      const second = shop.chargeFor(purpose)
      const again = await credentialBy(shop.ada, second, shop.issue(second), hash)
      expect(await codeOf(second, again)).toBe('402 proof_used')
    }
    // Nor under the same id, should an agent and an invoice ever share one.
    const twin = { ...charge, purpose: 'invoice' as const }
    const relabelled = await credentialBy(shop.ada, twin, shop.issue(twin), hash)
    expect(await refusal(shop.claim(twin, relabelled))).toMatchObject({ code: 'proof_used' })
    expect(await shop.grants(charge)).toBe(1)
  })

  test('cannot claim coins that were made for the receiver, in nobody’s name', async () => {
    const charge = shop.chargeFor()
    const { anvil, ada, token } = shop
    const hash = await anvil.send(ada, token, 'mint', [RECIPIENT, PRICE_UNITS])
    await anvil.mine()
    const eve = await anvil.account()
    const source = `0x${'0'.repeat(40)}`
    const signature: Hex = `0x${'0'.repeat(128)}1b`
    const theft = await credentialBy(eve, charge, shop.issue(charge), hash, { source, signature })
    expect(await codeOf(charge, theft)).toBe('402 bad_signature')
  })

  test('who sends the money round in one transaction has paid nothing', async () => {
    const charge = shop.chargeFor()
    const { anvil, ada, token } = shop
    const round = await anvil.send(ada, token, 'transferAndTakeBack', [RECIPIENT, PRICE_UNITS, 1n])
    await anvil.mine()
    expect(await codeOf(charge, await credentialBy(ada, charge, shop.issue(charge), round))).toBe(
      '402 underpaid',
    )
  })
})

test('20 claims at once, over three pools, are one grant and one answer', async () => {
  const charge = shop.chargeFor()
  const credential = await credentialBy(shop.ada, charge, shop.issue(charge), await shop.pay())
  const { app, chain, settings, seller } = shop
  const others = await Promise.all(
    [1, 2].map(() =>
      startApp({
        role: 'api',
        database: app.database,
        config: settings,
        ports: { chain: chainOf(31_337, shop.token, [shop.anvil.url]) },
        clock: shop.clock,
      }),
    ),
  )
  try {
    const contexts = [app, ...others].map(({ runtime }) => systemContext(runtime, seller.team_id))
    expect(chain).toBe(app.runtime.ports.chain)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => shop.claim(charge, credential, contexts[at % contexts.length])),
    )
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(answers.map(({ settlement }) => settlement.id)).size).toBe(1)
    expect(await shop.grants(charge)).toBe(1)
  } finally {
    for (const other of others) await other.close()
  }
})

test('of 20 who claim one payment for different agents at once, one is served', async () => {
  const hash = await shop.pay()
  const charges = Array.from({ length: 20 }, () => shop.chargeFor())
  const outcomes = await Promise.allSettled(
    charges.map(async charge =>
      shop.claim(charge, await credentialBy(shop.ada, charge, shop.issue(charge), hash)),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'proof_used' })
  const granted = await Promise.all(charges.map(charge => shop.grants(charge)))
  expect(granted.reduce((sum, count) => sum + count)).toBe(1)
})

describe('tokens and wallets of other kinds', () => {
  test('a token that keeps a part counts by what arrived', async () => {
    const { anvil, ada } = shop
    const token = await anvil.deploy('FeeToken', ada)
    await anvil.send(ada, token, 'mint', [ada.address, 10n ** 12n])
    const ctx = shop.seenBy([anvil.url], token)
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge, ctx)
    const payment = async (units: bigint) => {
      const hash = await anvil.send(ada, token, 'transfer', [RECIPIENT, units])
      await anvil.mine()
      return credentialBy(ada, charge, challenge, hash)
    }
    const exact = await refusal(shop.claim(charge, await payment(PRICE_UNITS), ctx))
    expect(exact.code).toBe('underpaid')
    const { settlement } = await shop.claim(charge, await payment(12_700_000n), ctx)
    expect(settlement).toMatchObject({ asked: '12.50', amount: '12.573' })
  })

  test('one transfer must cover the price, two halves do not; an invoice takes their sum', async () => {
    const { anvil, ada, token } = shop
    const half = PRICE_UNITS / 2n
    const halves = () => anvil.send(ada, token, 'transferTwice', [RECIPIENT, half, RECIPIENT, half])
    const [agent, invoice, whole] = [shop.chargeFor(), shop.chargeFor('invoice'), shop.chargeFor()]
    const [first, second] = [await halves(), await halves()]
    const beside = await anvil.send(ada, token, 'transferTwice', [RECIPIENT, PRICE_UNITS, stranger, 5n])
    await anvil.mine()
    expect(await codeOf(agent, await credentialBy(ada, agent, shop.issue(agent), first))).toBe(
      '402 underpaid',
    )
    const paid = await shop.claim(invoice, await credentialBy(ada, invoice, shop.issue(invoice), second))
    expect(paid.settlement.amount).toBe('12.50')
    const covered = await shop.claim(whole, await credentialBy(ada, whole, shop.issue(whole), beside))
    expect(covered.settlement.amount).toBe('12.50')
  })

  test('an invoice takes a part of what is due, on any day after it was issued, and no older payment', async () => {
    const hash = await shop.pay(shop.ada, 5_000_000n)
    const charge = { ...shop.chargeFor('invoice'), since: new Date(Date.now() - 5_000).toISOString() }
    shop.clock.offsetMs = 3 * 86_400_000
    const later = shop.issue(charge)
    const since = new Date(Date.now() + 60_000).toISOString()
    const credential = await credentialBy(shop.ada, charge, later, hash)
    expect(await codeOf({ ...charge, since }, credential)).toBe('402 paid_too_late')
    expect((await shop.claim(charge, credential)).settlement.amount).toBe('5.00')
  })

  test('a wallet that is a contract is asked itself', async () => {
    const { anvil, ada, token } = shop
    const wallet = await anvil.deploy('Wallet', ada, [ada.address])
    await anvil.send(ada, token, 'mint', [wallet, 10n ** 12n])
    const payByWallet = async () => {
      const data = encodeFunctionData({
        abi: tokenAbi,
        functionName: 'transfer',
        args: [RECIPIENT, PRICE_UNITS],
      })
      const hash = await anvil.send(ada, wallet, 'execute', [token, data], walletAbi)
      await anvil.mine()
      return hash
    }
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const hash = await payByWallet()
    const eve = await anvil.account()
    const forged = await credentialBy(eve, charge, challenge, hash, { source: wallet })
    expect(await codeOf(charge, forged)).toBe('402 bad_signature')
    const honest = await credentialBy(ada, charge, challenge, hash, { source: wallet })
    const { settlement } = await shop.claim(charge, honest)
    expect(settlement.payer).toBe(wallet.toLowerCase())

    // A signature that would deploy its wallet first (ERC-6492) is taken as well.
    const second = shop.chargeFor()
    const asked = shop.issue(second)
    const payment = await payByWallet()
    const plain = await ada.signMessage({ message: claimText(asked, second, payment) })
    const wrapped = { address: wallet, data: '0x' as Hex, signature: plain }
    const signature = serializeErc6492Signature(wrapped)
    const proof = await credentialBy(ada, second, asked, payment, { source: wallet, signature })
    expect(await shop.claim(second, proof)).toMatchObject({ isNew: true })
  })
})

describe('while the chain is not sure', () => {
  test('tx_not_found, then awaiting_confirmations, then settled: 409 and when to come again', async () => {
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const unknown = await refusal(shop.claim(charge, await credentialBy(shop.ada, charge, challenge, nobody)))
    expect(unknown).toMatchObject({ code: 'tx_not_found', status: 409, retryAfterS: expect.any(Number) })
    const hash = await shop.anvil.send(shop.ada, shop.token, 'transfer', [RECIPIENT, PRICE_UNITS])
    const credential = await credentialBy(shop.ada, charge, challenge, hash)
    const early = await refusal(shop.claim(charge, credential))
    expect(early).toMatchObject({ code: 'awaiting_confirmations', status: 409 })
    expect(early.message).toBe('1 of 2 confirmations.')
    expect(await shop.grants(charge)).toBe(0)
    await shop.anvil.mine()
    expect(await shop.claim(charge, credential)).toMatchObject({ isNew: true })
  })

  test('a payment that the chain takes back before it is claimed is not there', async () => {
    const charge = shop.chargeFor()
    const hash = await shop.pay()
    await shop.anvil.reorg(CONFIRMATIONS)
    const credential = await credentialBy(shop.ada, charge, shop.issue(charge), hash)
    expect(await codeOf(charge, credential)).toBe('409 tx_not_found')
  })
})

describe('a transaction that a provider vouched for', () => {
  test('has paid its invoice, and buys nothing else', async () => {
    const hash = await shop.pay()
    const [invoice, agent] = [shop.chargeFor('invoice'), shop.chargeFor('agent')]
    const vouch = (subject_id: string) =>
      shop.seller.ctx.transaction(ctx =>
        reserve(ctx, subject_id, { network: null, tx_hash: hash, payer: null, amount: '12.50' }),
      )
    expect(await vouch(invoice.subject_id)).toBe(true)
    expect(await vouch(invoice.subject_id)).toBe(true)
    expect(await vouch(shop.chargeFor('invoice').subject_id)).toBe(false)
    const claim = await credentialBy(shop.ada, agent, shop.issue(agent), hash)
    expect(await codeOf(agent, claim)).toBe('402 proof_used')
    // Who paid it may say so as well: it is known, and booked once.
    const own = await credentialBy(shop.ada, invoice, shop.issue(invoice), hash)
    expect(await shop.claim(invoice, own)).toMatchObject({ isNew: false })
    expect(await shop.grants(invoice)).toBe(0)
  })

  test('is not taken for an invoice once it has bought something, and on another chain it is none of ours', async () => {
    const charge = shop.chargeFor()
    const challenge = shop.issue(charge)
    const hash = await shop.pay()
    await shop.claim(charge, await credentialBy(shop.ada, charge, challenge, hash))
    const vouch = (network: string | null) =>
      shop.seller.ctx.transaction(ctx =>
        reserve(ctx, shop.chargeFor('invoice').subject_id, {
          network,
          tx_hash: hash,
          payer: null,
          amount: '12.50',
        }),
      )
    expect(await vouch('eip155:31337')).toBe(false)
    expect(await vouch('eip155:1')).toBe(true)
  })
})
