import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { record } from '#platform/events.ts'
import { newId } from '#platform/ids.ts'
import { settlementReorged, settlementRestored } from '#domains/settlements/contract.ts'
import type { Invoice } from './contract.ts'
import { applyPayment, recordPayment, type Incoming } from './payments.ts'
import { startShop, line, type Shop } from './invoices.harness.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.close())
beforeEach(() => shop.clock.set('2026-03-02T09:00:00.000Z'))

const money = (amount: string, more: Partial<Incoming> = {}): Incoming => ({
  method: 'chain',
  reference: newId(),
  amount,
  currency: 'EUR',
  received_at: shop.ada.ctx.now(),
  ...more,
})

/** An invoice of 100.00 EUR for which this money came. */
async function withPayment(
  amount: string,
  more: Partial<Incoming> = {},
  fields: object = {},
): Promise<Invoice> {
  const { id } = await shop.open(fields)
  return applyPayment(shop.ada.ctx, id, money(amount, more))
}

async function resolved(invoice: Invoice, resolution: string): Promise<Invoice> {
  const reply = await shop.resolve(invoice.id, invoice.payments[0]!, resolution, 'As agreed')
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

describe('money that comes', () => {
  test('in full pays the invoice, and everything that belongs to it happens once', async () => {
    const lead = await shop.lead()
    const deal = await shop.deal({ lead_id: lead.id })
    const before = (await shop.api.get('/api/credits')).body.purchased
    const { id } = await shop.open({ lead_id: lead.id, opportunity_id: deal.id, leadgen_credits: 25 })
    const payment = money('100', { tx_hash: `0x${'a'.repeat(64)}`, network: 'eip155:8453', payer: '0xabc' })
    const paid = await applyPayment(shop.ada.ctx, id, payment)
    expect(paid).toMatchObject({
      status: 'PAID',
      paid: '100.00',
      due: '0.00',
      paid_at: '2026-03-02T09:00:00.000Z',
      payments: [
        { method: 'chain', amount: '100.00', applied: '100.00', issue: null, tx_hash: payment.tx_hash },
      ],
    })
    const once = await applyPayment(shop.ada.ctx, id, payment)
    expect(once.payments).toHaveLength(1)
    await shop.settle()
    expect(await shop.read(id)).toMatchObject({ bank_ref: expect.stringMatching(/^BANK-/) })
    expect((await shop.api.get('/api/credits')).body.purchased).toBe(before + 25)
    expect((await shop.api.get(`/api/crm/opportunities/${deal.id}`)).body.stage).toBe('closed_won')
    const told = await shop.eventsOf(id)
    expect(told.filter(type => type === 'invoice.paid')).toHaveLength(1)
    expect(told.filter(type => type === 'invoice.payment')).toHaveLength(1)
    // On the lead's timeline stands what happened.
    const { data } = (await shop.api.get(`/api/crm/leads/${lead.id}/timeline`)).body
    const types = data.map(({ type }: { type: string }) => type)
    for (const type of [
      'invoice.created',
      'invoice.opened',
      'invoice.payment',
      'invoice.paid',
      'deal.stage_changed',
    ])
      expect(types).toContain(type)
  })

  test('leaves a deal alone that is closed already, or in the trash', async () => {
    const [lost, gone] = [await shop.deal({ stage: 'closed_lost' }), await shop.deal()]
    const ids = []
    for (const deal of [lost, gone]) ids.push((await shop.open({ opportunity_id: deal.id })).id)
    await shop.api.delete(`/api/crm/opportunities/${gone.id}`)
    for (const id of ids) expect((await applyPayment(shop.ada.ctx, id, money('100'))).status).toBe('PAID')
    expect((await shop.api.get(`/api/crm/opportunities/${lost.id}`)).body.stage).toBe('closed_lost')
  })

  test('ends the sequences of the lead well', async () => {
    const lead = await shop.lead({ email: 'in@sequence.example' })
    const sequence = await shop.made(
      shop.api.post('/api/outreach/sequences', {
        name: 'Spring',
        status: 'ACTIVE',
        steps: [{ type: 'task', delay_days: 9, description: 'Call' }],
      }),
    )
    await shop.made(
      shop.api.post(`/api/outreach/sequences/${sequence.id}/enrolments`, { lead_ids: [lead.id] }),
    )
    await withPayment('100', {}, { lead_id: lead.id })
    const { data } = (await shop.api.get(`/api/outreach/enrolments?lead_id=${lead.id}`)).body
    expect(data).toMatchObject([{ status: 'CONVERTED' }])
  })

  test('in parts is counted, and what was too little is enough once the rest has come', async () => {
    const partly = await withPayment('60.005')
    expect(partly).toMatchObject({
      status: 'PARTIALLY_PAID',
      paid: '60.005',
      due: '39.995',
      paid_at: null,
      payments: [{ issue: 'underpaid', applied: '60.005' }],
    })
    const paid = await applyPayment(shop.ada.ctx, partly.id, money('39.995'))
    expect(paid).toMatchObject({ status: 'PAID', paid: '100.00', due: '0.00' })
    expect(paid.payments.map(({ issue }) => issue)).toEqual([null, null])
  })

  test('finer than a hundredth of a cent is cut down, never up', async () => {
    const almost = await withPayment('99.999999')
    expect(almost).toMatchObject({ status: 'PARTIALLY_PAID', paid: '99.9999', due: '0.0001' })
  })

  test('from a person is for an open invoice, and more than nothing', async () => {
    const { id } = await shop.open()
    expect((await shop.pay(id, '0')).body).toMatchObject({ status: 422, errors: [{ path: 'amount' }] })
    expect((await shop.pay(id, '0.0001')).status).toBe(201)
    expect((await shop.pay((await shop.draft()).id, '1')).body).toMatchObject({
      status: 409,
      code: 'not_open',
    })
    expect((await shop.pay(newId(), '1')).status).toBe(404)
    const paid = await shop.pay(id, '99.9999', { received_at: '2026-03-01T10:00:00+01:00', note: 'Cash' })
    expect(paid.body).toMatchObject({ status: 'PAID' })
    expect(paid.body.payments).toMatchObject([
      { received_at: '2026-03-01T09:00:00.000Z', note: 'Cash', method: 'manual', currency: 'EUR' },
      { amount: '0.0001' },
    ])
  })
})

describe('too little', () => {
  test('accepted: the rest is written off, and it is paid', async () => {
    expect(await resolved(await withPayment('60', {}, { leadgen_credits: 1 }), 'accepted')).toMatchObject({
      status: 'PAID',
      paid: '60.00',
      written_off: '40.00',
      due: '0.00',
      payments: [
        {
          issue: 'underpaid',
          resolution: 'accepted',
          resolution_note: 'As agreed',
          resolved_at: '2026-03-02T09:00:00.000Z',
        },
      ],
    })
  })

  test('refunded: it counts no longer, and the invoice can be declared void', async () => {
    const open = await resolved(await withPayment('60'), 'refunded')
    expect(open).toMatchObject({
      status: 'OPEN',
      paid: '0.00',
      due: '100.00',
      payments: [{ applied: '0.00' }],
    })
    expect((await shop.api.post(shop.path(open.id, '/void'))).status).toBe(200)
  })

  test('has nothing that could become credit', async () => {
    const partly = await withPayment('60', {}, { lead_id: (await shop.lead()).id })
    const refused = await shop.resolve(partly.id, partly.payments[0]!, 'credited')
    expect(refused.body).toMatchObject({ status: 409, code: 'not_credited' })
  })
})

describe('too much', () => {
  test.for(['accepted', 'refunded', 'credited'])('%s: it stays paid', async resolution => {
    const invoice = await withPayment('150', {}, { lead_id: (await shop.lead()).id })
    expect(invoice).toMatchObject({ status: 'PAID', paid: '100.00', payments: [{ issue: 'overpaid' }] })
    const credit = resolution === 'credited' ? '50.00' : '0.00'
    expect(await resolved(invoice, resolution)).toMatchObject({ status: 'PAID', paid: '100.00', credit })
  })

  test('for a paid one counts for nothing, whatever it was', async () => {
    const paid = await withPayment('100')
    const again = await applyPayment(shop.ada.ctx, paid.id, money('100'))
    expect(again).toMatchObject({ status: 'PAID', paid: '100.00' })
    expect(again.payments.map(({ issue, applied }) => [issue, applied])).toEqual([
      [null, '100.00'],
      ['overpaid', '0.00'],
    ])
    expect((await shop.eventsOf(paid.id)).filter(type => type === 'invoice.paid')).toHaveLength(1)
  })

  test('of nobody becomes nobody’s credit', async () => {
    const invoice = await withPayment('150')
    const refused = await shop.resolve(invoice.id, invoice.payments[0]!, 'credited')
    expect(refused.body).toMatchObject({ status: 409, code: 'no_customer' })
  })
})

describe('late', () => {
  const late = { received_at: '2026-04-01T00:00:00.000Z' }

  test('it counts all the same, and is kept', async () => {
    const invoice = await withPayment('100', late)
    expect(invoice).toMatchObject({ status: 'PAID', payments: [{ issue: 'late', applied: '100.00' }] })
    expect(await resolved(invoice, 'accepted')).toMatchObject({ status: 'PAID', paid: '100.00' })
  })

  test('refunded: what went back counts no longer', async () => {
    expect(await resolved(await withPayment('100', late), 'refunded')).toMatchObject({
      status: 'OPEN',
      paid: '0.00',
      paid_at: null,
    })
  })

  test('has nothing left that could become credit', async () => {
    const invoice = await withPayment('100', late, { lead_id: (await shop.lead()).id })
    const refused = await shop.resolve(invoice.id, invoice.payments[0]!, 'credited')
    expect(refused.body.code).toBe('not_credited')
  })
})

describe.for([
  ['for a void invoice', 'void', 'VOID', 'EUR'],
  ['in another currency', 'wrong_currency', 'OPEN', 'USD'],
] as const)('money %s', ([, issue, status, currency]) => {
  async function wrong() {
    const { id } = await shop.open({ lead_id: (await shop.lead()).id })
    if (issue === 'void') await shop.api.post(shop.path(id, '/void'))
    return applyPayment(shop.ada.ctx, id, money('100', { currency }))
  }

  test.for(['accepted', 'refunded', 'credited'])('counts for nothing: %s', async resolution => {
    const invoice = await wrong()
    expect(invoice).toMatchObject({ status, paid: '0.00', payments: [{ issue, applied: '0.00', currency }] })
    expect(await resolved(invoice, resolution)).toMatchObject({
      status,
      paid: '0.00',
      credit: resolution === 'credited' && currency === 'EUR' ? '100.00' : '0.00',
      payments: [{ resolution }],
    })
  })
})

test('about a payment is decided once, by one, of this invoice', async () => {
  const invoice = await withPayment('150')
  const [payment] = invoice.payments
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => shop.resolve(invoice.id, payment!, 'accepted')),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 409),
  ])
  expect(replies.find(({ status }) => status === 409)!.body.code).toBe('resolved')
  const other = await shop.open()
  expect((await shop.resolve(other.id, payment!, 'accepted')).status).toBe(404)
  const fine = await withPayment('100')
  expect((await shop.resolve(fine.id, fine.payments[0]!, 'accepted')).body.code).toBe('nothing_to_decide')
  const person = await withPayment('150')
  const path = shop.path(person.id, `/payments/${person.payments[0]!.id}/resolution`)
  const { body } = await shop.ada.browser.post(path, { resolution: 'accepted' })
  expect(body.payments[0].resolved_by).toBe(shop.ada.user_id)
})

describe('credit', () => {
  async function credited(fields: object, amount = '150', currency = 'EUR') {
    return resolved(await withPayment(amount, { currency }, { currency, ...fields }), 'credited')
  }
  const use = (id: string, amount: string) => shop.pay(id, amount, { method: 'credit' })

  test('pays a later invoice of the same lead, in the same currency, and is gone then', async () => {
    const lead_id = (await shop.lead()).id
    await credited({ lead_id })
    const later = await shop.open({ lead_id })
    expect(later.credit).toBe('50.00')
    expect((await use(later.id, '50.0001')).body.code).toBe('too_little_credit')
    expect((await use(later.id, '50')).body).toMatchObject({
      status: 'PARTIALLY_PAID',
      due: '50.00',
      credit: '0.00',
      payments: [{ method: 'credit', applied: '50.00' }],
    })
    expect((await use(later.id, '0.01')).body.code).toBe('too_little_credit')
    for (const fields of [{ lead_id, currency: 'USD' }, { lead_id: (await shop.lead()).id }, {}])
      expect((await shop.open(fields)).credit).toBe('0.00')
    expect((await use((await shop.open()).id, '1')).body.code).toBe('no_customer')
  })

  test('is the account’s where there is one, whoever of it was billed', async () => {
    const account = (await shop.api.post('/api/crm/accounts', { name: 'Navy' })).body
    const [one, other] = [
      await shop.lead({ account_id: account.id }),
      await shop.lead({ account_id: account.id }),
    ]
    await credited({ lead_id: one.id })
    expect((await shop.open({ lead_id: other.id })).credit).toBe('50.00')
    expect((await shop.open({ lead_id: one.id, account_id: null })).credit).toBe('0.00')
  })

  test('pays what is due and no more, and comes back when its use is taken back', async () => {
    const lead_id = (await shop.lead()).id
    await credited({ lead_id }, '300')
    const later = await shop.open({ lead_id })
    expect((await use(later.id, '100.01')).body.code).toBe('more_than_due')
    const partly = (await use(later.id, '30')).body
    expect(partly.credit).toBe('170.00')
    expect(await resolved(partly, 'refunded')).toMatchObject({ status: 'OPEN', credit: '200.00' })
    expect((await use(later.id, '100')).body).toMatchObject({ status: 'PAID', credit: '100.00' })
  })

  test('is never used twice, however many want it at once', async () => {
    const lead_id = (await shop.lead()).id
    await credited({ lead_id }, '200')
    const invoices = await Promise.all(Array.from({ length: 12 }, () => shop.open({ lead_id })))
    const uses = await Promise.allSettled(
      invoices.map(({ id }) => recordPayment(shop.ada.ctx, id, { method: 'credit', amount: '30' })),
    )
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect((await shop.read(invoices[0]!.id)).credit).toBe('10.00')
    const [sum] = await shop.app.database.query<{ used: string }>(
      `select sum(amount)::text as used from invoice_payments where method = 'credit' and invoice_id = any($1)`,
      [invoices.map(({ id }) => id)],
    )
    expect(sum!.used).toBe('90.00')
  })
})

describe('what the chain takes back', () => {
  const tell = (
    event: typeof settlementReorged | typeof settlementRestored,
    tx_hash: string,
    subject_id: string,
  ) =>
    shop.ada.ctx.transaction(async ctx => {
      const settlement_id = newId()
      const about = { settlement_id, purpose: 'invoice' as const, subject_id, tx_hash }
      record(ctx, event, { kind: 'settlement', id: settlement_id }, about)
    })

  test('counts no longer, and counts again when the chain has it again', async () => {
    const tx_hash = `0x${newId().padStart(64, '0')}`
    const deal = await shop.deal()
    const fields = { opportunity_id: deal.id, leadgen_credits: 5, lead_id: (await shop.lead()).id }
    const invoice = await withPayment('150', { tx_hash, reference: tx_hash }, fields)
    await resolved(invoice, 'credited')
    await shop.settle()
    const before = (await shop.api.get('/api/credits')).body.purchased
    await tell(settlementReorged, tx_hash, invoice.id)
    await shop.settle()
    const open = await shop.read(invoice.id)
    expect(open).toMatchObject({
      status: 'OPEN',
      paid: '0.00',
      paid_at: null,
      credit: '0.00',
      payments: [{ issue: 'reorged', applied: '0.00', resolution: null }],
    })
    // It was told once, and a second time changes nothing.
    await tell(settlementReorged, tx_hash, invoice.id)
    await shop.settle()
    expect((await shop.read(invoice.id)).updated_at).toBe(open.updated_at)
    await tell(settlementRestored, tx_hash, invoice.id)
    await shop.settle()
    expect(await shop.read(invoice.id)).toMatchObject({
      status: 'PAID',
      payments: [{ issue: 'overpaid', applied: '100.00' }],
    })
    // What was bought and what the bank knows is not booked again.
    expect((await shop.api.get('/api/credits')).body.purchased).toBe(before)
    expect(shop.app.ports.bank.told.filter(({ key }) => key === invoice.id)).toHaveLength(1)
  })

  test('takes along what was forgiven for it', async () => {
    const tx_hash = `0x${newId().padStart(64, '0')}`
    const paid = await resolved(await withPayment('60', { tx_hash }), 'accepted')
    expect(paid).toMatchObject({ status: 'PAID', written_off: '40.00' })
    await tell(settlementReorged, tx_hash, paid.id)
    await shop.settle()
    expect(await shop.read(paid.id)).toMatchObject({ status: 'OPEN', written_off: '0.00', due: '100.00' })
  })

  test('leaves the other payments, and can only be taken note of', async () => {
    const tx_hash = `0x${newId().padStart(64, '0')}`
    const { id } = await shop.open({ lines: [line('100')] })
    await applyPayment(shop.ada.ctx, id, money('40'))
    await applyPayment(shop.ada.ctx, id, money('60', { tx_hash }))
    await tell(settlementReorged, tx_hash, id)
    await shop.settle()
    const partly = await shop.read(id)
    expect(partly).toMatchObject({ status: 'PARTIALLY_PAID', paid: '40.00', due: '60.00' })
    const gone = partly.payments.find(({ issue }) => issue === 'reorged')!
    expect((await shop.resolve(id, gone, 'refunded')).body.code).toBe('not_refunded')
    expect((await shop.resolve(id, gone, 'credited')).body.code).toBe('not_credited')
    expect((await shop.resolve(id, gone, 'accepted')).body).toMatchObject({
      status: 'PARTIALLY_PAID',
      paid: '40.00',
    })
  })
})
