import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { startApp } from '#test/app.ts'
import { tell } from '#test/provider.ts'
import { inOrder } from '#test/in-order.ts'
import { startShop, type Shop } from './invoices.harness.ts'
import { applyPayment } from './payments.ts'

inOrder()

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.close())
beforeEach(() => shop.clock.set('2026-03-02T09:00:00.000Z'))

const hash = () => `0x${newId()}`.padEnd(66, 'f')
const types = ['payment.confirmed', 'payment.succeeded']

/** What the provider's events came to. */
async function heard(...events: (readonly [data: object, type?: string])[]) {
  const outcomes = []
  for (const [data, type] of events) {
    const eventId = await shop.told(data, type)
    await shop.settle()
    const { status, effects } = await shop.inboxOf(eventId)
    outcomes.push([status, effects[0]?.note])
  }
  return outcomes
}

describe('what the provider tells', () => {
  test('a hundred times at once, by both names and shuffled, is one payment with one of each effect', async () => {
    const { database } = shop.app
    const second = await startApp({
      database,
      clock: shop.clock,
      role: 'worker',
      ports: { bank: shop.app.ports.bank },
    })
    const lead = await shop.lead()
    const deal = await shop.deal({ lead_id: lead.id })
    const before = (await shop.api.get('/api/credits')).body.purchased
    const { id, number } = await shop.open({ lead_id: lead.id, opportunity_id: deal.id, leadgen_credits: 40 })
    const txHash = hash()
    const data = {
      invoiceId: id,
      amount: '100.00',
      currency: 'EUR',
      network: 'eip155:8453',
      txHash,
      payer: '0x1',
    }
    const same = newId()
    const events = Array.from({ length: 100 }, (_, n) => ({
      // Half of them are copies, half are told anew.
      eventId: n % 2 ? same : newId(),
      type: types[n % 3 === 0 ? 1 : 0],
      data:
        n % 5 === 0 ? { ...data, invoiceId: number, txHash: txHash.toUpperCase().replace('0X', '0x') } : data,
    }))
    const shuffled = events.toSorted(() => Math.random() - 0.5)
    const replies = await Promise.all(
      shuffled.map(event => tell(shop.app.url, 'payment', event, { at: new Date(shop.clock.now()) })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await shop.settle()
    const invoice = await shop.read(id)
    expect(invoice).toMatchObject({
      status: 'PAID',
      paid: '100.00',
      bank_ref: expect.any(String),
      payments: [{ method: 'provider', amount: '100.00', tx_hash: txHash, payer: '0x1', issue: null }],
    })
    expect(invoice.payments).toHaveLength(1)
    const told = await shop.eventsOf(id)
    expect(told.filter(type => type === 'invoice.paid')).toHaveLength(1)
    expect(told.filter(type => type === 'invoice.payment')).toHaveLength(1)
    expect((await shop.api.get('/api/credits')).body.purchased).toBe(before + 40)
    expect(shop.app.ports.bank.told.filter(({ key }) => key === id)).toHaveLength(1)
    const moves = await shop.eventsOf(deal.id)
    expect(moves.filter(type => type === 'deal.stage_changed')).toHaveLength(1)
    expect((await shop.api.get(`/api/crm/opportunities/${deal.id}`)).body.stage).toBe('closed_won')
    // None of them failed and waits to be tried again.
    const states = await shop.app.database.query(`select distinct status from inbound_events`)
    expect(states).toEqual([{ status: 'processed' }])
    await second.close()
    // A week later somebody replays everything.
    shop.clock.advance(7 * 86_400_000)
    const window = { from: '2026-03-01T00:00:00Z', until: '2026-03-03T00:00:00Z' }
    expect((await shop.ada.browser.post('/api/webhooks/inbox/replay', window)).status).toBe(200)
    await shop.settle()
    expect(await shop.read(id)).toEqual(invoice)
  })

  test('without a transaction: the other name and the same amount is the same, the same name is another', async () => {
    const { id } = await shop.open({
      lines: [{ description: 'x', quantity: '1', unit_price: '90', tax_percent: '0' }],
    })
    const data = { invoiceId: id, amount: 30, currency: 'eur' }
    expect(
      await heard(
        [data, types[0]],
        [data, types[1]],
        [data, types[1]],
        [data, types[0]],
        [{ ...data, amount: 29.5 }, types[0]],
      ),
    ).toEqual([
      ['processed', null],
      ['processed', 'This payment is already recorded.'],
      ['processed', null],
      ['processed', 'This payment is already recorded.'],
      ['processed', null],
    ])
    expect(await shop.read(id)).toMatchObject({ status: 'PARTIALLY_PAID', paid: '89.50', due: '0.50' })
  })

  test('without a transaction by both names at the same moment is one payment', async () => {
    const invoices = await Promise.all(Array.from({ length: 15 }, () => shop.open()))
    const tellings = invoices.flatMap(({ id }) =>
      types.map(type => shop.told({ invoiceId: id, amount: '100' }, type)),
    )
    await Promise.all(tellings)
    await shop.settle()
    for (const { id } of invoices) {
      const { status, payments } = await shop.read(id)
      expect([status, payments.length]).toEqual(['PAID', 1])
    }
  })

  test('once with a transaction and once without is one payment, whichever comes first', async () => {
    for (const order of [types, types.toReversed()]) {
      const { id } = await shop.open()
      const txHash = hash()
      const [first, second] = order
      await heard([{ invoiceId: id, amount: '60', txHash }, first], [{ invoiceId: id, amount: '60' }, second])
      await heard(
        [{ invoiceId: id, amount: '40' }, first],
        [{ invoiceId: id, amount: '40', txHash: hash() }, second],
      )
      const { payments, status } = await shop.read(id)
      expect([status, payments.length]).toEqual(['PAID', 2])
      expect(payments.every(({ tx_hash }) => tx_hash)).toBe(true)
    }
  })

  test('and what is proven on the chain is one payment, whichever is first', async () => {
    const { id } = await shop.open()
    const tx_hash = hash()
    const proven = {
      method: 'chain' as const,
      reference: tx_hash,
      tx_hash,
      amount: '100',
      currency: 'EUR',
      received_at: shop.ada.ctx.now(),
    }
    // At first nothing was said of the transaction.
    await heard(
      [{ invoiceId: id, amount: '100' }, types[0]],
      [{ invoiceId: id, amount: '100', txHash: tx_hash }, types[1]],
    )
    expect((await applyPayment(shop.ada.ctx, id, proven)).payments).toHaveLength(1)
    const other = await shop.open()
    const again = { ...proven, reference: hash(), tx_hash: hash() }
    await applyPayment(shop.ada.ctx, other.id, again)
    await heard([
      { invoiceId: other.id, amount: '100', txHash: again.tx_hash.toUpperCase().replace('0X', '0x') },
    ])
    expect((await shop.read(other.id)).payments).toMatchObject([{ method: 'chain', issue: null }])
  })

  test('without an amount is what is due', async () => {
    const { id, number } = await shop.open()
    await shop.pay(id, '40')
    expect(
      await heard(
        [{ invoiceId: number }, types[0]],
        [{ invoiceId: id }, types[1]],
        [{ invoiceId: id }, types[1]],
      ),
    ).toEqual([
      ['processed', null],
      ['processed', 'This payment is already recorded.'],
      ['processed', 'Nothing was due.'],
    ])
    const { status, payments } = await shop.read(id)
    expect([status, payments.map(({ amount }) => amount)]).toEqual(['PAID', ['40.00', '60.00']])
  })

  test('in a stablecoin is in what the coin stands for', async () => {
    const { id } = await shop.open({ currency: 'USD' })
    await heard([{ invoiceId: id, amount: '100.000000', currency: 'USDC', txHash: hash() }])
    expect(await shop.read(id)).toMatchObject({
      status: 'PAID',
      payments: [{ currency: 'USD', issue: null }],
    })
  })

  test('in another currency, or for a void invoice, waits for a person', async () => {
    const [dollars, voided] = [await shop.open(), await shop.open()]
    await shop.api.post(shop.path(voided.id, '/void'))
    await heard(
      [{ invoiceId: dollars.id, amount: '100', currency: 'USD' }],
      [{ invoiceId: voided.id, amount: '100' }],
    )
    expect(await shop.read(dollars.id)).toMatchObject({
      status: 'OPEN',
      payments: [{ issue: 'wrong_currency' }],
    })
    expect(await shop.read(voided.id)).toMatchObject({ status: 'VOID', payments: [{ issue: 'void' }] })
  })

  test('of no invoice that we know, or in words that nobody understands, stays unmatched', async () => {
    const [{ id }, draft, trashed] = [await shop.open(), await shop.draft(), await shop.draft()]
    await shop.api.delete(shop.path(trashed.id))
    const none = 'No matching invoice.'
    const amount = 'The amount is not valid.'
    const currency = 'The currency is not valid.'
    const cases: [object, string][] = [
      [{}, none],
      [{ invoiceId: newId() }, none],
      [{ invoiceId: 'INV-9999' }, none],
      [{ invoiceId: { id } }, none],
      [{ invoiceId: trashed.id }, none],
      [{ invoiceId: draft.id }, 'The invoice is still a draft.'],
      ...[-1, 0, '0', '1e3', '1,5', 'NaN', 1e21, {}, '1'.repeat(16)].map(
        wrong => [{ invoiceId: id, amount: wrong }, amount] as [object, string],
      ),
      ...['EURO', '', 7, {}].map(
        wrong => [{ invoiceId: id, amount: '1', currency: wrong }, currency] as [object, string],
      ),
    ]
    const outcomes = await heard(...cases.map(([data]) => [data] as const))
    expect(outcomes).toEqual(cases.map(([, note]) => ['unmatched', note]))
    expect(await shop.read(id)).toMatchObject({ status: 'OPEN', payments: [] })
  })

  test('finds the team of the invoice, by its id, its reference and a number that only one team has', async () => {
    const eve = await shop.app.person()
    const hers = async (number_prefix: string) => {
      await eve.browser.patch('/api/crm/invoices/settings', { number_prefix })
      const { id } = (
        await eve.browser.post('/api/crm/invoices', {
          lines: [{ description: 'x', quantity: '1', unit_price: '5', tax_percent: '0' }],
        })
      ).body
      return (await eve.browser.post(`/api/crm/invoices/${id}/open`)).body
    }
    const statusOf = async (id: string) => (await eve.browser.get(`/api/crm/invoices/${id}`)).body.status
    const [byId, byNumber, ambiguous] = [await hers('INV-'), await hers('EVE-'), await hers('INV-')]
    await shop.told({ invoiceId: byId.id })
    await shop.told({ invoiceId: byNumber.number })
    await shop.settle()
    expect([await statusOf(byId.id), await statusOf(byNumber.id)]).toEqual(['PAID', 'PAID'])
    // What is quoted is unique, however it is spelt; with a typing mistake it is nobody's.
    const quoted = await hers('INV-')
    const spelt = `${quoted.payment_reference.toLowerCase().slice(0, 6)} ${quoted.payment_reference.slice(6)}`
    const mistyped = quoted.payment_reference.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))
    await shop.told({ invoiceId: mistyped })
    await shop.settle()
    expect(await statusOf(quoted.id)).toBe('OPEN')
    await shop.told({ invoiceId: spelt })
    await shop.settle()
    expect(await statusOf(quoted.id)).toBe('PAID')
    // The first team has this number as well: nobody guesses.
    const { id } = (await shop.api.get(`/api/crm/invoices?q=${ambiguous.number}`)).body.data[0]
    const before = await shop.read(id)
    await shop.told({ invoiceId: ambiguous.number })
    await shop.settle()
    expect(await statusOf(ambiguous.id)).toBe('OPEN')
    expect(await shop.read(id)).toEqual(before)
    const event = { eventId: newId(), type: types[0], data: { invoiceId: ambiguous.number } }
    await tell(shop.app.url, 'payment', event, {
      at: new Date(shop.clock.now()),
      query: `?team=${eve.team_id}`,
    })
    await shop.settle()
    expect(await statusOf(ambiguous.id)).toBe('PAID')
  })
})
